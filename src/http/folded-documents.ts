// Rich documents of a body that were folded into JSON text (compute/json-body.ts), found by the object that replaces
// them.
import type { FoldedDocument } from '../compute/json-body.ts'

const documents = new WeakMap<object, FoldedDocument>()

export const keepFoldedDocument = (folded: FoldedDocument): void => void documents.set(folded.stub, folded)

/** The JSON of a document, folded or not. */
export const jsonOfDocument = (document: object): string =>
  documents.get(document)?.json ?? JSON.stringify(document)

/** For a folded document whose digest was requested. */
export const digestOfDocument = (value: object): string | undefined => documents.get(value)?.digest
