// The changes of a change request, to be read and judged: a list of what changed, and beside it what differs there.
import { useMutation, useQuery } from '@tanstack/react-query'
import Code from 'lucide-react/icons/code'
import { useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useLocation, useSearchParams } from 'wouter'
import { changesOf } from '../../data/change-request.ts'
import { markViewed, viewedPages } from '../../data/review.ts'
import { t } from '../../messages/messages.ts'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { Decide } from './decide.tsx'
import { focusChange } from './focus.ts'
import { ItemList } from './item-list.tsx'
import { ItemView } from './item-view.tsx'
import { type Item, itemsOf, pageOf } from './items.ts'
import { LayoutSwitch, useLayout } from './layout.tsx'
import { LeftWords } from './left-words.tsx'
import type { Props } from './props.ts'

export function Review({ place, changeRequest, of }: Props) {
  return (
    <Loaded query={useQuery(changesOf(place, changeRequest.revision))}>
      {({ changes, more = 0 }) => {
        const items = itemsOf(changes)
        return (
          <>
            {/* Of many changes only the first are read. */}
            {more === 0 && <LeftWords of={changeRequest} items={items} />}
            {items.length === 0 ? (
              <Empty text={t('changeRequest.noChanges')} />
            ) : (
              <View {...{ place, changeRequest, of, items, more }} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

type ViewProps = Props & { readonly items: readonly Item[]; readonly more: number }

function View({ place, changeRequest, of, items, more }: ViewProps) {
  const [chosen, choose] = useChosen(items)
  const [layout, chooseLayout] = useLayout()
  const [isSource, setSource] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const at = items.indexOf(chosen)
  const goTo = (next: Item | undefined) => {
    if (next === undefined) return
    choose(next.id)
    scrollTo({ top: 0, behavior: 'instant' })
  }
  const viewed = useViewed(place, changeRequest.revision)
  const pages = items.filter(item => pageOf(item) !== undefined)
  const viewedCount = pages.filter(viewed.is).length
  const toggleViewed = () => {
    if (pageOf(chosen) === undefined) return
    const isNow = !viewed.is(chosen)
    viewed.mark(chosen, isNow)
    if (isNow) goTo(items.find((item, index) => index > at && !viewed.is(item)))
  }
  useShortcuts({
    v: toggleViewed,
    j: () => {
      if (!focusChange(box.current, 1)) goTo(items[at + 1])
    },
    k: () => {
      if (!focusChange(box.current, -1)) goTo(items[at - 1])
    },
  })
  return (
    <div className="review">
      <div className="review-bar">
        {pages.length > 0 && (
          <p className="review-progress soft numbers">
            <progress value={viewedCount} max={pages.length} aria-labelledby="workspace:review-progress" />
            <span id="workspace:review-progress">
              {t('review.progress', { viewed: viewedCount, count: pages.length })}
            </span>
          </p>
        )}
        {chooseLayout !== undefined && <LayoutSwitch layout={layout} onChange={chooseLayout} />}
        <ToggleButton className="button review-toggle" isSelected={isSource} onChange={setSource}>
          <Code size={16} aria-hidden />
          {t('review.source')}
        </ToggleButton>
        <Decide place={place} changeRequest={changeRequest} of={of} />
      </div>
      <div className="review-body">
        <nav className="review-items" aria-label={t('review.items')}>
          <ItemList items={items} chosen={chosen.id} isViewed={viewed.is} onChoose={choose} />
          {more > 0 && <p className="faint small">{t('changeRequest.more', { count: more })}</p>}
        </nav>
        <div ref={box} className="review-main">
          <ItemView
            key={chosen.id}
            place={place}
            changeRequest={changeRequest}
            of={of}
            item={chosen}
            layout={layout}
            isSource={isSource}
            onRendered={() => setSource(false)}
            viewed={pageOf(chosen) === undefined ? undefined : viewed.is(chosen)}
            onViewed={isNow => viewed.mark(chosen, isNow)}
          />
        </div>
      </div>
    </div>
  )
}

/** Of pages alone. What changed since it was viewed is not. */
function useViewed(place: Props['place'], revision: string) {
  const { data } = useQuery(viewedPages(place))
  const { mutate } = useMutation({
    mutationFn: ({ page, isViewed }: { readonly page: string; readonly isViewed: boolean }) =>
      markViewed(place, page, isViewed, revision),
    onError: sayFailure,
  })
  const current = new Set((data?.pages ?? []).filter(one => one.current).map(({ page }) => page))
  return {
    is: (item: Item) => current.has(pageOf(item)?.page.id ?? ''),
    mark(item: Item, isViewed: boolean) {
      const page = pageOf(item)?.page.id
      if (page !== undefined) mutate({ page, isViewed })
    },
  }
}

/** The item that the address names, or the first. */
function useChosen(items: readonly Item[]): [Item, (id: string) => void] {
  const [parameters] = useSearchParams()
  const [location, navigate] = useLocation()
  const [first] = items
  const named = items.find(({ id }) => id === parameters.get(PARAMETER))
  const [last, setLast] = useState(named ?? first)
  // What it named may be gone: what was shown then stays, if it can.
  const chosen = named ?? items.find(({ id }) => id === last?.id) ?? first
  if (chosen === undefined) throw new Error('A review has something to show.')
  return [
    chosen,
    id => {
      setLast(items.find(one => one.id === id))
      navigate(`${location}?${PARAMETER}=${encodeURIComponent(id)}`, { replace: true })
    },
  ]
}

const PARAMETER = 'item'
