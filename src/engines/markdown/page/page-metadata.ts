// What a page's frontmatter says of the page, in types. GitBook writes these keys; people write them by hand.

export type PageLayout = {
  readonly width?: 'default' | 'wide'
  readonly cover?: boolean
  readonly coverSize?: 'hero' | 'full'
  readonly title?: boolean
  readonly description?: boolean
  readonly tableOfContents?: boolean
  readonly outline?: boolean
  readonly pagination?: boolean
  readonly metadata?: boolean
}

/** Keys that are absent were not written. */
export type PageMetadata = {
  readonly title?: string
  readonly description?: string
  readonly icon?: string
  readonly emoji?: string
  readonly hidden?: boolean
  /** Paths or addresses as written, relative to the page's file. */
  readonly cover?: string
  readonly coverDark?: string
  /** In per cent of the picture's height, as GitBook counts. */
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

/** The metadata in the data of a frontmatter. A value of the wrong type is a problem and left out. */
export function pageMetadata(data: Readonly<Record<string, unknown>>): {
  metadata: PageMetadata
  problems: MetadataProblem[]
} {
  const problems: MetadataProblem[] = []
  const reader = new MapReader(data, '', problems)
  const cover = data.cover
  const covers = isMap(cover) ? new MapReader(cover, 'cover.', problems) : undefined
  const metadata: Writable<PageMetadata> = {}
  set(metadata, 'title', reader.text('title'))
  set(metadata, 'description', reader.text('description'))
  set(metadata, 'icon', reader.text('icon'))
  set(metadata, 'emoji', reader.text('emoji'))
  set(metadata, 'hidden', reader.flag('hidden'))
  set(metadata, 'cover', covers ? covers.text('light') : reader.text('cover'))
  set(metadata, 'coverDark', reader.text('coverDark') ?? covers?.text('dark'))
  set(metadata, 'coverY', reader.number('coverY', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY))
  set(metadata, 'coverHeight', reader.number('coverHeight', COVER_HEIGHT_MIN, COVER_HEIGHT_MAX))
  set(metadata, 'layout', layoutOf(reader.map('layout')))
  set(metadata, 'vars', reader.map('vars')?.scalars(VARS_MAX))
  set(metadata, 'noIndex', reader.flag('noIndex'))
  set(metadata, 'noRobotsIndex', reader.flag('noRobotsIndex') ?? saysNoIndex(reader.text('robots')))
  set(metadata, 'if', reader.text('if'))
  return { metadata, problems }
}

/** `robots: noindex`, alone or among other words. */
const saysNoIndex = (robots: string | undefined): boolean | undefined =>
  robots === undefined ? undefined : /(^|[\s,])no(index|ne)([\s,]|$)/i.test(robots)

function layoutOf(written: MapReader | undefined): PageLayout | undefined {
  if (!written) return undefined
  const layout: Writable<PageLayout> = {}
  const visible = (name: string): boolean | undefined => written.flagOrMap(name)?.visible
  set(layout, 'width', written.oneOf('width', ['default', 'wide']))
  set(layout, 'cover', visible('cover'))
  set(layout, 'coverSize', written.flagOrMap('cover')?.map?.oneOf('size', ['hero', 'full']))
  for (const name of [
    'title',
    'description',
    'tableOfContents',
    'outline',
    'pagination',
    'metadata',
  ] as const)
    set(layout, name, visible(name))
  return layout
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function set<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads typed values from a map; complains once of each that is of another type. */
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
    // `title: 2024` and `title: yes` are titles to those who write them.
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
    return words.find(word => word === value) ?? this.#refuse(key, value, `one of ${words.join(', ')}`)
  }

  map(key: string): MapReader | undefined {
    const value = this.#data[key]
    if (isMap(value)) return new MapReader(value, `${this.#prefix}${key}.`, this.#problems)
    return this.#refuse(key, value, 'keys with values')
  }

  /** `title: false` as well as `title: { visible: false }`. */
  flagOrMap(key: string): { visible: boolean | undefined; map: MapReader | undefined } | undefined {
    const value = this.#data[key]
    if (typeof value === 'boolean') return { visible: value, map: undefined }
    const map = this.map(key)
    return map && { visible: map.flag('visible'), map }
  }

  /** All values as they are; those that are lists or maps are refused. */
  scalars(max: number): Record<string, string | number | boolean> {
    return Object.fromEntries(
      Object.entries(this.#data)
        .slice(0, max)
        .flatMap(([key, value]): [string, string | number | boolean][] => {
          if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
            return [[key, value]]
          const text = this.text(key)
          return text === undefined ? [] : [[key, text]]
        }),
    )
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
