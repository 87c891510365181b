// What was said and what happened, oldest first; and the place to answer.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { submitReview } from '../../data/change-request.ts'
import { sendOnce } from '../../data/send-once.ts'
import { type TimelineItem, timelineOf } from '../../data/timeline.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Loaded } from '../../parts/state.tsx'
import { NewThread } from '../../parts/thread/thread.tsx'
import { say } from '../../parts/toasts.tsx'
import { Description } from './description.tsx'
import { Happening } from './happening.tsx'
import type { Props } from './props.ts'

export function Conversation({ place, changeRequest, of }: Props) {
  const at = useMemo(() => ({ spaceId: of.id, changeRequestId: changeRequest.id }), [of.id, changeRequest.id])
  const query = useInfiniteQuery(timelineOf(at.spaceId, at.changeRequestId))
  const { comment, review } = of.permissions
  // What is written stays, also where it can no longer be sent.
  const [couldComment] = useState(comment)
  const isOpen = changeRequest.status === 'open' || changeRequest.status === 'draft'
  const answer = useRef<HTMLDivElement>(null)
  useShortcuts(comment ? { c: () => answer.current?.querySelector('textarea')?.focus() } : {})
  const give = (status: 'approved' | 'changes-requested') => async (markdown: string) => {
    await sendOnce([place, status, markdown], key => submitReview(place, status, markdown, key))
    say(t(`changeRequest.gave.${status}`))
  }
  const reviewing = [
    { label: t('changeRequest.approve'), mayBeEmpty: true, onSend: give('approved') },
    { label: t('changeRequest.requestChanges'), mayBeEmpty: false, onSend: give('changes-requested') },
  ]
  return (
    <>
      <Description place={place} changeRequest={changeRequest} of={of} />
      <Loaded query={query}>
        {({ pages }) => {
          const shown = fold(pages.flatMap(page => page.items).reverse())
          const earlier = (pages[0]?.count ?? 0) - pages.reduce((sum, { items }) => sum + items.length, 0)
          return (
            <>
              {query.hasNextPage && (
                <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
                  {t('changeRequest.earlier', { count: earlier })}
                </Button>
              )}
              <ol role="list" className="timeline" aria-label={t('changeRequest.tab.conversation')}>
                {shown.map(one => (
                  <Happening key={one.item.id} at={at} place={place} {...one} />
                ))}
              </ol>
            </>
          )
        }}
      </Loaded>
      {(comment || couldComment) && (
        <div ref={answer}>
          <NewThread at={at} target={{}} others={review && isOpen ? reviewing : []} />
        </div>
      )}
    </>
  )
}

type Folded = { readonly item: TimelineItem; readonly count: number }

/** Edits of one person in a row are one; the last of them stands for all. How it began stands above. */
function fold(items: readonly TimelineItem[]): Folded[] {
  const folded: Folded[] = []
  for (const item of items) {
    if (item.type === 'created') continue
    const last = folded.at(-1)
    const isMore =
      item.type === 'edited' && last?.item.type === 'edited' && last.item.actor?.id === item.actor?.id
    if (isMore) folded[folded.length - 1] = { item, count: last.count + 1 }
    else folded.push({ item, count: 1 })
  }
  return folded
}
