// Computed pages: replaces a page of type `computed` by the pages of a specification. They are made from an outline
// that was stored when the specification was read, and cached while the content and its specifications stay the same.
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { SpecSight } from '../../access/spec-sight.ts'
import { sha256 } from '../../base/canonical.ts'
import { idOf } from '../../base/ids.ts'
import { isObject } from '../../base/objects.ts'
import { inSlices } from '../../base/slices.ts'
import type { OperationText, PageText, SpecificationOutline } from '../../compute/specification-outline.ts'
import { OUTLINE_KEY } from '../../compute/specification-parts.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { assignSlugs, slugify } from '../../engines/names/slugs.ts'
import type { Urls } from '../../http/urls.ts'
import { createImmutableCache, type ImmutableCache } from '../../platform/cache/cache.ts'
import type { Db } from '../../platform/db/database.ts'
import { specOfSource } from '../content/named-references.ts'
import { findParts, listNamed, type NamedSpec } from './rows.ts'

/** Returns the content with its computed pages; unchanged if it has none. */
export type Expand = (spaceId: string, content: Content, sight: SpecSight) => Promise<Content>

/** Per content; the rest is left out. */
const PAGES_MAX = 5_000
/** Operations or schemas on one page; a page shows at most 100 parts. */
const ON_A_PAGE_MAX = 50
/** Characters of all parts of one page; its HTML has about half as many. */
const SIZE_ON_A_PAGE_MAX = 2_000_000
/** The key of the page of models, of which there is one. */
const MODELS_KEY = 'models'
const OUTLINE_BYTES_MAX = 16 * 1024 * 1024
const OUTLINES_BYTES_MAX = 64 * 1024 * 1024
const EXPANSIONS_MAX = 3

type Source = {
  readonly id: string
  readonly slug: string
  readonly props: Readonly<Record<string, unknown>>
}

/** `makeIndex` runs for each expanded content, in slices, before it is returned. */
export function createExpansion(db: Db, urls: Urls, makeIndex: (content: Content) => Promise<void>): Expand {
  const sources = new WeakMap<Content, readonly Source[]>()
  const expansions = new WeakMap<Content, ImmutableCache<Content>>()
  const outlines = new LRUCache<string, { readonly outline: SpecificationOutline; readonly bytes: number }>({
    maxSize: OUTLINES_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes + 200,
  })

  const outlinesOf = async (versions: readonly string[]) => {
    const missing = versions.filter(version => !outlines.has(version))
    const bodies = await findParts(
      db,
      missing.map(version => [version, OUTLINE_KEY] as const),
    )
    const found = new Map<string, SpecificationOutline>()
    for (const version of versions) {
      const body = bodies.get(`${version} ${OUTLINE_KEY}`)
      const kept = outlines.get(version) ?? (body && (await readOutline(body)))
      if (kept === undefined) continue
      outlines.set(version, kept)
      found.set(version, kept.outline)
    }
    return found
  }

  const expand = async (
    content: Content,
    named: readonly Source[],
    specs: readonly NamedSpec[],
    digest: string,
  ) => {
    const bySlug = new Map(specs.map(spec => [spec.slug, spec]))
    const versions = specs.flatMap(({ version }) => version ?? [])
    const expansion = new Expansion(content, bySlug, await outlinesOf(versions), urls)
    const expanded = await expansion.run(named, digest)
    await makeIndex(expanded)
    return expanded
  }

  return async (spaceId, content, sight) => {
    const named = sources.get(content) ?? sourcesIn(content)
    sources.set(content, named)
    if (named.length === 0) return content
    const specs = await listNamed(
      db,
      spaceId,
      named.map(({ slug }) => slug),
      sight,
    )
    // A version belongs to one specification of one organization, so equal versions mean equal pages.
    const key = sha256(
      JSON.stringify(specs.map(({ slug, version, publicId }) => [slug, version, publicId]).sort()),
    )
    const ofContent = expansions.get(content) ?? createImmutableCache({ max: EXPANSIONS_MAX })
    expansions.set(content, ofContent)
    return ofContent.get(key, () => expand(content, named, specs, key))
  }
}

const inflate = promisify(inflateRaw)

