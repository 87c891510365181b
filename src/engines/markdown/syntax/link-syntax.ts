// Finds where the destination of a Markdown link stands in its source, so that it can be replaced byte for byte. The
// tree says where a link begins and ends; what is between is read here by CommonMark's rules for inline links.
import type { Definition, Image, Link, Position } from './ast.ts'

/**
 * The range of the destination inside `[text](destination "title")`, `![alt](…)`, `<https://…>` or a bare address:
 * without angle brackets, as it was written. Undefined where it cannot be told, as in a quote when the destination
 * stands on a line of its own.
 */
export function destinationOf(source: string, node: Link | Image): Position | undefined {
  const { start, end } = node.position
  const isImage = node.type === 'image'
  if (!isImage && source[start] !== '[') return autolink(source, node)
  const from = node.type === 'link' ? (node.children.at(-1)?.position.end ?? start + 1) : start + 2
  let plain: Position | undefined
  for (let at = source.indexOf('](', from); at !== -1 && at < end; at = source.indexOf('](', at + 1)) {
    const found = readTarget(source, at + 2, end)
    if (found?.next === end - 1 && source[end - 1] === ')') return found.destination
    // In a quote the title may stand behind the mark of the next line.
    if (found && source.slice(found.destination.start, found.destination.end) === node.url)
      plain ??= found.destination
  }
  return plain
}

/** The range of the destination in `[label]: destination "title"`. */
export function definitionDestination(source: string, node: Definition): Position | undefined {
  const { start, end } = node.position
  for (let at = start + 1; at < end; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === ']' && source[at + 1] === ':') return readTarget(source, at + 2, end)?.destination
  }
  return undefined
}

function autolink(source: string, { position }: Link): Position {
  const isBracketed = source[position.start] === '<' && source[position.end - 1] === '>'
  return isBracketed ? { start: position.start + 1, end: position.end - 1 } : position
}

/** Reads a destination and a title from `at`; `next` is where the closing parenthesis is due. */
function readTarget(
  source: string,
  at: number,
  end: number,
): { destination: Position; next: number } | undefined {
  const start = skipBlank(source, at, end)
  const destination = source[start] === '<' ? bracketed(source, start, end) : bare(source, start, end)
  if (!destination) return undefined
  const after = source[start] === '<' ? destination.end + 1 : destination.end
  const title = skipBlank(source, after, end)
  const next = title > after ? skipTitle(source, title, end) : title
  return { destination, next: skipBlank(source, next, end) }
}

function skipBlank(source: string, at: number, end: number): number {
  let next = at
  while (next < end && /[ \t\r\n]/.test(source[next]!)) next++
  return next
}

function bracketed(source: string, start: number, end: number): Position | undefined {
  for (let at = start + 1; at < end; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '>') return { start: start + 1, end: at }
    else if (char === '<' || char === '\n' || char === '\r') return undefined
  }
  return undefined
}

function bare(source: string, start: number, end: number): Position {
  let depth = 0
  let at = start
  for (; at < end; at++) {
    const char = source[at]!
    if (char === '\\' && at + 1 < end && !/\s/.test(source[at + 1]!)) at++
    else if (/[ \t\r\n]/.test(char)) break
    else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) break
  }
  return { start, end: Math.min(at, end) }
}

function skipTitle(source: string, start: number, end: number): number {
  const close = { '"': '"', "'": "'", '(': ')' }[source[start] ?? '']
  if (!close) return start
  for (let at = start + 1; at < end; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === close) return at + 1
  }
  return start
}
