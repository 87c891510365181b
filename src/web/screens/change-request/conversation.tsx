// What was said and what happened, oldest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { commentsOf } from '../../data/comments.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/state.tsx'
import { NewThread, Thread } from '../../parts/thread/thread.tsx'
import type { Props } from './props.ts'

export function Conversation({ changeRequest, of }: Props) {
  const at = { spaceId: of.id, changeRequestId: changeRequest.id }
  const query = useInfiniteQuery(commentsOf(at))
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          {pages
            .flatMap(page => page.items)
            .map(comment => (
              <Thread key={comment.id} at={at} comment={comment} />
            ))}
          {query.hasNextPage && (
            <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
              {t('list.more')}
            </Button>
          )}
          {of.permissions.comment && <NewThread at={at} target={{}} />}
        </>
      )}
    </Loaded>
  )
}
