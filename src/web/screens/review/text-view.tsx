// The text of a page or of reusable content, block by block.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Change } from '../../data/change-request.ts'
import { type BlockChange, baseOf, documentSides, pageSides, type Sides } from '../../data/review.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'
import { Blocks } from './block-list.tsx'
import { blocksOf } from './blocks.ts'
import type { Layout } from './layout.tsx'
import type { Props as ReviewProps } from './props.ts'

type Props = ReviewProps & { readonly change: Change; readonly layout: Layout }

export const TextView = ({ change, ...props }: Props) =>
  'page' in change ? (
    <PageText {...props} change={change} />
  ) : 'reusableContent' in change ? (
    <ReusableText {...props} change={change} />
  ) : null

type OfPage = Extract<Change, { readonly page: unknown }>
type OfReusable = Extract<Change, { readonly reusableContent: unknown }>

function PageText({ place, changeRequest, change, layout }: Props & { readonly change: OfPage }) {
  const revisions = { base: baseOf(changeRequest), revision: changeRequest.revision }
  const query = useQuery(pageSides(place, change.page.id, revisions, change.type))
  const document = change.type === 'page_edited' ? change.attributes.document : undefined
  const isTooMuch = document !== undefined && document.blocks === undefined
  if (isTooMuch) return <TooMuch />
  return (
    <Loaded query={query}>
      {sides => (
        <Text sides={sides} changes={document?.blocks} more={document?.moreBlocks ?? 0} layout={layout} />
      )}
    </Loaded>
  )
}

function ReusableText({ place, change, layout }: Props & { readonly change: OfReusable }) {
  const edited = change.type === 'reusable_content_edited' ? change.attributes.document : undefined
  const { document } = change.reusableContent
  const ids =
    edited ??
    (document === undefined
      ? {}
      : change.type === 'reusable_content_deleted'
        ? { before: document }
        : { after: document })
  const query = useQuery(documentSides(place, { before: ids.before, after: ids.after }))
  if (edited !== undefined && edited.blocks === undefined) return <TooMuch />
  return (
    <Loaded query={query}>
      {sides => (
        <Text sides={sides} changes={edited?.blocks} more={edited?.moreBlocks ?? 0} layout={layout} />
      )}
    </Loaded>
  )
}

const TooMuch = () => <p className="notice info">{t('review.tooMuch')}</p>

type TextProps = {
  readonly sides: Sides
  readonly changes: readonly BlockChange[] | undefined
  readonly more: number
  readonly layout: Layout
}

function Text({ sides, changes, more, layout }: TextProps) {
  const blocks = useMemo(() => blocksOf(sides, changes), [sides, changes])
  return (
    <>
      <Blocks blocks={blocks} layout={layout} />
      {more > 0 && <p className="notice info">{t('review.moreBlocks', { count: more })}</p>}
    </>
  )
}
