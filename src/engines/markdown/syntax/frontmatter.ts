// The YAML at the head of a page, and what GitBook means by its keys.
import { LRUCache } from 'lru-cache'
import { isScalar } from 'yaml'
import type { Position } from './ast.ts'
import { parseYaml, parseYamlDocument, type YamlProblem } from './yaml.ts'

/** Forty times what people write. */
export const FRONTMATTER_CHARACTERS_MAX = 10_000
/** A hundred times what people write. The costliest YAML with so many takes the parser 10 ms. */
export const FRONTMATTER_MARKS_MAX = 2_500
export const FRONTMATTER_BOUNDS = {
  charactersMax: FRONTMATTER_CHARACTERS_MAX,
  marksMax: FRONTMATTER_MARKS_MAX,
} as const

export type Frontmatter = {
  /** Empty where there is no frontmatter, or none that can be read. */
  readonly data: Readonly<Record<string, unknown>>
  readonly problems: readonly YamlProblem[]
  /** Where the page begins after the closing line, in UTF-16 code units; 0 without frontmatter. */
  readonly bodyStart: number
}

/** Reads the frontmatter of any text; lines of problems count from the first line of the file. */
export function parseFrontmatter(source: string): Frontmatter {
  const found = findFrontmatter(source)
  if (!found) return { data: {}, problems: [], bodyStart: 0 }
  const head = source.slice(0, found.bodyStart)
  const read = kept.get(head) ?? readHead(source, found)
  kept.set(head, read)
  return read
}

// One edit asks for the frontmatter of the same text several times.
const kept = new LRUCache<string, Frontmatter>({ max: 20 })

function readHead(source: string, found: NonNullable<ReturnType<typeof findFrontmatter>>): Frontmatter {
  const { value, problems } = parseYaml(source.slice(found.start, found.end), FRONTMATTER_BOUNDS)
  const inFile = problems.map(problem =>
    problem.line === undefined ? problem : { ...problem, line: problem.line + 1 },
  )
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap && value !== undefined && value !== null)
    inFile.push({
      code: 'frontmatter_not_a_map',
      message: 'Frontmatter is keys with values, such as `title: Setup`.',
    })
  return {
    data: isMap ? (value as Record<string, unknown>) : {},
    problems: inFile,
    bodyStart: found.bodyStart,
  }
}

/**
 * Where the value of a top-level key stands in the source, without its quotes. Undefined where the key is absent or
 * its value is not written as it reads (escapes, folded lines), so that it cannot be replaced in place.
 */
export function frontmatterRange(source: string, key: string): Position | undefined {
  const found = findFrontmatter(source)
  if (!found) return undefined
  const { document } = parseYamlDocument(source.slice(found.start, found.end), FRONTMATTER_BOUNDS)
  const node = document?.get(key, true)
  if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return undefined
  const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0
  const range = { start: found.start + node.range[0] + quotes, end: found.start + node.range[1] - quotes }
  return source.slice(range.start, range.end) === node.value ? range : undefined
}

/** The text between a first line of `---` and the next such line or one of `...`, as the parser finds it. */
export function findFrontmatter(
  source: string,
): { start: number; end: number; bodyStart: number } | undefined {
  const from = source.startsWith('\ufeff') ? 1 : 0
  if (!source.startsWith('---', from)) return undefined
  const opening = /---[ \t]*(?:\r\n|\n|\r|$)/y
  opening.lastIndex = from
  if (!opening.test(source)) return undefined
  const start = opening.lastIndex
  const fence = /(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/y
  for (let at = start; at < source.length; at = nextLine(source, at)) {
    fence.lastIndex = at
    if (fence.test(source)) return { start, end: at, bodyStart: fence.lastIndex }
  }
  return undefined
}

function nextLine(source: string, at: number): number {
  let end = at
  while (end < source.length && source[end] !== '\n' && source[end] !== '\r') end++
  return source.startsWith('\r\n', end) ? end + 2 : end + 1
}