async function readOutline(body: Uint8Array) {
  const json = await inflate(body, { maxOutputLength: OUTLINE_BYTES_MAX })
  const outline: SpecificationOutline = JSON.parse(json.toString('utf8'))
  return { outline, bytes: json.length }
}

/** In the order of the tree. */
function sourcesIn({ pages }: Content): Source[] {
  const found: Source[] = []
  for (const [id, { type, computed }] of pages) {
    const slug = type === 'computed' && computed !== undefined ? specOfSource(computed) : undefined
    if (slug !== undefined) found.push({ id, slug, props: isObject(computed?.props) ? computed.props : {} })
  }
  return found
}

type ComputedPage = {
  readonly key: string
  readonly title: string
  readonly icon?: string | undefined
  readonly description?: string | undefined
  readonly text: string
  readonly doc: 'info' | 'operations' | 'models'
  readonly children: readonly ComputedPage[]
}

class Expansion {
  readonly #content: Content
  readonly #specs: ReadonlyMap<string, NamedSpec>
  readonly #outlines: ReadonlyMap<string, SpecificationOutline>
  readonly #pages: Map<string, PageRecord>
  readonly #texts = new Map<string, string>()
  readonly #seeds = new Map<string, string>()
  readonly #urls: Urls
  #left: number

  constructor(
    content: Content,
    specs: ReadonlyMap<string, NamedSpec>,
    outlines: ReadonlyMap<string, SpecificationOutline>,
    urls: Urls,
  ) {
    this.#urls = urls
    this.#content = content
    this.#specs = specs
    this.#outlines = outlines
    this.#pages = new Map(content.pages)
    this.#left = PAGES_MAX
  }

