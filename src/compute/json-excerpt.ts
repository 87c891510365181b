// What is wanted of the JSON of a long answer: what takes the thread that does it in proportion to the whole answer, and
// gives back something short.
import type { Task } from './task.ts'

/** What of it. */
export type Excerpt =
  /** All of it, with strings cut where they go beyond so many characters together. */
  | { readonly kind: 'value'; readonly charactersMax: number; readonly without: readonly string[] }
  /** Pages of a tree, in the order of the navigation: those of the types, from an index on. */
  | ({ readonly kind: 'pages'; readonly types: readonly string[]; readonly which: Which } & TextRange)
  /** A page without those below it, with its Markdown from a character on. */
  | ({ readonly kind: 'page' } & TextRange)

/** `listed`: without those that are hidden, with what is below them, and those that programs are asked to leave out. */
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
/** `count`: of all pages of the types. */
export type PagesExcerpt = { readonly pages: readonly ListedPage[]; readonly count: number }
/** `length`: of all of its Markdown. */
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

/** The same of what was read already: by the kind of the excerpt, the caller knows which answer of the API it is. */
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

/** Half of a character at the end is left for the next piece. */
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
