// Whether a submitted rich document is valid, and its title. It arrives as JSON text (rich-text.ts).
import { checkDocument, type DocumentProblem } from '../engines/markdown/document/check.ts'
import type { Block, JSONDocument } from '../engines/markdown/document/document.ts'
import type { Task } from './task.ts'

type DocumentMetadata = {
  /** The first problem in it. */
  readonly problem: DocumentProblem | undefined
  /** How many blocks it has. */
  readonly blocks: number
  /** The words of its first heading, if that may be a title. */
  readonly heading: string | undefined
}

export const documentMetadata: Task<{ readonly json: string }, DocumentMetadata> = ({ json }) => {
  const document: JSONDocument = JSON.parse(json)
  const [problem] = checkDocument(document)
  return {
    problem,
    blocks: document.nodes.length,
    heading: problem === undefined ? headingOf(document) : undefined,
  }
}

// Longer than any title.
const HEADING_CHARACTERS_MAX = 1_000

function headingOf({ nodes }: JSONDocument): string | undefined {
  const heading = nodes.find(({ type }) => type === 'heading-1')
  return heading && wordsOf(heading).slice(0, HEADING_CHARACTERS_MAX)
}

/** The text of a block; a checked document has bounded depth. */
function wordsOf(node: Node): string {
  if ('leaves' in node) return node.leaves.map(({ text }) => text).join('')
  const children: readonly Node[] = node.nodes ?? []
  return children.map(wordsOf).join('')
}

type Node = Block | NonNullable<Block['nodes']>[number]
