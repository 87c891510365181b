// The only file that knows which CommonMark parser is used. Any that gives mdast with UTF-16 offsets would do; a test
// compares this one with micromark on real pages.
import { characterEntities } from 'character-entities'
import type { Nodes, Root } from 'mdast'
import { markdownToMdast } from 'satteri'

/** What satteri adds to mdast's own nodes. */
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
  // A byte order mark would be taken off without being counted; a word joiner is as invisible and stays.
  const text = source.startsWith('\ufeff') ? `\u2060${source.slice(1)}` : source
  return markdownToMdast(text, { features }) as Root
}

const ENTITIES = new Map(Object.entries(characterEntities))

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g

/** Text with its character references (`&amp;`, `&#x26;`, `&hellip;`) replaced; unknown ones stay. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (reference, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? reference
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10)
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
      ? '\ufffd'
      : String.fromCodePoint(code)
  })
}
