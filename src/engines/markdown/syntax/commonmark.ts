// The only file that knows which CommonMark parser is used. Any that gives mdast with UTF-16 offsets would do; a test
// compares this one with micromark on real pages.
import { characterEntities } from 'character-entities'
import type { Nodes, Root } from 'mdast'
import { markdownToMdast } from 'satteri'

/** The node that satteri adds to mdast's own. */
export type MathNode = {
  type: 'math' | 'inlineMath'
  value: string
  position?: Nodes['position']
}

export type CommonMarkNode = Nodes | MathNode

// A single dollar is a price more often than a formula, and GitBook writes formulas between two.
const FEATURES = { gfm: true, math: { singleDollarTextMath: false } }

/** CommonMark, GFM, frontmatter and `$$` formulas. Reads any string in linear time; the tree may be very deep. */
export function readCommonMark(source: string): Root {
  // Frontmatter is YAML between dashes; the parser would take TOML between plus signs too.
  const features = { ...FEATURES, frontmatter: source.startsWith('---') }
  // The parser drops a byte order mark without counting it; a word joiner is just as invisible and stays.
  const text = source.startsWith('\ufeff') ? `\u2060${source.slice(1)}` : source
  // The library declares a plain node: it is the root of a document.
  return markdownToMdast(text, { features }) as Root
}

const ENTITIES = new Map(Object.entries(characterEntities))

/** CommonMark 0.31.2, §2.5; does not check that a name is known. */
export const CHARACTER_REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g

/** Text with its character references (`&amp;`, `&#x26;`, `&hellip;`) replaced; unknown ones stay. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(CHARACTER_REFERENCE, (reference, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? reference
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10)
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
      ? '\ufffd'
      : String.fromCodePoint(code)
  })
}

// Many character references (`&amp;`) make the parser take too much memory: for each one it copies the text before it,
// back to the last node that is not text. In version 0.10.5, 40,000 of them in 240 KB took 5.8 GB.
//
// If a document has more of them than people write, each is replaced by a name of the same length that HTML does not
// know. The parser leaves it as it is, and in emphasis and addresses treats it like the reference: letters between `&`
// and `;`. The tree gets the meaning of the reference.

// Copied characters; each takes about four bytes.
const COPIED_MAX = 16_000_000

const REFERENCE_OR_BLANK_LINE = /&(?:#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});|\n[ \t\r]*(?=\n)/g
// Or an escaped character, which does not begin a reference.
const REFERENCE_OR_ESCAPE = /\\[!-/:-@[-`{-~]|&(#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/g
// An address in a line may end with the name and leave the `;` out.
const NAME = /&(#?[a-z]+)(;?)/g
// Neither a digit nor an `x`, which mean something after `#`.
const LETTERS = 'bcdfghjklmnpqrstvwz'

export type HiddenReferences = {
  /** As long as the source. */
  readonly text: string
  /** Text that the parser made from `text`, with the references as they were written. */
  readonly restore: (value: string) => string
  /** The same with what the references mean. */
  readonly decode: (value: string) => string
}

export function hideCostlyReferences(source: string): HiddenReferences {
  const asItIs = (value: string) => value
  if (!areCostly(source)) return { text: source, restore: asItIs, decode: asItIs }
  const nameOf = namesBeside(source)
  const hidden = new Map<string, string>()
  const written = new Map<string, string>()
  const text = source.replace(REFERENCE_OR_ESCAPE, (reference, name) => {
    if (name === undefined) return reference
    const known = hidden.get(reference)
    if (known !== undefined) return known
    const standIn = decodeReferences(reference) === reference ? name : nameOf(name)
    hidden.set(reference, `&${standIn};`)
    if (standIn !== name) written.set(standIn, name)
    return `&${standIn};`
  })
  const replace = (value: string, meaning: (reference: string) => string): string =>
    value.replace(NAME, (found, name, end) => {
      const original = written.get(name)
      return original === undefined ? found : meaning(`&${original}${end}`)
    })
  return { text, restore: value => replace(value, asItIs), decode: value => replace(value, decodeReferences) }
}

function areCostly(source: string): boolean {
  if (!source.includes('&')) return false
  let copied = 0
  let start = 0
  for (const { 0: found, index } of source.matchAll(REFERENCE_OR_BLANK_LINE)) {
    if (found.startsWith('\n')) start = index
    else copied += index - start
    if (copied > COPIED_MAX) return true
  }
  return false
}

/** Makes unique names that are as long as a given one and unknown to HTML. */
function namesBeside(source: string): (name: string) => string {
  const taken = new Set(source.match(/(?<![A-Za-z0-9#])[A-Za-z0-9#]+(?=;)/g))
  const counts = new Map<string, number>()
  return name => {
    const sign = name.startsWith('#') ? '#' : ''
    const length = name.length - sign.length
    const kind = `${sign}${length}`
    for (;;) {
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const free = `${sign}${spell(count, length)}`
      // a hostile page can hold every name
      const isFree = !taken.has(free) || count > LETTERS.length ** length / 2
      if (isFree && decodeReferences(`&${free};`) === `&${free};`) return free
    }
  }
}

function spell(count: number, length: number): string {
  let letters = ''
  for (let rest = count; letters.length < length; rest = Math.floor(rest / LETTERS.length))
    letters += LETTERS[rest % LETTERS.length]
  return letters
}
