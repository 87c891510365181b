// The YAML at the head of a page.
import { LRUCache } from 'lru-cache'
import { isScalar } from 'yaml'
import { isObject } from '../../../base/objects.ts'
import type { Position } from './ast.ts'
import { matchAt } from './sticky.ts'
import { parseYaml, parseYamlDocument, type YamlProblem } from './yaml.ts'

/** Forty times what people write. */
export const FRONTMATTER_CHARACTERS_MAX = 10_000
/** A hundred times what people write. The costliest YAML with this many takes 10 ms to parse. */
export const FRONTMATTER_MARKS_MAX = 2_500
export const FRONTMATTER_BOUNDS = {
  charactersMax: FRONTMATTER_CHARACTERS_MAX,
  marksMax: FRONTMATTER_MARKS_MAX,
} as const

export type Frontmatter = {
  /** Empty where there is no frontmatter, or none that can be read. */
  readonly data: Readonly<Record<string, unknown>>
  readonly problems: readonly YamlProblem[]
  /** The offset after the closing line, in UTF-16 code units; 0 without frontmatter. */
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

// One edit reads the frontmatter of the same text several times.
const kept = new LRUCache<string, Frontmatter>({ max: 20 })

function readHead(source: string, found: NonNullable<ReturnType<typeof findFrontmatter>>): Frontmatter {
  const { value, problems } = parseYaml(source.slice(found.start, found.end), FRONTMATTER_BOUNDS)
  const inFile = problems.map(problem =>
    problem.line === undefined ? problem : { ...problem, line: problem.line + 1 },
  )
  if (!isObject(value) && value !== undefined && value !== null)
    inFile.push({
      code: 'frontmatter_not_a_map',
      message: 'Frontmatter is keys with values, such as `title: Setup`.',
    })
  return { data: isObject(value) ? value : {}, problems: inFile, bodyStart: found.bodyStart }
}

/**
 * The range of a top-level key's value in the source, without its quotes. Undefined where the key is absent or its
 * value is not written as it reads (escapes, folded lines), so that it cannot be replaced in place.
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

const OPENING = /\ufeff?---[ \t]*(?:\r\n|\n|\r|$)/y
const CLOSING = /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/g

/** The text between a first line of `---` and the next such line or one of `...`, as the parser finds it. */
export function findFrontmatter(
  source: string,
): { start: number; end: number; bodyStart: number } | undefined {
  const start = matchAt(OPENING, source, 0)?.[0].length
  const closing = start === undefined ? null : matchAt(CLOSING, source, start)
  if (start === undefined || !closing) return undefined
  return { start, end: closing.index, bodyStart: closing.index + closing[0].length }
}
