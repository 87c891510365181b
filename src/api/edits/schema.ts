// The answers to writing content; the requests are in request/schema.ts.
import { type Static, Type } from 'typebox'
import { model, named, OneOf } from '../../http/list.ts'
import { ErrorBody } from '../../http/refusals.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { Conflict } from '../conflicts/schema.ts'
import { File } from '../content/schema.ts'
import { UNWRITTEN_MAX } from './batch/state.ts'
import { UNRESOLVED_MAX, UNRESOLVED_PATH_CHARACTERS_MAX } from './batch/unresolved.ts'
import { OWN } from './request/fields.ts'

export const Upload = model(
  'Upload',
  {
    object: Type.Literal('upload'),
    id: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    sha256: Type.String({ description: 'Of the bytes, 64 hex digits.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'The file can be inserted until then.' }),
  },
  { description: OWN },
)
export type Upload = Static<typeof Upload>

export const Compat = Type.Object({
  compat: Type.Optional(
    Type.Boolean({
      description:
        'With false the response lists the changes; with true, the default, it is the change request.',
    }),
  ),
})

const made = (object: 'page' | 'reusable-content') =>
  Type.Object({ object: OneOf([object]), id: Type.String(), urls: Type.Object({ location: Type.String() }) })
const ref = Type.Optional(Type.String({ description: 'As it was sent.' }))

/** One per touched page, in the order of first touch; then those of reusable contents and files. */
export const Outcome = named(
  'ContentChangeOutcome',
  Type.Union([
    Type.Object({ object: OneOf(['created_page']), page: made('page'), ref }),
    Type.Object({ object: OneOf(['updated_page']), page: made('page') }),
    Type.Object({ object: OneOf(['deleted_page']), page: Type.String() }),
    Type.Object({
      object: OneOf(['created_reusable_content']),
      reusableContent: made('reusable-content'),
      ref,
    }),
    Type.Object({ object: OneOf(['updated_reusable_content']), reusableContent: made('reusable-content') }),
    Type.Object({ object: OneOf(['deleted_reusable_content']), reusableContent: Type.String() }),
    Type.Object({ object: OneOf(['updated_file']), file: File }),
    Type.Object({ object: OneOf(['deleted_file']), file: Type.String() }),
  ]),
)
export type Outcome = Static<typeof Outcome>

const holder = {
  page: Type.Optional(Type.String({ description: 'The page whose text it is in.' })),
  reusableContent: Type.Optional(
    Type.String({ description: 'The reusable content, if it is in the text of one.' }),
  ),
}

/** Keys are those of the caller. */
export const BLOCK_KEY_CHARACTERS_MAX = 200

const UnwrittenBlock = model(
  'UnwrittenBlock',
  {
    ...holder,
    block: Type.Optional(Type.String({ description: 'The key of the block, if it has one.' })),
    reason: OneOf(['kept_as_it_was', 'written_as_plain_words']),
  },
  { description: OWN },
)

const Unresolved = model(
  'UnresolvedReference',
  {
    ...holder,
    path: Type.String({
      description: `As it is written, at most ${UNRESOLVED_PATH_CHARACTERS_MAX} characters of it.`,
    }),
    kind: OneOf(['link', 'image', 'file', 'content-ref', 'include']),
  },
  { description: OWN },
)

const update = {
  changes: Type.Array(Outcome),
  merged: Type.Array(Type.String(), {
    description:
      'The pages with a `base` that others had changed since: this change was merged with theirs, so read them again. Octavo extension.',
  }),
  insertedFiles: Type.Array(File, { description: 'In the order of insertion.' }),
  unresolved: Type.Array(Unresolved, {
    maxItems: UNRESOLVED_MAX,
    description: `What the texts that were sent refer to and this content does not have, ${UNRESOLVED_MAX} of it at most. It stays in the text as it is written and leads to what comes later under that path. Octavo extension.`,
  }),
  unwritten: Type.Array(UnwrittenBlock, {
    maxItems: UNWRITTEN_MAX,
    description: `The blocks of rich documents that could not be written as they are without losing words, ${UNWRITTEN_MAX} of them at most: their text stayed as it was, or their words were written without their form. Octavo extension.`,
  }),
}

export const ChangeRequestContentUpdate = model('ChangeRequestContentUpdate', {
  changeRequest: ChangeRequest,
  ...update,
})
export type ChangeRequestContentUpdate = Static<typeof ChangeRequestContentUpdate>

export const SpaceContentUpdate = model('SpaceContentUpdate', {
  revision: Type.String({ description: 'The head of the space.' }),
  ...update,
})
export type SpaceContentUpdate = Static<typeof SpaceContentUpdate>

export const ContentUpdateConflict = model('ContentUpdateConflict', {
  error: ErrorBody.properties.error,
  revision: Type.Optional(
    Type.String({ description: 'With `edit_conflicts`: the head, which has `ours` of the conflicts.' }),
  ),
  conflicts: Type.Optional(
    Type.Array(Conflict, {
      description:
        'With `edit_conflicts`: what others and you have changed since the `base`. `ours` is what is there now, `theirs` what you sent. Octavo extension.',
    }),
  ),
  more: Type.Optional(Type.Integer({ minimum: 1, description: 'Conflicts that are not listed.' })),
})
