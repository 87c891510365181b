// Asks for the next portion of a list; nothing where all of it is there.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { t } from '../messages/messages.ts'
import { Button } from './button.tsx'

type Query = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

export const More = ({ query }: { readonly query: Query }) =>
  query.hasNextPage && (
    <div>
      <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
        {t('list.more')}
      </Button>
    </div>
  )
