// Rich documents on the wire: page bodies, descriptions, comments. Their nodes are described in docs/writing.md and
// checked by the Markdown engine.
import { Type } from 'typebox'
import { invalid, tooLarge } from '../base/errors.ts'
import type { Compute } from '../compute/compute.ts'
import type { JSONDocument, Reference } from '../engines/markdown/document/document.ts'
import { jsonOfDocument } from './folded-documents.ts'
import { named, OneOf } from './list.ts'

export const RichDocument = named(
  'Document',
  Type.Unsafe<JSONDocument>(
    Type.Object({
      object: OneOf(['document']),
      data: Type.Object({ schemaVersion: Type.Optional(Type.Integer()) }),
      nodes: Type.Array(Type.Object({}, { additionalProperties: true })),
    }),
  ),
)

/** A document from a body: its JSON, as tasks of the pool take it, its blocks, and the words of its first heading. */
export type SentDocument = {
  readonly json: string
  readonly blocks: number
  readonly heading: string | undefined
}

/** A body that has the nodes of a document, as an operation that folds documents gets it. */
type FoldedBody = { readonly nodes?: JSONDocument['nodes'] }

/**
 * Checks a document from a body. `lane` is that of `Compute`.
 *
 * Throws `invalid` for the first node that does not match the model, and for a document that is too large to check.
 */
export async function checkSentDocument(
  { compute }: { readonly compute: Compute },
  lane: string,
  field: string,
  value: JSONDocument | FoldedBody,
): Promise<SentDocument> {
  const json = jsonOfDocument(value)
  const outcome = await compute.run('documentMetadata', lane, { json })
  if (outcome.kind === 'beyond') throw tooCostly(field)
  const { problem, blocks, heading } = outcome.value
  if (problem === undefined) return { json, blocks, heading }
  const where = problem.at === '' ? field : `${field}${problem.at.replaceAll('/', '.')}`
  throw invalid('document_invalid', `${where}: ${problem.message}.`)
}

/** The Markdown of a checked document. `write`: how a reference is written; undefined turns it into plain words. */
export async function toMarkdown(
  { compute }: { readonly compute: Compute },
  lane: string,
  field: string,
  json: string,
  write: (reference: Reference) => string | undefined,
): Promise<string> {
  const outcome = await compute.run(
    'documentMarkdown',
    lane,
    { json },
    { addresses: async references => references.map(write) },
  )
  if (outcome.kind === 'beyond') throw tooCostly(field)
  return outcome.value
}

export const tooCostly = (field: string) =>
  tooLarge(
    'document_too_costly',
    `${field}: this document is too large or too complex. Send its Markdown, or less of it.`,
  )
