// Finds the destination of a Markdown link in its source, so that it can be replaced byte for byte. The tree gives the
// range of the link; inside it CommonMark's rules for inline links apply.
import type { Definition, Image, Link, Position } from './ast.ts'
import { matchAt } from './sticky.ts'

/**
 * The range of the destination inside `[text](destination "title")`, `![alt](…)`, `<https://…>` or a bare address:
 * without angle brackets, as it was written. Undefined where it cannot be found, as in a quote when the destination is
 * on a line of its own.
 */
export function destinationOf(source: string, node: Link | Image): Position | undefined {
  const { start, end } = node.position
  const text = source.slice(start, end)
  if (node.type === 'link' && !text.startsWith('[')) {
    const isBracketed = text.startsWith('<') && text.endsWith('>')
    return isBracketed ? { start: start + 1, end: end - 1 } : node.position
  }
  const words = node.type === 'link' ? node.children.at(-1) : undefined
  const from = words ? words.position.end - start : node.type === 'link' ? 1 : 2
  let plain: Position | undefined
  for (let at = text.indexOf('](', from); at !== -1; at = text.indexOf('](', at + 1)) {
    const found = readTarget(text, at + 2)
    if (!found) continue
    const range = { start: start + found.start, end: start + found.end }
    if (found.next === text.length - 1 && text.endsWith(')')) return range
    // In a quote the title may follow the mark of the next line.
    if (source.slice(range.start, range.end) === node.url) plain ??= range
  }
  return plain
}

const LABEL = /^.(?:\\.|[^\\\]]|\](?!:))*\]:/s

/** The range of the destination in `[label]: destination "title"`. */
export function definitionDestination(source: string, { position }: Definition): Position | undefined {
  const text = source.slice(position.start, position.end)
  const label = LABEL.exec(text)?.[0]
  const found = label === undefined ? undefined : readTarget(text, label.length)
  return found && { start: position.start + found.start, end: position.start + found.end }
}

const BLANK = /[ \t\r\n]*/y
const BRACKETED = /<(?:\\.|[^\\<>\r\n])*>/sy
const TITLE = /"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\)])*\)/sy

/** Reads a destination and a title from `at`; `next` is where the closing parenthesis must be. */
function readTarget(text: string, at: number): (Position & { readonly next: number }) | undefined {
  const skip = (pattern: RegExp, from: number): number =>
    from + (matchAt(pattern, text, from)?.[0].length ?? 0)
  const from = skip(BLANK, at)
  const isBracketed = text[from] === '<'
  const after = isBracketed ? skip(BRACKETED, from) : endOfBare(text, from)
  if (isBracketed && after === from) return undefined
  const title = skip(BLANK, after)
  const next = skip(BLANK, title > after ? skip(TITLE, title) : title)
  return isBracketed ? { start: from + 1, end: after - 1, next } : { start: from, end: after, next }
}

/** The end of a destination without angle brackets, in which parentheses are balanced. */
function endOfBare(text: string, start: number): number {
  let depth = 0
  for (const { 0: found, index } of text.slice(start).matchAll(/\\\S|[ \t\r\n()]/g)) {
    if (found === '(') depth++
    else if (found === ')' ? depth-- === 0 : found.length === 1) return start + index
  }
  return text.length
}
