// The rich document on the wire (api-facts §4): bodies of pages, descriptions, comments. Its nodes are described there
// and checked by the Markdown engine.
import { Type } from 'typebox'
import { invalid } from '../base/errors.ts'
import { checkDocument, type JSONDocument } from '../engines/markdown/document.ts'
import { model, OneOf } from './list.ts'

export const RichDocument = model(
  'Document',
  Type.Unsafe<JSONDocument>(
    Type.Object({
      object: OneOf(['document']),
      data: Type.Object({ schemaVersion: Type.Optional(Type.Integer()) }),
      nodes: Type.Array(Type.Object({}, { additionalProperties: true })),
    }),
  ),
)

/** A document as it came in a body; throws `invalid` for the first node that is not as the model wants it. */
export function readDocument(field: string, value: unknown): JSONDocument {
  const [problem] = checkDocument(value)
  if (problem === undefined) return value as JSONDocument
  const where = problem.at === '' ? field : `${field}${problem.at.replaceAll('/', '.')}`
  throw invalid('document_invalid', `${where}: ${problem.message}.`)
}
