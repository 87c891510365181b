// Replaces destinations in place, in the notation of each place, and removes references from a text.
import { type MarkdownReference, placedReferences } from '../page/page.ts'
import { htmlText, htmlValue, labelText, markdownDestination, plainWords } from '../render/render.ts'
import {
  blockSignAt,
  childrenOf,
  type Element,
  inOneLine,
  type Link,
  type Node,
  type Position,
  parseFrontmatter,
  parseMarkdown,
  type Root,
  type Tag,
} from '../syntax/syntax.ts'
import { applyEdits, type Edit } from './edits.ts'
import { setFrontmatter } from './frontmatter-edits.ts'

/**
 * Replaces destinations of references at their exact places, in the syntax of each place. `rewrite` returns the new
 * destination, null to turn the reference into its plain words (a picture into its alternative text, a block that is
 * nothing without its target into the words between its tags or nothing), or undefined to leave it. A destination
 * whose place is not known is left alone.
 */
export function rewriteReferences(
  source: string,
  rewrite: (reference: MarkdownReference) => string | null | undefined,
): string {
  const covers: [MarkdownReference, string | null][] = []
  const edits = referenceEdits(source, parseMarkdown(source), rewrite, (cover, answer) =>
    covers.push([cover, answer]),
  )
  const edited = applyEdits(source, edits)
  return covers.reduce((text, [cover, answer]) => withCover(text, cover, answer), edited)
}

/** The same as edits of a text that was already read; `takeCover` gets references outside the body. */
export function referenceEdits(
  source: string,
  root: Root,
  rewrite: (reference: MarkdownReference) => string | null | undefined,
  takeCover: (cover: MarkdownReference, answer: string | null) => void,
): Edit[] {
  const edits: Edit[] = []
  /** Links that share a definition share its place: the first of them decides. */
  const seen = new Set<number>()
  for (const { reference, node } of placedReferences(source, root)) {
    const answer = rewrite(reference)
    if (answer === undefined || answer === reference.destination) continue
    if (node === undefined) takeCover(reference, answer)
    else if (answer === null) for (const edit of removal(source, reference, node)) edits.push(edit)
    else if (reference.isExact && !seen.has(reference.start)) {
      seen.add(reference.start)
      edits.push(replacement(source, reference, node, answer))
    }
  }
  return edits
}

// ---- another destination ---------------------------------------------------------------------------------

function replacement(source: string, reference: MarkdownReference, node: Node, destination: string): Edit {
  const { start, end, syntax } = reference
  const before = source[start - 1]
  const line = inOneLine(destination).trim()
  if (syntax === 'tag') return { start, end, text: tagDestination(line, before) }
  if (syntax === 'html') {
    if (before === '"' || before === "'") return { start, end, text: htmlValue(unpiped(line), before) }
    return { start, end, text: `"${htmlValue(unpiped(line), '"')}"` }
  }
  const written = markdownDestination(unpiped(line))
  if (isAutolink(source, node))
    return { ...node.position, text: `[${labelText(reference.text)}](${written})` }
  const isBracketed = before === '<' && source[end] === '>'
  return isBracketed ? { start: start - 1, end: end + 1, text: written } : { start, end, text: written }
}

/** In a table, a pipe would end the cell, in Markdown and in HTML alike. */
const unpiped = (destination: string): string => inPerCent(destination, /\|/g)

/** Percent-encodes characters, which is also valid in a path; a literal `%` is then encoded too. */
function inPerCent(destination: string, signs: RegExp): string {
  if (destination.search(signs) === -1) return destination
  const encode = (sign: string): string => (sign === "'" ? '%27' : encodeURIComponent(sign))
  return destination.replace(/%(?![0-9a-fA-F]{2})/g, '%25').replace(signs, encode)
}

const isAutolink = (source: string, node: Node): node is Link =>
  node.type === 'link' && source[node.position.start] !== '['

