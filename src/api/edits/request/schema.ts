// The body of a request: a list of changes, distinguished by `operation`, and how one of them is refused. Octavo
// extensions say so in their description.
import { type Static, type TProperties, Type } from 'typebox'
import { type Failure, invalid } from '../../../base/errors.ts'
import { FOLDER_CHARACTERS_MAX } from '../../../engines/names/new-files.ts'
import { DiscriminatedUnion } from '../../../http/discriminated-union.ts'
import { model, Nullable, OneOf } from '../../../http/list.ts'
import { RefTo } from '../../../http/references.ts'
import { TITLE_CHARACTERS_MAX } from '../../content/bounds.ts'
import {
  LinkTarget,
  metadata,
  NewDocument,
  OWN,
  Ref,
  Slug,
  URL_CHARACTERS_MAX,
  VariableChanges,
} from './fields.ts'

const at = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Its index among its siblings; last when absent or too large.' }),
)
const operation = <K extends string, P extends TProperties>(
  name: string,
  word: K,
  fields: P,
  description: string,
) => model(name, { operation: Type.Literal(word), ...fields }, { description })

const InsertPage = operation(
  'InsertPage',
  'insert_page',
  {
    document: Type.Optional(NewDocument),
    type: Type.Optional(
      OneOf(['document', 'group', 'link'], `\`document\` when absent; the others are ${OWN}`),
    ),
    target: Type.Optional(LinkTarget),
    into: Type.Optional(
      Nullable(RefTo('page', 'The page above it, or the `ref` of one; the root when absent.')),
    ),
    at,
    ref: Type.Optional(Ref),
    ...metadata,
  },
  'A new page. Its title comes from the frontmatter, the first heading, or `title`.',
)

const UpdatePage = operation(
  'UpdatePage',
  'update_page',
  {
    page: RefTo('page', 'A page of this content.'),
    base: Type.Optional(
      RefTo(
        'revision',
        `The revision that you read the page in, as \`Octavo-Revision\` says. What others changed in the page since is merged with this change, block by block; where both changed the same, nothing is written (409 \`edit_conflicts\`). Without it this change alone counts. ${OWN}`,
      ),
    ),
    document: Type.Optional(NewDocument),
    into: Type.Optional(
      Nullable(RefTo('page', 'The page above it; null is the root, absent stays where it is.')),
    ),
    at,
    target: Type.Optional(LinkTarget),
    ...metadata,
    slug: Type.Optional(Nullable(Slug)),
    followTitle: Type.Optional(
      Type.Boolean({
        description: `With true, the slug and the file of a page that the space does not have yet follow its title, unless \`slug\` is sent or was chosen before. ${OWN}`,
      }),
    ),
  },
  'Changes the text, metadata or place of a page, or several of them.',
)

const DeletePage = operation(
  'DeletePage',
  'delete_page',
  { page: RefTo('page', 'A page of this content.') },
  'Deletes the page and everything below it.',
)

const BLOCKS_PER_CHANGE_MAX = 1000
const RevertPage = operation(
  'RevertPage',
  'revert_page',
  {
    page: RefTo('page', 'A page of this content, or of the revision.'),
    revision: Type.Optional(
      RefTo('revision', 'A revision of the space; that which the change request starts from when absent.'),
    ),
    block: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        minItems: 1,
        maxItems: BLOCKS_PER_CHANGE_MAX,
        description: 'Keys of changed blocks: only these are undone.',
      }),
    ),
  },
  'Undoes the changes of a page since a revision.',
)

