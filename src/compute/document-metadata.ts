// Whether a rich document that was sent is one, and what it is called. It comes as the text of its JSON (rich-text.ts).
import { checkDocument, type DocumentProblem } from '../engines/markdown/document/check.ts'
import type { Block, JSONDocument } from '../engines/markdown/document/document.ts'
import type { Task } from './task.ts'

type DocumentMetadata = {
  /** The first thing that is wrong with it. */
  readonly problem: DocumentProblem | undefined
  /** The words of its first heading, of those that may be a title. */
  readonly heading: string | undefined
}

export const documentMetadata: Task<{ readonly json: string }, DocumentMetadata> = ({ json }) => {
  const document: JSONDocument = JSON.parse(json)
  const [problem] = checkDocument(document)
  return { problem, heading: problem === undefined ? headingOf(document) : undefined }
}

// More than any title has.
const HEADING_CHARACTERS_MAX = 1_000

function headingOf({ nodes }: JSONDocument): string | undefined {
  const heading = nodes.find(({ type }) => type === 'heading-1')
  return heading && wordsOf(heading).slice(0, HEADING_CHARACTERS_MAX)
}

/** The text of a block; a document that was checked is nested to a bounded depth. */
function wordsOf(node: Node): string {
  if ('leaves' in node) return node.leaves.map(({ text }) => text).join('')
  const children: readonly Node[] = node.nodes ?? []
  return children.map(wordsOf).join('')
}

type Node = Block | NonNullable<Block['nodes']>[number]
