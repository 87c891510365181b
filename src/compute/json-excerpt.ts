// Extracts what is wanted from the JSON of a long answer: in a thread, in time proportional to the whole answer, with
// a short result.
import type { Task } from './task.ts'

/** The part that is wanted. */
export type Excerpt =
  /** The whole value, with strings cut once they exceed this many characters together. */
  | { readonly kind: 'value'; readonly charactersMax: number; readonly without: readonly string[] }
  /** Pages of a tree, in navigation order: those of the given types, from an index on. */
  | ({ readonly kind: 'pages'; readonly types: readonly string[]; readonly which: Which } & TextRange)
  /** A page without the pages below it, with its Markdown from a character on. */
  | ({ readonly kind: 'page' } & TextRange)

/** `listed`: without hidden pages and the pages below them, and without pages that programs are asked to leave out. */
type Which = 'all' | 'listed'
type TextRange = { readonly from: number; readonly max: number }

/** A page of a tree. */
export type ListedPage = {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly path?: string
  readonly description?: string
  /** 0 at the top. */
  readonly level: number
}
/** `count`: of all pages of the given types. */
export type PagesExcerpt = { readonly pages: readonly ListedPage[]; readonly count: number }
/** `length`: of the whole Markdown. */
export type PageExcerpt = {
  readonly page: Readonly<Record<string, unknown>>
  readonly markdown: string
  readonly length: number
}

type ExcerptInput = { readonly bytes: Uint8Array<ArrayBuffer>; readonly excerpt: Excerpt }

export const jsonExcerpt: Task<ExcerptInput, unknown> = ({ bytes, excerpt }) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return excerptOf(JSON.parse(text), excerpt)
}

/** The same for an already parsed answer. The kind of the excerpt tells the caller which answer of the API it is. */
export function excerptOf(value: unknown, excerpt: Excerpt): unknown {
  switch (excerpt.kind) {
    case 'value':
      return new Shortening(excerpt).of(value)
    case 'pages':
      return pagesOf(value as { pages: Tree }, excerpt)
    case 'page':
      return pageOf(value as { markdown?: string; pages?: unknown }, excerpt)
  }
}

type TreePage = ListedPage & {
  readonly pages?: Tree
  readonly hidden?: boolean
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
}
type Tree = readonly TreePage[]

function pagesOf(
  { pages }: { readonly pages: Tree },
  { types, which, from, max }: TextRange & { types: readonly string[]; which: Which },
) {
  const isLeftOut = ({ noIndex, noRobotsIndex }: TreePage): boolean =>
    which === 'listed' && (noIndex === true || noRobotsIndex === true)
  const shown: ListedPage[] = []
  let count = 0
  const add = (siblings: Tree, level: number): void => {
    for (const page of siblings) {
      const { id, title, type, path, description, pages: below = [] } = page
      if (which === 'listed' && page.hidden === true) continue
      if (types.includes(type) && !isLeftOut(page)) {
        if (count >= from && count < from + max)
          shown.push({
            ...{ id, title, type, level },
            ...(path === undefined ? {} : { path }),
            ...(description === undefined ? {} : { description }),
          })
        count += 1
      }
      add(below, level + 1)
    }
  }
  add(pages, 0)
  return { pages: shown, count } satisfies PagesExcerpt
}

function pageOf(
  { markdown = '', pages: _, ...page }: { markdown?: string; pages?: unknown },
  { from, max }: TextRange,
) {
  return {
    page,
    markdown: wholeCharacters(markdown.slice(from, from + max)),
    length: markdown.length,
  } satisfies PageExcerpt
}

/** Half of a character at the end is left to the next piece. */
const wholeCharacters = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)

class Shortening {
  #charactersLeft: number
  readonly #without: ReadonlySet<string>

  constructor({ charactersMax, without }: { charactersMax: number; without: readonly string[] }) {
    this.#charactersLeft = charactersMax
    this.#without = new Set(without)
  }

  of(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return value.map(item => this.of(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !this.#without.has(name))
        .map(([name, member]) => [name, this.of(member)]),
    )
  }

  #text(text: string): string {
    const shown = text.slice(0, Math.max(0, this.#charactersLeft))
    this.#charactersLeft -= text.length
    return shown.length === text.length ? text : `${wholeCharacters(shown)}…`
  }
}