/** A tag has no character references: what would end the value or the tag is percent-encoded. */
function tagDestination(destination: string, quote: string | undefined): string {
  const encoded = inPerCent(destination, /["“”\\]|\{(?=%)|(?<=%)\}/g)
  if (quote === "'") return inPerCent(encoded, /'/g)
  return quote !== undefined && '"“”'.includes(quote) ? encoded : `"${encoded}"`
}

// ---- a cover ---------------------------------------------------------------------------------------------

function withCover(source: string, { destination }: MarkdownReference, answer: string | null): string {
  const { cover, coverDark } = parseFrontmatter(source).data
  const value = answer ?? undefined
  if (cover === destination) return setFrontmatter(source, { cover: value })
  if (coverDark === destination) return setFrontmatter(source, { coverDark: value })
  if (typeof cover !== 'object' || cover === null) return source
  const sides = Object.entries(cover).flatMap(([side, path]) =>
    path !== destination ? [[side, path]] : value === undefined ? [] : [[side, value]],
  )
  return setFrontmatter(source, { cover: sides.length === 0 ? undefined : Object.fromEntries(sides) })
}

// ---- its words alone -------------------------------------------------------------------------------------

function removal(source: string, reference: MarkdownReference, node: Node): Edit[] {
  switch (node.type) {
    case 'image':
      return [{ ...node.position, text: labelText(node.alt) }]
    case 'link':
      return linkRemoval(source, reference, node)
    case 'definition':
      return [{ ...wholeLines(source, node.position), text: '' }]
    case 'tag':
      return tagRemoval(source, reference, node)
    case 'element':
      return elementRemoval(source, reference, node)
    default:
      return []
  }
}

function linkRemoval(source: string, { kind, text }: MarkdownReference, node: Link): Edit[] {
  // Between the tags of a reference, a link only repeats its destination.
  if (kind === 'content-ref' || kind === 'openapi') return [{ ...node.position, text: '' }]
  if (isAutolink(source, node)) return [{ ...node.position, text: plainWords(text) }]
  return unwrapped(source, node)
}

/** Removes the markup around a node's children; words at the start of a line stay words. */
function unwrapped(source: string, node: Node): Edit[] {
  const { start, end } = node.position
  const children = childrenOf(node)
  const [first, last] = [children[0], children.at(-1)]
  if (first === undefined || last === undefined) return [{ start, end, text: '' }]
  const from = Math.max(start, first.position.start)
  const to = Math.min(end, last.position.end)
  const sign =
    first.type === 'text' && isLineStart(source, start) ? blockSignAt(source.slice(from, to)) : undefined
  return [
    { start, end: from, text: '' },
    ...(sign === undefined ? [] : [{ start: from + sign, end: from + sign, text: '\\' }]),
    { start: to, end, text: '' },
  ]
}

const CONTAINER_MARK = /[\s>*+\d.)-]/

/**
 * Whether only marks of containers precede a place on its line. Looks back only as far as they reach: a text may have a
 * hundred thousand links, and its lines may be as long as the text.
 */
export function isLineStart(source: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    const sign = source.charAt(before)
    if (sign === '\n' || sign === '\r') return true
    if (!CONTAINER_MARK.test(sign)) return false
  }
  return true
}

/** A tag that holds more than its destination again leaves the words; of other tags only the attribute is removed. */
function tagRemoval(source: string, { start, end, isExact }: MarkdownReference, node: Tag): Edit[] {
  if (node.name.startsWith('@')) return isExact ? [attribute(source, start, end)] : []
  const shown = node.children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  const [only, ...others] = shown
  const [word, ...more] = only?.type === 'paragraph' ? only.children : shown
  const isRepeated = others.length === 0 && more.length === 0 && word?.type === 'link'
  if (shown.length > 0 && !isRepeated) return unwrapped(source, node)
  return [{ ...(node.isInline ? node.position : wholeLines(source, node.position)), text: '' }]
}

/** An attribute with its name, its quotes and the space before it. */
function attribute(source: string, start: number, end: number): Edit {
  const isQuoted = /["'“”]/.test(source[start - 1] ?? '')
  let from = isQuoted ? start - 1 : start
  for (const signs of [/[\s=]/, /[\w.:-]/, /[ \t]/]) while (signs.test(source.charAt(from - 1))) from--
  return { start: from, end: isQuoted ? end + 1 : end, text: '' }
}

function elementRemoval(
  source: string,
  { kind, start, end, text }: MarkdownReference,
  node: Element,
): Edit[] {
  if (node.name === 'a') {
    // In a column of pages, files or pictures, the words of a link are the name of its target.
    return kind === 'link' || kind === 'mention' ? unwrapped(source, node) : [{ ...node.position, text: '' }]
  }
  if (node.name === 'img') return [{ ...node.position, text: neutralWords(text) }]
  if (node.name === 'source') return [{ ...node.position, text: '' }]
  if (kind === 'image') return [attribute(source, start, end)]
  return unwrapped(source, node)
}

/** Words that mean themselves in both HTML and Markdown. */
export const neutralWords = (words: string): string =>
  htmlText(inOneLine(words)).replace(/[*_`[\]\\~$|]/g, sign => `&#${sign.charCodeAt(0)};`)

/** The lines that a block takes, with the line end after them, if nothing else is on them. */
export function wholeLines(source: string, { start, end }: Position): Position {
  if (!/^[\r\n]?$/.test(source.charAt(start - 1))) return { start, end }
  const rest = /^[ \t]*(?:\r\n|\n|\r)/.exec(source.slice(end, end + 100))
  return { start, end: end + (rest?.[0].length ?? 0) }
}
