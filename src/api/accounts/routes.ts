// Users, their tokens, and the version of this server.
import { Type } from 'typebox'
import type { UserPrincipal } from '../../access/principal.ts'
import { Id, Paging, toList } from '../../http/list.ts'
import { callerOperation, mount, openOperation, operationsOf } from '../../http/operation.ts'
import { createdAt } from '../../http/replies.ts'
import { VERSION } from '../../platform/version.ts'
import { changeUser, createToken, deleteToken } from './actions.ts'
import { onUser, type UserAt } from './place.ts'
import { listTokens } from './rows.ts'
import { ApiInformation, ChangeUser, CreateToken, Tokens, TokenWithSecret, User } from './schema.ts'
import { toToken, toUser } from './wire.ts'

const operation = operationsOf<'user', UserAt>()

const own = { tag: 'Accounts', scope: 'unscoped' } as const

const ownerOf = ({ user, onlyIn }: UserPrincipal) => ({ user: user.id, onlyIn })

export const accountOperations = [
  openOperation({
    id: 'getApiInformation',
    method: 'GET',
    path: '/',
    summary: 'Get the version of the server',
    tag: 'Accounts',
    scope: 'any',
    reply: ApiInformation,
    run: async () => ({ version: VERSION, build: VERSION }),
  }),
  callerOperation({
    id: 'getAuthenticatedUser',
    method: 'GET',
    path: '/user',
    summary: 'Get the current user',
    tag: 'Accounts',
    scope: 'any',
    reply: User,
    run: async ({ context }) => toUser(context.urls, context.principal.user),
  }),
  callerOperation({
    ...own,
    id: 'listTokens',
    method: 'GET',
    path: '/user/tokens',
    summary: 'List your tokens',
    query: Paging,
    reply: Tokens,
    run: async ({ context, query }) =>
      toList(await listTokens(context.db, ownerOf(context.principal), query), toToken),
  }),
  callerOperation({
    ...own,
    id: 'createToken',
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create a token',
    description:
      'It has at most the scopes and the lifetime of the token that you create it with. The secret is in `token` of this response and is never shown again.',
    body: CreateToken,
    reply: TokenWithSecret,
    isAnswerSecret: true,
    status: 201,
    sensitive: true,
    run: async ({ context, body }) => {
      const { row, secret } = await createToken(context, body)
      return createdAt(context.urls.api(`/user/tokens/${row.id}`), { ...toToken(row), token: secret })
    },
  }),
  callerOperation({
    ...own,
    id: 'deleteToken',
    method: 'DELETE',
    path: '/user/tokens/{tokenId}',
    params: Type.Object({ tokenId: Id('A token of yours.') }),
    summary: 'Revoke a token',
    absent: 'done',
    run: ({ context, params }) => deleteToken(context, params.tokenId),
  }),
  ...mount(
    [onUser],
    [
      operation({
        id: 'getUserById',
        method: 'GET',
        path: '',
        summary: 'Get a user',
        tag: 'Accounts',
        may: 'view',
        scope: 'user:read',
        reply: User,
        run: async ({ context, at }) => toUser(context.urls, at.user),
      }),
      operation({
        id: 'updateUserById',
        method: 'PATCH',
        path: '',
        summary: 'Change your profile',
        tag: 'Accounts',
        may: 'change',
        scope: 'user:write',
        body: ChangeUser,
        reply: User,
        run: async ({ context, at, body }) => toUser(context.urls, await changeUser(context, at.user, body)),
      }),
    ],
  ),
]
