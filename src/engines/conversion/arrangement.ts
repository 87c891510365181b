// How the files of a folder are arranged: which are pages, where they go, and in which order they are read.
import { folderOf, nameOf, resolvePath } from '../../base/paths.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import { type Range, textLines } from './lines.ts'

/** What could not be carried over. `message` is for people, in English; the rest says it in another language. */
export type Note = {
  readonly file?: string
  /** Stable. */
  readonly reason: string
  readonly message: string
  readonly name?: string
  readonly max?: number
}

/** Text files by their path from the top of the import. */
export type Sources = ReadonlyMap<string, string>

export type Entry = {
  /** Plain words. */
  readonly title: string
  /** The new path of its page; absent for a group of others. */
  readonly path?: string
  /** An external address, instead of a page. */
  readonly url?: string
  readonly children: readonly Entry[]
}

export type Arrangement = {
  readonly entries: readonly Entry[]
  /** The new path of each file, page or not, by its old path. Other files are left out. */
  readonly paths: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/** What the formats need of other engines. */
export type Tools = {
  /** The value of a YAML text within its bounds; undefined if it cannot be read. */
  readonly parseYaml: (text: string) => unknown
  readonly parseFrontmatter: (text: string) => {
    readonly data: Readonly<Record<string, unknown>>
    /** Where the text after it begins. */
    readonly bodyStart: number
  }
  /** The ranges of code in a Markdown text: spans and blocks, in order. */
  readonly codeIn: (text: string) => readonly Range[]
  /** The ranges of a Markdown text that hold no words: code, formulas, tags, pictures and destinations, in order. */
  readonly wordlessIn: (text: string) => readonly Range[]
  /** The text with its destinations replaced; undefined leaves one as it is. */
  readonly rewriteLinks: (text: string, to: (destination: string) => string | undefined) => string
  /** The text of a line of Markdown, without its markup. */
  readonly plainLine: (markdown: string) => string
  /** These words as Markdown, in a line and between the brackets of a link. */
  readonly writeLine: (words: string) => string
  readonly writeLabel: (words: string) => string
  /** Lines of plain words as a cell between pipes; all of it is a link if there is a destination. */
  readonly writeCell: (lines: readonly string[], destination: string | undefined) => string
  /** A name for an address: small letters, digits and dashes. */
  readonly slugify: (text: string) => string
}

/** How one format is read. */
export interface Converter {
  arrange(sources: Sources, others: readonly string[], tools: Tools): Arrangement
  /** The GitBook Markdown of a page. `to`: the new path of a file, if it is imported. */
  convert(page: Page, tools: Tools): Converted
}

export type Page = {
  readonly path: string
  readonly text: string
  readonly title: string | undefined
  readonly to: ReadonlyMap<string, string>
}

export type Converted = { readonly text: string; readonly notes: readonly Note[] }

/** The title of a Markdown page: its frontmatter, which `wordsOf` reads, or else its first heading. */
export function titleOfPage(
  text: string,
  tools: Tools,
  wordsOf: (title: string) => string,
): string | undefined {
  const { data, bodyStart } = tools.parseFrontmatter(text)
  if (typeof data.title === 'string' && data.title !== '') return wordsOf(data.title)
  return firstHeading(text.slice(bodyStart), tools)
}

const HEADING = /^#[ \t]/
/** `{#id}` and other attributes after a heading. */
const ATTRIBUTES = /\{:?[ \t]*[#.][^{}]*\}[ \t]*$/

/** Of a page of pictures alone, which have no words. */
const HEADINGS_READ_MAX = 20

/** The text of the first heading that has words and is not in code. */
export function firstHeading(text: string, { plainLine }: Pick<Tools, 'plainLine'>): string | undefined {
  let left = HEADINGS_READ_MAX
  for (const line of headingLines(text)) {
    const words = plainLine(line.replace(HEADING, '').replace(ATTRIBUTES, ''))
    left -= 1
    if (words !== '' || left === 0) return words || undefined
  }
  return undefined
}

/** Whether a page has a heading outside of its code, with words or not. */
export const hasHeading = (text: string): boolean => headingLines(text).next().done === false

function* headingLines(text: string): Generator<string> {
  for (const { line, isCode } of textLines(text)) if (!isCode && HEADING.test(line)) yield line
}

/** `02-getting_started.md` is titled `Getting started`. */
export function titleOfName(path: string): string {
  const name = nameOf(path)
    .replace(/\.[a-z]+$/i, '')
    .replace(/^\d+[-_. ]+/, '')
  const words = name.replaceAll(/[-_]+/g, ' ').trim()
  return words === '' ? name : words[0]?.toUpperCase() + words.slice(1)
}

/** New paths, each used once: `wanted` is called with 1, then with the next numbers while its path is taken. */
export class Paths {
  readonly given = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** How often a path was wanted. */
  readonly #counts = new Map<string, number>()

  claim(from: string, wanted: (count: number) => string): string {
    const first = wanted(1)
    for (let count = (this.#counts.get(first) ?? 0) + 1; ; count++) {
      const to = wanted(count)
      if (this.#taken.has(to)) continue
      this.#counts.set(first, count)
      this.#taken.add(to)
      this.given.set(from, to)
      return to
    }
  }
}

/** The relative link from a page to another file. */
export function relativePath(from: string, to: string): string {
  const own = folderOf(from) === '' ? [] : folderOf(from).split('/')
  const other = to.split('/')
  let same = 0
  while (same < own.length && same < other.length - 1 && own[same] === other[same]) same++
  const path = [...Array<string>(own.length - same).fill('..'), ...other.slice(same)]
  return path.map(part => part.replaceAll(/[\s()<>%#?]/g, encodeURIComponent)).join('/')
}

/**
 * Where a destination leads from a page, with its anchor; undefined for external addresses and missing files.
 * `candidates` are the paths that a written path may mean, the likeliest first.
 */
export function followLink(
  { path, to }: Pick<Page, 'path' | 'to'>,
  destination: string,
  candidates: (path: string) => readonly string[],
): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(destination)) return undefined
  const rest = destination.search(/[?#]/)
  const written = rest === -1 ? destination : destination.slice(0, rest)
  const anchor = rest === -1 ? '' : destination.slice(destination.indexOf('#', rest))
  for (const spelling of new Set([written, percentDecode(written)])) {
    const found = resolvePath(folderOf(path), spelling)
    const [target] = found === undefined ? [] : candidates(found).flatMap(one => to.get(one) ?? [])
    if (target !== undefined)
      return relativePath(to.get(path) ?? path, target) + (anchor.startsWith('#') ? anchor : '')
  }
  return undefined
}
