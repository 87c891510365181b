// Everything that the person watches: each leads there, and can be stopped.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type WatchedThing, watchedThings } from '../../data/watched-things.ts'
import { setWatched } from '../../data/watches.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { More } from '../../parts/more.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

export function Watched() {
  const cache = useQueryClient()
  const query = useInfiniteQuery(watchedThings)
  const stop = useMutation({
    mutationFn: ({ space, page, changeRequest }: WatchedThing) =>
      setWatched(
        cache,
        {
          spaceId: space.id,
          ...(page && { pageId: page.id }),
          ...(changeRequest && { changeRequestId: changeRequest.id }),
        },
        false,
      ),
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('notificationSettings.watched')}>
      <h3>{t('notificationSettings.watched')}</h3>
      <Loaded query={query} lines={2}>
        {({ pages }) => {
          const items = pages.flatMap(page => page.items)
          if (items.length === 0) return <p className="soft">{t('notificationSettings.watchesNothing')}</p>
          return (
            <>
              <RowList
                label={t('notificationSettings.watched')}
                items={items}
                nameOf={titleOf}
                dependencies={[stop.isPending]}
              >
                {one => (
                  <>
                    <div className="grow">
                      <p className="rows-title">
                        <Link href={pathOf(one)}>
                          <bdi>{titleOf(one)}</bdi>
                        </Link>
                      </p>
                      <p className="rows-facts">
                        <span>{t(`notificationSettings.watchedKind.${kindOf(one)}`)}</span>
                        {kindOf(one) !== 'space' && <bdi>{spaceTitleOf(one)}</bdi>}
                      </p>
                    </div>
                    <Button
                      look="quiet"
                      isPending={stop.isPending && stop.variables.id === one.id}
                      aria-label={t('notificationSettings.stopOf', { title: isolated(titleOf(one)) })}
                      onPress={() => stop.mutate(one)}
                    >
                      {t('notificationSettings.stop')}
                    </Button>
                  </>
                )}
              </RowList>
              <More query={query} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const kindOf = ({ page, changeRequest }: WatchedThing) =>
  page !== undefined ? 'page' : changeRequest !== undefined ? 'changeRequest' : 'space'

const spaceTitleOf = ({ space }: WatchedThing): string =>
  space.title === '' ? t('notificationSettings.untitled') : space.title

function titleOf(one: WatchedThing): string {
  const { page, changeRequest } = one
  if (page !== undefined) return page.title ?? t('notificationSettings.unpublished')
  if (changeRequest === undefined) return spaceTitleOf(one)
  return `${changeRequest.subject === '' ? t('notificationSettings.untitled') : changeRequest.subject} #${changeRequest.number}`
}

function pathOf({ space, page, changeRequest }: WatchedThing): string {
  const path = `/w/s/${space.id}`
  if (page !== undefined) return `${path}/p/${page.id}`
  return changeRequest === undefined ? path : `${path}/c/${changeRequest.number}`
}
