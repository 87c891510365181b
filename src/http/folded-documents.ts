// Rich documents of a body that were folded into the text of their JSON (compute/json-body.ts): what takes the place
// of one leads to it.
import type { FoldedDocument } from '../compute/json-body.ts'

const documents = new WeakMap<object, FoldedDocument>()

export const keepFoldedDocument = (folded: FoldedDocument): void => void documents.set(folded.stub, folded)

/** The JSON of a document, folded or not. */
export const jsonOfDocument = (document: object): string =>
  documents.get(document)?.json ?? JSON.stringify(document)

/** Of a folded document whose digest was asked for. */
export const digestOfDocument = (value: object): string | undefined => documents.get(value)?.digest