  async run(sources: readonly Source[], digest: string): Promise<Content> {
    const { tree, pages } = this.#content
    const byId = new Map(sources.map(source => [source.id, source]))
    const parents = new Set(sources.map(({ id }) => pages.get(id)?.parent ?? null))
    let roots = tree.children
    for await (const parent of inSlices(parents)) {
      const record = parent === null ? undefined : this.#pages.get(parent)
      if (parent !== null && record === undefined) continue
      const children = await this.#children(record?.children ?? tree.children, byId, parent)
      if (parent === null || record === undefined) roots = children
      else this.#pages.set(parent, { ...record, children })
    }
    return {
      ...this.#content,
      tree: { children: roots },
      pages: this.#pages,
      expansion: { texts: this.#texts, seeds: this.#seeds, digest },
    }
  }

  /** Written pages keep their slugs. */
  async #children(
    ids: readonly string[],
    sources: ReadonlyMap<string, Source>,
    parent: string | null,
  ): Promise<string[]> {
    const placed = ids.flatMap((id): { id: string; made?: ComputedPage; source?: Source }[] => {
      const source = sources.get(id)
      if (source === undefined) return [{ id }]
      this.#pages.delete(id)
      return this.#made(source).map(made => ({ id: idOf(`${id} ${made.key}`), made, source }))
    })
    const named = placed.filter(({ id }) => hasSlug(this.#content.pages.get(id)))
    const slugs = assignSlugs(
      named.map(({ id, made }) =>
        made === undefined
          ? { wanted: '', held: this.#content.pages.get(id)?.slug }
          : { wanted: slugify(made.title), held: undefined },
      ),
    )
    const slugOf = new Map(named.map(({ id }, at) => [id, slugs[at] ?? '']))
    const kept: string[] = []
    for await (const { id, made, source } of inSlices(placed)) {
      if (made === undefined || source === undefined) kept.push(id)
      else if (this.#add(id, made, source, parent, slugOf.get(id) ?? '')) kept.push(id)
    }
    return kept
  }

  /** False beyond PAGES_MAX. */
  #add(id: string, made: ComputedPage, source: Source, parent: string | null, slug: string): boolean {
    if (this.#left <= 0) return false
    this.#left -= 1
    const children = made.children.map(child => ({ child, id: idOf(`${source.id} ${child.key}`) }))
    const slugs = assignSlugs(
      children.map(({ child }) => ({ wanted: slugify(child.title), held: undefined })),
    )
    const shown = children.filter((one, at) => this.#add(one.id, one.child, source, id, slugs[at] ?? ''))
    const hash = made.text === '' ? null : sha256(made.text)
    if (hash !== null) this.#texts.set(hash, made.text)
    const { title, icon, description, doc, key } = made
    const { models: _, ...presentation } = source.props
    this.#pages.set(id, {
      ...{ type: 'document', title, slug, parent, document: hash },
      children: shown.map(one => one.id),
      ...(icon === undefined ? {} : { icon }),
      ...(description === undefined ? {} : { description }),
      computed: {
        type: 'builtin:openapi',
        props: { ...presentation, doc, ...(key === MODELS_KEY ? {} : { page: key }) },
        dependencies: { spec: { ref: { kind: 'openapi', spec: source.slug } } },
      },
    })
    this.#seeds.set(id, this.#specs.get(source.slug)?.version ?? '')
    return true
  }

  #made({ slug, props }: Source): ComputedPage[] {
    const spec = this.#specs.get(slug)
    const outline = spec?.version == null ? undefined : this.#outlines.get(spec.version)
    if (outline === undefined) return [absent(slug, spec)]
    const byOperation = props.grouping === 'by-operation'
    const pages = [
      ...outline.info.map(page => toMade(page, 'info', false)),
      ...outline.tags.map(page => toMade(page, 'operations', byOperation)),
      ...(props.models === true && outline.models.length > 0 ? [modelsPage(outline.models)] : []),
    ]
    const [first, ...rest] = pages
    if (first === undefined) return [absent(slug, spec)]
    if (props.downloadLink !== true || spec?.publicId == null) return pages
    const link = `[Download the specification](${this.#urls.root(`/openapi/${spec.publicId}.json`)})`
    return [{ ...first, text: [link, first.text].filter(text => text !== '').join('\n\n') }, ...rest]
  }
}

const hasSlug = (record: PageRecord | undefined): boolean =>
  record === undefined || (record.type !== 'link' && record.type !== 'computed')

/** A page that tells readers why there is nothing. */
const absent = (slug: string, spec: NamedSpec | undefined): ComputedPage => ({
  key: 'absent',
  title: slug,
  text: `{% hint style="warning" %}\n${
    spec === undefined
      ? `There is no specification \`${slug}\` here.`
      : `The specification \`${slug}\` has no pages, or has not been read yet.`
  }\n{% endhint %}\n`,
  doc: 'info',
  children: [],
})

function toMade(page: PageText, doc: ComputedPage['doc'], byOperation: boolean): ComputedPage {
  const { key, title, icon, description, text, operations, pages } = page
  const size = operations.reduce((sum, operation) => sum + operation.size, 0)
  const isDivided = byOperation || operations.length > ON_A_PAGE_MAX || size > SIZE_ON_A_PAGE_MAX
  const ofTheirOwn = isDivided ? operations.map(toOwnPage) : []
  const here = isDivided ? [] : operations
  return {
    ...{ key, title, icon, description, doc },
    text: [text, isDivided ? operations.map(listed).join('\n') : '', ...here.map(withHeading)]
      .filter(piece => piece !== '')
      .join('\n\n'),
    children: [...ofTheirOwn, ...pages.map(below => toMade(below, doc, byOperation))],
  }
}

/** Its pages follow in the navigation. */
const listed = ({ heading }: OperationText): string => `* ${heading.slice('## '.length)}`

const toOwnPage = ({ key, title, text }: OperationText): ComputedPage => ({
  ...{ key, title, text },
  doc: 'operations',
  children: [],
})

const withHeading = ({ heading, text }: OperationText): string => `${heading}\n\n${text}`

/** Many schemas are divided into pages below the first, titled by their first and last. */
function modelsPage(models: readonly OperationText[]): ComputedPage {
  const page = { key: MODELS_KEY, title: 'Models', doc: 'models' } as const
  const textOf = (some: readonly OperationText[]) => some.map(withHeading).join('\n\n')
  if (models.length <= ON_A_PAGE_MAX) return { ...page, text: textOf(models), children: [] }
  const children: ComputedPage[] = []
  for (let at = 0; at < models.length; at += ON_A_PAGE_MAX) {
    const some = models.slice(at, at + ON_A_PAGE_MAX)
    const title = `${some[0]?.title} to ${some.at(-1)?.title}`
    children.push({ key: `models-${at}`, title, doc: 'models', text: textOf(some), children: [] })
  }
  return { ...page, text: '', children }
}
