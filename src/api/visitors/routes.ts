// Share links, the keys of visitors' tokens, and content tokens. Operations that return a secret that opens the space
// need the scope for granting roles on it: a limited token cannot extend its access with them. They are sensitive: whoever
// has read such a secret reads the space after the session has ended.
import { Type } from 'typebox'
import { findVisitorKeys } from '../../access/proofs.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { created } from '../../http/replies.ts'
import { listContentTokens } from '../accounts/content-tokens.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import {
  changePublishingAuth,
  changeShareLink,
  createContentToken,
  createShareLink,
  deleteContentToken,
  deleteShareLink,
  rotateKey,
} from './actions.ts'
import { onShareLink, type ShareLinkAt } from './place.ts'
import { listShareLinks } from './rows.ts'
import {
  ChangePublishingAuth,
  ChangeShareLink,
  ContentToken,
  ContentTokens,
  CreateContentToken,
  CreateShareLink,
  ListContentTokens,
  ListShareLinks,
  PublishingAuth,
  RegenerateKey,
  ShareLink,
  ShareLinks,
} from './schema.ts'
import { toContentToken, toPublishingAuth, toShareLink } from './wire.ts'

const operation = operationsOf<'space', SpaceAt>()
const linkOperation = operationsOf<'space', ShareLinkAt>()

const common = { tag: 'Visitors', may: 'admin', scope: 'space:permissions:write' } as const

const shareLinkOperations = [
  ...mount(
    [onSpace],
    [
      operation({
        ...common,
        id: 'listSpaceShareLinks',
        method: 'GET',
        path: '/share-links',
        summary: 'List share links of a space',
        description: 'Oldest first, with their keys. Octavo extension.',
        query: ListShareLinks,
        reply: ShareLinks,
        sensitive: true,
        run: async ({ context, at, query }) =>
          toList(await listShareLinks(context.db, at.space.id, query), toShareLink, context),
      }),
      operation({
        ...common,
        id: 'createSpaceShareLink',
        method: 'POST',
        path: '/share-links',
        summary: 'Create a share link',
        description: 'Anyone with its address can read a `share-link` space. Octavo extension.',
        body: CreateShareLink,
        reply: ShareLink,
        isAnswerSecret: true,
        status: 201,
        sensitive: true,
        run: async ({ context, at, body }) => {
          const row = await createShareLink(context, at.space, body)
          return created(toShareLink(context, row))
        },
      }),
    ],
  ),
  ...mount(
    [onShareLink],
    [
      linkOperation({
        ...common,
        id: 'getSpaceShareLinkById',
        method: 'GET',
        path: '',
        summary: 'Get a share link',
        reply: ShareLink,
        sensitive: true,
        run: async ({ context, at }) => toShareLink(context, at.link),
      }),
      linkOperation({
        ...common,
        id: 'updateSpaceShareLinkById',
        method: 'PATCH',
        path: '',
        summary: 'Rename a share link, close or reopen it',
        body: ChangeShareLink,
        reply: ShareLink,
        sensitive: { when: 'does not close the link', is: ({ active }) => active !== false },
        run: async ({ context, at, body }) =>
          toShareLink(context, await changeShareLink(context, at.space, at.link.id, body)),
      }),
      linkOperation({
        ...common,
        id: 'deleteSpaceShareLinkById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a share link',
        description: 'Its address stops working.',
        absent: 'done',
        run: ({ context, at }) => deleteShareLink(context, at.space, at.link.id),
      }),
    ],
  ),
]

const tokenOperations = mount(
  [onSpace],
  [
    operation({
      ...common,
      id: 'getSpacePublishingAuth',
      method: 'GET',
      path: '/publishing/auth',
      summary: 'Get the visitor authentication of a space',
      description: 'With the key that your own server signs the tokens of visitors with. Octavo extension.',
      reply: PublishingAuth,
      sensitive: true,
      run: async ({ context, at }) =>
        toPublishingAuth(context, at.space, await findVisitorKeys(context.db, at.space.id)),
    }),
    operation({
      ...common,
      id: 'updateSpacePublishingAuth',
      method: 'PATCH',
      path: '/publishing/auth',
      summary: 'Set the fallback address for visitors without a token',
      body: ChangePublishingAuth,
      reply: PublishingAuth,
      sensitive: true,
      run: async ({ context, at, body }) => {
        const space = await changePublishingAuth(context, at.space, body)
        return toPublishingAuth(context, space, await findVisitorKeys(context.db, at.space.id))
      },
    }),
    operation({
      ...common,
      id: 'regenerateSpacePublishingAuth',
      method: 'POST',
      path: '/publishing/auth/regenerate',
      summary: 'Rotate the key for visitor tokens',
      description: 'Tokens signed with earlier keys are refused at once, or after `graceSeconds`.',
      body: RegenerateKey,
      isBodyOptional: true,
      reply: PublishingAuth,
      isAnswerSecret: true,
      sensitive: true,
      run: async ({ context, at, body }) =>
        toPublishingAuth(context, at.space, await rotateKey(context, at.space, body)),
    }),
    operation({
      ...common,
      id: 'listSpaceContentTokens',
      method: 'GET',
      path: '/content-tokens',
      summary: 'List content tokens of a space',
      description:
        'Newest first, without their secrets and without those that have expired. Octavo extension.',
      query: ListContentTokens,
      reply: ContentTokens,
      run: async ({ context, at, query }) =>
        toList(await listContentTokens(context.db, at.space.id, query), toContentToken),
    }),
    operation({
      ...common,
      id: 'createSpaceContentToken',
      method: 'POST',
      path: '/content-tokens',
      summary: 'Create a content token',
      description:
        'It reads the published content of this one space, regardless of its visibility, and nothing else. It ends with the token it is made with, and when you are no longer an admin of the space. Octavo extension.',
      body: CreateContentToken,
      isBodyOptional: true,
      reply: ContentToken,
      isAnswerSecret: true,
      status: 201,
      sensitive: true,
      run: async ({ context, at, body }) => {
        const { row, secret } = await createContentToken(context, at.space, body)
        return { ...toContentToken(row), token: secret }
      },
    }),
    operation({
      ...common,
      id: 'deleteSpaceContentTokenById',
      method: 'DELETE',
      path: '/content-tokens/{contentTokenId}',
      params: Type.Object({ contentTokenId: Id('A content token of the space.') }),
      summary: 'Revoke a content token',
      description: 'It is refused from the next request on. Octavo extension.',
      absent: 'done',
      run: ({ context, at, params }) => deleteContentToken(context, at.space, params.contentTokenId),
    }),
  ],
)

export const visitorOperations = [...shareLinkOperations, ...tokenOperations]
