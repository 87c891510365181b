// What a client does that reads a page as a document, changes one word and writes it back; and the measure of how much
// else of the page changes with it.
import { type JSONDocument, toDocument } from '../../../src/engines/markdown/document/document.ts'
import { renderOver } from '../../../src/engines/markdown/render/render.ts'
import { resolve, write } from './paths.ts'

/** A word that no page holds. */
const NEW_WORD = 'qzxqj'

export type WordEdit = {
  /** The types of the blocks and inlines around the word, from the outermost on. */
  readonly path: string
  readonly word: string
  readonly before: string
  readonly after: string
  /** `word`: nothing but this word; `space`: white space, its references and the spelling of `<` too. */
  readonly changed: 'word' | 'space' | 'more'
}

const WORD = /\p{Script=Han}{1,2}|[\p{L}\p{N}]+/gu

type Leaf = { text: string }
type Placed = { readonly leaf: Leaf; readonly path: string }

/** Changes one word of each leaf of a page that `isChosen` and says what came of it. */
export function* editWords(source: string, isChosen: (leaf: number) => boolean): Generator<WordEdit> {
  const options = { resolve, write, title: /^# (.*)$/m.exec(source)?.[1] ?? '' }
  const { document } = toDocument(source, options)
  const count = [...leavesOf(document.nodes, '')].length
  for (let number = 0; number < count; number++) {
    if (!isChosen(number)) continue
    const edited: JSONDocument = structuredClone(document)
    const { leaf, path } = [...leavesOf(edited.nodes, '')][number]!
    const word = changeWord(leaf)
    if (word === undefined) continue
    const after = renderOver(source, edited, options)
    yield { path, word, before: source, after, changed: changeOf(source, after, word) }
  }
}

/** The leaves of a document, each with the types of what holds it. */
function* leavesOf(value: unknown, path: string): Generator<Placed> {
  if (Array.isArray(value)) for (const one of value) yield* leavesOf(one, path)
  else if (typeof value === 'object' && value !== null) {
    const node = value as { readonly [name: string]: unknown }
    if (node.object === 'leaf') yield { leaf: value as Leaf, path }
    const isTyped = node.object === 'block' || node.object === 'inline'
    if (isAddress(node)) return
    const inside = isTyped ? `${path} ${node.type}`.trim() : path
    for (const held of [node.nodes, node.leaves, node.fragments]) yield* leavesOf(held, inside)
  }
}

/** A link whose words are its address is written with the address alone, and with other words no longer. */
function isAddress({ type, data, nodes }: { readonly [name: string]: unknown }): boolean {
  if (type !== 'link') return false
  const { url = '' } = (data as { ref: { url?: string } }).ref
  const words = [...leavesOf(nodes, '')].map(({ leaf }) => leaf.text).join('')
  return url === words || url === `mailto:${words}` || url === `http://${words}`
}

/** Changes the word in the middle of a leaf; undefined where it has none. */
function changeWord(leaf: Leaf): string | undefined {
  const words = [...leaf.text.matchAll(WORD)]
  const chosen = words[words.length >> 1]
  if (chosen === undefined) return undefined
  const [word] = chosen
  leaf.text = leaf.text.slice(0, chosen.index) + NEW_WORD + leaf.text.slice(chosen.index + word.length)
  return word
}

function changeOf(before: string, after: string, word: string): WordEdit['changed'] {
  if (isWordAlone(before, after, word)) return 'word'
  return isWordAlone(withoutSpelling(before), withoutSpelling(after), word) ? 'space' : 'more'
}

function isWordAlone(before: string, after: string, word: string): boolean {
  const at = after.indexOf(NEW_WORD)
  return at >= 0 && before === after.slice(0, at) + word + after.slice(at + NEW_WORD.length)
}

const withoutSpelling = (text: string): string =>
  text.replace(/\s+|&#x20;|&nbsp;|<br>/g, '').replaceAll('&lt;', '<')