/** Can be a file name, whose extension then gives the type. */
export const UPLOAD_ID = { pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$' } as const

const NAME_CHARACTERS_MAX = 256
const FILES_PER_CHANGE_MAX = 20

const fileName = Type.String({
  minLength: 1,
  maxLength: NAME_CHARACTERS_MAX,
  description: 'With its extension.',
})
const contentType = Type.Optional(
  Type.String({ maxLength: 127, description: 'Required with `base64`; detected for a `url`.' }),
)
const source = {
  url: Type.Optional(Type.String({ minLength: 1, maxLength: URL_CHARACTERS_MAX })),
  base64: Type.Optional(Type.String({ description: 'At most 1 MiB of bytes.' })),
  upload: Type.Optional(RefTo('upload', `The name that you uploaded it under. ${OWN}`, UPLOAD_ID)),
}

const NewFile = model('ChangeRequestContentFile', {
  name: fileName,
  contentType,
  ref: Type.Optional(Ref),
  ...source,
})

const InsertFiles = operation(
  'InsertFiles',
  'insert_files',
  { files: Type.Array(NewFile, { minItems: 1, maxItems: FILES_PER_CHANGE_MAX }) },
  'New files, each with exactly one of `url`, `base64` and `upload`.',
)

const UpdateFile = operation(
  'UpdateFile',
  'update_file',
  {
    file: RefTo('file', 'A file of this content.'),
    name: Type.Optional(fileName),
    folder: Type.Optional(
      Type.String({
        maxLength: FOLDER_CHARACTERS_MAX,
        description:
          'The folder of the repository that it is moved to, such as `guides/pictures`; empty for the top. Outside of `.gitbook/assets`, which takes every file, one without a dot in front, for files that an import keeps there.',
      }),
    ),
    contentType,
    ...source,
  },
  `Renames a file, moves it to another folder, replaces its bytes by those of \`url\`, \`base64\` or \`upload\`, or several of these. It keeps its id; the links of texts that lead to it follow. ${OWN}`,
)

const RevertFile = operation(
  'RevertFile',
  'revert_file',
  {
    file: RefTo('file', 'A file of this content, or of the revision.'),
    revision: Type.Optional(
      RefTo('revision', 'A revision of the space; that which the change request starts from when absent.'),
    ),
  },
  `Undoes the changes of a file since a revision: it has the bytes and the name of then, is there again if it was deleted, and is deleted if it was not there. ${OWN}`,
)

const DeleteFile = operation(
  'DeleteFile',
  'delete_file',
  { file: RefTo('file', 'A file of this content.') },
  `Deletes a file; links to it become broken. ${OWN}`,
)

const reusableTitle = Type.String({ minLength: 1, maxLength: TITLE_CHARACTERS_MAX })
const InsertReusableContent = operation(
  'InsertReusableContent',
  'insert_reusable_content',
  { title: reusableTitle, document: NewDocument, ref: Type.Optional(Ref) },
  `A text that pages include as \`{% include "./<ref>.md" %}\`. ${OWN}`,
)
const UpdateReusableContent = operation(
  'UpdateReusableContent',
  'update_reusable_content',
  {
    reusableContent: RefTo('reusableContent', 'A reusable content of this content.'),
    title: Type.Optional(reusableTitle),
    document: Type.Optional(NewDocument),
  },
  OWN,
)
const DeleteReusableContent = operation(
  'DeleteReusableContent',
  'delete_reusable_content',
  { reusableContent: RefTo('reusableContent', 'A reusable content of this content.') },
  OWN,
)
const UpdateVariables = operation(
  'UpdateVariables',
  'update_variables',
  { variables: VariableChanges },
  `Variables of the whole content. ${OWN}`,
)

const CHANGES_MAX = 50

export const Change = DiscriminatedUnion('operation', [
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  UpdateFile,
  RevertFile,
  DeleteFile,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent,
  UpdateVariables,
])
export type Change = Static<typeof Change>
export type ChangeOf<K extends Change['operation']> = Extract<Change, { operation: K }>

export const UpdateContent = Type.Object({
  changes: Type.Array(Change, {
    minItems: 1,
    maxItems: CHANGES_MAX,
    description: 'Applied in order, all or none.',
  }),
})
export type UpdateContent = Static<typeof UpdateContent>

/**
 * Refuses the whole request because of one change. `field` is a path below the change at `index`; `why` is a sentence
 * that says what to do.
 */
export const refuse = (index: number, field: string, why: string, cause?: unknown): Failure =>
  invalid('change_invalid', `body.changes.${index}.${field}: ${why}`, cause)
