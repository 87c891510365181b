// A text as tokens, for comparing what two texts say: words separate from markup.
import { childrenOf, decodeReferences, type Image, type Node, type Position } from '../syntax/syntax.ts'

export type Tokens = {
  /** The tokens as they are written; together they are the text. */
  readonly all: readonly string[]
  /** Where each begins, and finally the length of the text. */
  readonly starts: readonly number[]
  /** The indexes of tokens that are read as words, and what each of them says. */
  readonly words: readonly number[]
  readonly said: readonly string[]
}

/** Escapes, references, words, line ends, white space in a line, and single characters; each ideograph is a word. */
const TOKEN =
  /\\[!-\/:-@\[-`\{-~]|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]]+|\r\n|[ \t]+|./gsv

/** `read` are the places in the text where words are read, in ascending order. */
export function tokensOf(text: string, read: readonly Position[]): Tokens {
  const all: string[] = []
  const starts: number[] = []
  const words: number[] = []
  const said: string[] = []
  let next = 0
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    while ((read[next]?.end ?? text.length) <= start) next++
    if ((read[next]?.start ?? text.length) <= start) {
      const meaning = decoded(token)
      if (meaning.trim() !== '') {
        words.push(all.length)
        said.push(meaning)
      }
    }
    all.push(token)
    starts.push(start)
  }
  starts.push(text.length)
  return { all, starts, words, said }
}

const decoded = (token: string): string =>
  token.length > 1 && token.startsWith('\\') ? token.slice(1) : decodeReferences(token)

const READ: ReadonlySet<Node['type']> = new Set(['text', 'inlineCode', 'inlineMath', 'code', 'math'])

/** Attributes that people read. */
const SEEN: readonly string[] = ['title', 'alt', 'description']

/** The places where words of these nodes are read in the source, relative to `from`, in ascending order. */
export function wordsIn(nodes: readonly Node[], source: string, from: number): Position[] {
  const found: Position[] = []
  const add = ({ start, end }: Position): void => {
    found.push({ start: start - from, end: end - from })
  }
  const visit = (node: Node): void => {
    if (READ.has(node.type)) add(node.position)
    else if (node.type === 'image') add(altOf(node, source))
    else if (node.type === 'tag' || node.type === 'element')
      for (const name of SEEN) if (node.ranges[name] !== undefined) add(node.ranges[name])
    for (const child of childrenOf(node)) visit(child)
  }
  for (const node of nodes) visit(node)
  return found.sort((one, other) => one.start - other.start)
}

/** The words between the brackets of an image. */
function altOf({ alt, position }: Image, source: string): Position {
  const start = position.start + 2
  const end = source.startsWith(alt, start) ? start + alt.length : source.lastIndexOf('](', position.end)
  return { start, end: Math.max(start, Math.min(end, position.end)) }
}
