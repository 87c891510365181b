// The browsers that somebody is signed in with. Passwords have no operation: programs have tokens.
import { Type } from 'typebox'
import { Id, Paging, toList } from '../../http/list.ts'
import { callerOperation } from '../../http/operation.ts'
import { endSession } from './actions.ts'
import { listSessions, ownerOf } from './rows.ts'
import { Sessions } from './schema.ts'
import { toSession } from './wire.ts'

const own = { tag: 'Accounts', scope: 'unscoped' } as const

export const sessionOperations = [
  callerOperation({
    ...own,
    id: 'listSessions',
    method: 'GET',
    path: '/user/sessions',
    summary: 'List your browser sessions',
    description: 'Newest first. Those that have ended are not listed.',
    query: Paging,
    reply: Sessions,
    run: async ({ context, query }) =>
      toList(await listSessions(context.db, ownerOf(context.principal), query), toSession),
  }),
  callerOperation({
    ...own,
    id: 'deleteSession',
    method: 'DELETE',
    path: '/user/sessions/{sessionId}',
    params: Type.Object({ sessionId: Id('A session of yours.') }),
    summary: 'Sign out a browser',
    absent: 'done',
    run: ({ context, params }) => endSession(context, params.sessionId),
  }),
]
