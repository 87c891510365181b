// Writing content: one body for change requests and for spaces.
import { Type } from 'typebox'
import type { Context } from '../../http/context.ts'
import { mount, programOperationsOf, uploadsOf } from '../../http/operation.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { editChangeRequest, editSpace } from './actions.ts'
import { UPLOAD_ID, UpdateContent } from './request/schema.ts'
import { keepUpload } from './request/uploads.ts'
import {
  ChangeRequestContentUpdate,
  Compat,
  ContentUpdateConflict,
  SpaceContentUpdate,
  Upload,
} from './schema.ts'
import { toUpdate, toUpload } from './wire.ts'

const operation = programOperationsOf<'space', ChangeRequestAt>()
const spaceOperation = programOperationsOf<'space', SpaceAt>()

/** Twenty files of 1 MB in base64 are about 27 MB. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

const common = {
  method: 'POST',
  path: '/content',
  may: 'edit',
  body: UpdateContent,
  bodyBytesMax: BODY_BYTES_MAX,
  foldsDocuments: true,
  failures: [409],
  conflict: ContentUpdateConflict,
  supportedHeaders: ['if-match'],
  by: ['user', 'installation'],
} as const

const viewOf = ({ urls, signingKey }: Context) => ({ urls, signingKey, hasMetadata: true })

const upload = uploadsOf<'space', SpaceAt>()

export const editOperations = [
  ...mount(
    [onSpace],
    [
      upload({
        id: 'uploadFile',
        path: '/uploads/{uploadId}',
        summary: 'Upload a file',
        description:
          'Uploads a file of up to `OCTAVO_FILE_BYTES_MAX` bytes: the body is the file itself, of any type. Within a day, you can insert it into this space with a change `insert_files` that names it as `upload`. Nobody else can. Uploading another file under the same name replaces it. Octavo extension.',
        tag: 'Content',
        may: 'edit',
        scope: 'change-request:write',
        params: Type.Object({ uploadId: Type.String(UPLOAD_ID) }),
        query: Type.Object({
          sha256: Type.Optional(
            Type.String({
              pattern: '^[0-9a-f]{64}$',
              description: 'The expected hash of the bytes; others are refused.',
            }),
          ),
        }),
        reply: Upload,
        failures: [409],
        run: async ({ context, at: { space }, params, query, body }) =>
          toUpload(await keepUpload(context, space.id, params.uploadId, body, query.sha256)),
      }),
    ],
  ),
  ...mount(
    [onChangeRequest],
    [
      operation({
        ...common,
        id: 'updateChangeRequestContent',
        scope: 'change-request:write',
        summary: 'Edit the content of a change request',
        description:
          'Inserts, updates, deletes and reverts pages, and inserts files, in the order of `changes`: all or none, as one new revision. With `If-Match` the change request must be at that revision.',
        tag: 'Change requests',
        query: Compat,
        reply: Type.Union([ChangeRequest, ChangeRequestContentUpdate]),
        run: async ({ context, at: { space, changeRequest }, query, body }) => {
          const edited = await editChangeRequest(context, changeRequest, body.changes)
          const { row } = edited
          const wire = toChangeRequest(context, row)
          if (query.compat ?? true) return wire
          const path = `/spaces/${space.id}/change-requests/${row.id}/content`
          return { changeRequest: wire, ...toUpdate(viewOf(context), path, edited) }
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
        summary: 'Edit the content of a space',
        description:
          'The same changes as for a change request, applied directly to the head of the space; a space whose `editMode` is `locked` refuses them. With `If-Match` the space must be at that revision. Octavo extension.',
        tag: 'Content',
        reply: SpaceContentUpdate,
        run: async ({ context, at: { space }, body }) => {
          const edited = await editSpace(context, space, body.changes)
          const { row } = edited
          const path = `/spaces/${space.id}/content`
          return { revision: row.revision_id, ...toUpdate(viewOf(context), path, edited) }
        },
      }),
    ],
  ),
]
