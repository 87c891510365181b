// One page, file or other object: its fields that differ, then its text.

import Check from 'lucide-react/icons/check'
import { useMemo } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { t } from '../../messages/messages.ts'
import { factsOf } from './facts.ts'
import { Facts } from './facts-table.tsx'
import { kindsOf } from './item-list.tsx'
import { type Item, pageOf, sourcesOf, textOf } from './items.ts'
import type { Layout } from './layout.tsx'
import { PageText } from './page-text.tsx'
import type { Props as ReviewProps } from './props.ts'
import { ReusableText } from './reusable-text.tsx'

type Props = ReviewProps & {
  readonly item: Item
  readonly layout: Layout
  readonly isSource: boolean
  readonly onRendered: () => void
  /** Undefined for what is no page. */
  readonly viewed: boolean | undefined
  readonly onViewed: (isViewed: boolean) => void
}

export function ItemView(props: Props) {
  const { place, changeRequest, of, item, layout, isSource, onRendered, viewed, onViewed } = props
  const facts = item.changes.flatMap(factsOf)
  const text = textOf(item)
  const page = pageOf(item)
  const sources = useMemo(() => sourcesOf(item), [item])
  return (
    <article className="review-item-view" aria-labelledby="workspace:review-item">
      <header className="review-item-head">
        <div className="grow">
          <h2 id="workspace:review-item" dir="auto">
            {item.title}
          </h2>
          <p className="faint small">{[item.path, ...kindsOf(item)].filter(Boolean).join(' · ')}</p>
        </div>
        {viewed !== undefined && (
          <CheckboxField isSelected={viewed} onChange={onViewed}>
            <CheckboxButton className="check">
              <span className="check-box">
                <Check size={14} aria-hidden />
              </span>
              {t('review.viewed')}
            </CheckboxButton>
          </CheckboxField>
        )}
      </header>
      {facts.length > 0 && <Facts facts={facts} />}
      {page !== undefined ? (
        <PageText
          {...{ place, changeRequest, of, layout, isSource, onRendered }}
          pageId={page.page.id}
          title={item.title}
          hasText={text !== undefined}
          sources={sources}
        />
      ) : (
        text !== undefined &&
        'reusableContent' in text && <ReusableText place={place} change={text} layout={layout} />
      )}
      {facts.length === 0 && text === undefined && <p className="soft">{t('review.nothingToShow')}</p>}
    </article>
  )
}
