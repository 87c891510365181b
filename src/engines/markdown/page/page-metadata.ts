// The metadata in a page's frontmatter, as GitBook writes it or people do by hand.
import { defined, isObject } from '../../../base/objects.ts'
import type { PageLayout } from '../../../base/page-layout.ts'

/** Absent keys were not written. */
export type PageMetadata = {
  readonly title?: string
  readonly description?: string
  readonly icon?: string
  readonly emoji?: string
  readonly hidden?: boolean
  /** Paths or addresses as written, relative to the page's file. */
  readonly cover?: string
  readonly coverDark?: string
  /** A percentage of the picture's height, as in GitBook. */
  readonly coverY?: number
  /** In pixels, 10 to 700. */
  readonly coverHeight?: number
  readonly layout?: PageLayout
  readonly vars?: Readonly<Record<string, string | number | boolean>>
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
  /** The expression that decides whether the page is shown. */
  readonly if?: string
}

export type MetadataProblem = {
  readonly code: 'metadata_invalid'
  readonly key: string
  readonly message: string
}

const COVER_HEIGHT_MIN = 10
const COVER_HEIGHT_MAX = 700
const TEXT_CHARACTERS_MAX = 100_000
const VARS_MAX = 1000

/** The metadata in the data of a frontmatter. A value of the wrong type is a problem and is left out. */
export function pageMetadata(data: Readonly<Record<string, unknown>>): {
  metadata: PageMetadata
  problems: MetadataProblem[]
} {
  const problems: MetadataProblem[] = []
  const read = new MapReader(data, '', problems)
  const covers = isObject(data.cover) ? new MapReader(data.cover, 'cover.', problems) : undefined
  const metadata = defined({
    title: read.text('title'),
    description: read.text('description'),
    icon: read.text('icon'),
    emoji: read.text('emoji'),
    hidden: read.flag('hidden'),
    cover: covers ? covers.text('light') : read.text('cover'),
    coverDark: read.text('coverDark') ?? covers?.text('dark'),
    coverY: read.number('coverY', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    coverHeight: read.number('coverHeight', COVER_HEIGHT_MIN, COVER_HEIGHT_MAX),
    layout: layoutOf(read.map('layout')),
    vars: read.map('vars')?.scalars(VARS_MAX),
    noIndex: read.flag('noIndex'),
    noRobotsIndex: read.flag('noRobotsIndex') ?? hasNoIndex(read.text('robots')),
    if: read.text('if'),
  })
  return { metadata, problems }
}

/** Whether `robots` is `noindex`, alone or among other words. */
const hasNoIndex = (robots: string | undefined): boolean | undefined =>
  robots === undefined ? undefined : /(^|[\s,])no(index|ne)([\s,]|$)/i.test(robots)

function layoutOf(read: MapReader | undefined): PageLayout | undefined {
  const isVisible = (name: string): boolean | undefined => read?.flagOrMap(name)?.isVisible
  return (
    read &&
    defined({
      width: read.oneOf('width', ['default', 'wide']),
      cover: isVisible('cover'),
      coverSize: read.flagOrMap('cover')?.map?.oneOf('size', ['hero', 'full']),
      title: isVisible('title'),
      description: isVisible('description'),
      tableOfContents: isVisible('tableOfContents'),
      outline: isVisible('outline'),
      pagination: isVisible('pagination'),
      metadata: isVisible('metadata'),
    })
  )
}

/** Reads typed values from a map; complains once about each of another type. */
class MapReader {
  readonly #data: Readonly<Record<string, unknown>>
  readonly #prefix: string
  readonly #problems: MetadataProblem[]

  constructor(data: Readonly<Record<string, unknown>>, prefix: string, problems: MetadataProblem[]) {
    this.#data = data
    this.#prefix = prefix
    this.#problems = problems
  }

  text(key: string): string | undefined {
    const value = this.#data[key]
    if (typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX) return value
    // `title: 2024` and `title: yes` are meant as text.
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return this.#refuse(key, value, 'text')
  }

  flag(key: string): boolean | undefined {
    const value = this.#data[key]
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    return this.#refuse(key, value, '`true` or `false`')
  }

  number(key: string, min: number, max: number): number | undefined {
    const value = this.#data[key]
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number) && number >= min && number <= max) return number
    return this.#refuse(key, value, Number.isFinite(min) ? `a number from ${min} to ${max}` : 'a number')
  }

  oneOf<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.#data[key]
    const wanted = typeof value === 'string' ? value.trim().toLowerCase() : undefined
    return words.find(word => word === wanted) ?? this.#refuse(key, value, `one of ${words.join(', ')}`)
  }

  map(key: string): MapReader | undefined {
    const value = this.#data[key]
    if (isObject(value)) return new MapReader(value, `${this.#prefix}${key}.`, this.#problems)
    return this.#refuse(key, value, 'keys with values')
  }

  /** `title: false` as well as `title: { visible: false }`. */
  flagOrMap(key: string): { isVisible: boolean | undefined; map?: MapReader } | undefined {
    const value = this.#data[key]
    if (typeof value === 'boolean') return { isVisible: value }
    const map = this.map(key)
    return map && { isVisible: map.flag('visible'), map }
  }

  /** All values as they are; those that are lists or maps are refused. */
  scalars(max: number): Record<string, string | number | boolean> {
    const entries = Object.entries(this.#data).slice(0, max)
    const scalars = entries.flatMap(([key, value]) => {
      const isScalar = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
      const scalar = isScalar ? value : this.text(key)
      return scalar === undefined ? [] : [[key, scalar] as const]
    })
    return Object.fromEntries(scalars)
  }

  #refuse(key: string, value: unknown, expected: string): undefined {
    if (value === undefined || value === null) return undefined
    const name = `${this.#prefix}${key}`
    if (!this.#problems.some(problem => problem.key === name))
      this.#problems.push({
        code: 'metadata_invalid',
        key: name,
        message: `${name}: ${expected} is expected.`,
      })
    return undefined
  }
}
