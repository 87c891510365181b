// Writing content: one body for change requests and for spaces.
import { Type } from 'typebox'
import type { Context } from '../../http/context.ts'
import { mount, programOperationsOf } from '../../http/operation.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { editChangeRequest, editSpace } from './actions.ts'
import { BODY_BYTES_MAX } from './bounds.ts'
import { ChangeRequestContentUpdate, Compat, SpaceContentUpdate, UpdateContent } from './schema.ts'
import { toUpdate } from './wire.ts'

const operation = programOperationsOf<'space', ChangeRequestAt>()
const spaceOperation = programOperationsOf<'space', SpaceAt>()

const common = {
  method: 'POST',
  path: '/content',
  may: 'edit',
  body: UpdateContent,
  bodyBytesMax: BODY_BYTES_MAX,
  foldsDocuments: true,
  failures: [409],
  honours: ['if-match'],
  by: ['user', 'installation'],
} as const

const viewOf = ({ urls, signingKey }: Context) => ({ urls, signingKey, hasMetadata: true })

export const editOperations = [
  ...mount(
    [onChangeRequest],
    [
      operation({
        ...common,
        id: 'updateChangeRequestContent',
        scope: 'change-request:write',
        summary: 'Write content of a change request',
        description:
          'Inserts, changes, deletes and reverts pages, and inserts files: in the order of `changes`, all of them or none, as one new revision. With `If-Match` the change request has to be at that revision.',
        tag: 'Change requests',
        query: Compat,
        reply: Type.Union([ChangeRequest, ChangeRequestContentUpdate]),
        run: async ({ context, at: { space, changeRequest }, query, body }) => {
          const { applied, row } = await editChangeRequest(context, changeRequest, body.changes)
          const wire = toChangeRequest(context.urls, row)
          if (query.compat ?? true) return wire
          const path = `/spaces/${space.id}/change-requests/${row.id}/content`
          return { changeRequest: wire, ...toUpdate(viewOf(context), path, applied) }
        },
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      spaceOperation({
        ...common,
        id: 'updateSpaceContent',
        scope: 'space:write',
        summary: 'Write content of a space',
        description:
          'The same changes as those of a change request, made to the head of the space at once; a space whose `editMode` is `locked` refuses them. With `If-Match` the space has to be at that revision. Octavo’s own.',
        tag: 'Content',
        reply: SpaceContentUpdate,
        run: async ({ context, at: { space }, body }) => {
          const { applied, row } = await editSpace(context, space, body.changes)
          const path = `/spaces/${space.id}/content`
          return { revision: row.revision_id, ...toUpdate(viewOf(context), path, applied) }
        },
      }),
    ],
  ),
]
