// References: fields of a request that name an object. An object that its caller may not see is answered as one that
// does not exist, which test/conformance/references.test.ts tries for every field of this kind.
import { type TStringOptions, Type } from 'typebox'
import { ID_PATTERN } from './list.ts'

const KINDS = [
  'agentTask',
  'changeRequest',
  'collection',
  'conversation',
  'file',
  'glossaryEntry',
  'issuesCluster',
  'organization',
  'page',
  'reusableContent',
  'revision',
  'space',
  'spec',
  'team',
  'template',
  'upload',
  'user',
  /** Of an event of the audit: a user or an integration. */
  'actor',
  /** Of an event of the audit: an object of any kind. */
  'target',
] as const

/** What a reference names. */
export type RefKind = (typeof KINDS)[number]

/** The keyword of a schema that says which kind of object its values name. */
export const REFERS_TO = 'x-refers-to'

/** A field of a body or a query that names an object. The actions of the operation look it up for its caller. */
export const RefTo = (kind: RefKind, description?: string, shape?: TStringOptions) =>
  Type.String({
    ...(shape ?? { minLength: 1, maxLength: 128, pattern: ID_PATTERN }),
    ...(description === undefined ? {} : { description }),
    [REFERS_TO]: kind,
  })
