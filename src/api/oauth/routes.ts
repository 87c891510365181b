// The programs that a person lets act for them. They are allowed in a browser (`site/oauth`).
import { Type } from 'typebox'
import { Id, Paging, toList } from '../../http/list.ts'
import { callerOperation } from '../../http/operation.ts'
import { ownerOf, revokeAuthorization } from './actions.ts'
import { listGrants } from './rows.ts'
import { Authorizations } from './schema.ts'
import { toAuthorization } from './wire.ts'

const own = { tag: 'Accounts', scope: 'unscoped' } as const

export const oauthOperations = [
  callerOperation({
    ...own,
    id: 'listAuthorizations',
    method: 'GET',
    path: '/user/authorizations',
    summary: 'List the programs that act for you',
    description:
      'Octavo extension. Those that you allowed in a browser, such as assistants that speak the Model Context Protocol, newest first. Your tokens are listed apart.',
    query: Paging,
    reply: Authorizations,
    run: async ({ context, query }) =>
      toList(await listGrants(context.db, ownerOf(context.principal), query), toAuthorization),
  }),
  callerOperation({
    ...own,
    id: 'deleteAuthorization',
    method: 'DELETE',
    path: '/user/authorizations/{authorizationId}',
    params: Type.Object({ authorizationId: Id('What you allowed a program.') }),
    summary: 'Stop a program from acting for you',
    description: 'Octavo extension. Its tokens end with it.',
    absent: 'done',
    run: ({ context, params }) => revokeAuthorization(context, params.authorizationId),
  }),
]
