// Pages of the reader, rendered once and cached until something that they depend on changes: their text, title and
// variables, and where their addresses lead. An edit elsewhere in the space leaves them cached.
import { createHash, type Hash as Hashing } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { SpecSight } from '../../access/spec-sight.ts'
import { assert } from '../../base/assert.ts'
import { sha256 } from '../../base/canonical.ts'
import type { AddressKey, AddressTarget } from '../../compute/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type {
  ApiParts,
  Described,
  Highlighter,
  Named,
  PageRenderer,
  RenderedPage,
} from '../../http/rendering.ts'
import { createSingleFlight } from '../../platform/cache/cache.ts'
import { readText } from '../content/reads.ts'
import { addressBelow, addressesFrom, searchHref } from './addresses.ts'
import { descriptionsFrom } from './api-parts/parts.ts'
import {
  KEPT_MILLISECONDS,
  type Rendered,
  type RenderServices,
  renderMarkdown,
  variablesOf,
} from './render.ts'

/** A rendering with its lookups; `digest` is over their answers. */
type CachedRendering = {
  readonly page: Rendered & RenderedPage
  readonly asked: readonly AddressKey[]
  readonly digest: string
  /** The API descriptions that it names; a new version of one does not make a revision of the space. */
  readonly named: readonly Named[]
  readonly versions: string
  /** The contents for which it is known to hold. */
  readonly holdsAt: Set<string>
}

/** Before the ids of a page that is shown within another document, so that none is one of that document's. */
const PAGE_ID_PREFIX = 'page.'

const EMPTY: RenderedPage = { html: '', outline: [], isWhole: true }
// The same text in the head, in a few change requests, in other places.
const RENDERINGS_MAX = 6
const PLACES_MAX = 50
// A page that was too costly once is not retried for each reader.
const PLAIN_PAGES_MAX = 200
const ASKED_BYTES = 150

export function createPageRenderer(
  services: RenderServices,
  { highlight }: Highlighter,
  apiParts: ApiParts,
  bytesMax: number,
): PageRenderer {
  const kept = new LRUCache<string, CachedRendering[]>({
    maxSize: bytesMax,
    sizeCalculation: renderings => renderings.reduce((bytes, each) => bytes + sizeOf(each), 200),
  })
  const plain = new LRUCache<string, RenderedPage>({ max: PLAIN_PAGES_MAX })
  const share = createSingleFlight<RenderedPage>()

  const find = async (name: string, place: string, spaceId: string, { answer, described, sight }: Input) => {
    const renderings: CachedRendering[] = []
    for (const each of kept.get(name) ?? []) {
      const { named, versions } = each
      if (
        named.length === 0 ||
        (await apiParts.versionsOf(spaceId, sight, named, described)).digest === versions
      )
        renderings.push(each)
    }
    const held = renderings.find(({ holdsAt }) => holdsAt.has(place))
    if (held !== undefined) return held.page
    for (const rendering of renderings) {
      if ((await digestOf(rendering.asked, answer)) !== rendering.digest) continue
      if (rendering.holdsAt.size >= PLACES_MAX) rendering.holdsAt.clear()
      rendering.holdsAt.add(place)
      return rendering.page
    }
    return plain.get(name)
  }

  const make = async (name: string, place: string, spaceId: string, record: PageRecord, input: Input) => {
    const { answer, content, described, sight, isKeyed } = input
    assert(record.document !== null, 'only pages with a document are rendered')
    let named: readonly Named[] = []
    let versions = ''
    let origins: readonly string[] = []
    const asked: AddressKey[] = []
    const digest = createHash('sha256')
    const rendered = await renderMarkdown(
      services,
      spaceId,
      {
        markdown: await readText(services, record.document, content),
        pageTitle: record.title,
        variables: variablesOf(content, record),
        isKeyed,
        ...(isKeyed ? { idPrefix: PAGE_ID_PREFIX } : {}),
      },
      {
        highlight,
        async showParts(parts) {
          named = parts.map(({ spec, src, from }) => ({ spec, src, from }))
          const found = await apiParts.versionsOf(spaceId, sight, named, described)
          versions = found.digest
          const { shown, origins: sentTo } = await apiParts.show(spaceId, parts, found, {
            hasScript: !isKeyed,
          })
          origins = sentTo
          return shown
        },
        find(each) {
          const found = answer(each)
          asked.push(each)
          addTo(digest, found)
          return found
        },
      },
    )
    const page = { ...rendered, origins, isWhole: rendered.how === 'whole' }
    // Code that was not coloured in time is coloured for the next reader.
    if (page.how === 'plain' || page.how === 'failed')
      plain.set(name, page, { ttl: KEPT_MILLISECONDS[page.how] })
    if (page.how !== 'whole') return page
    const rendering: CachedRendering = {
      ...{ page, asked, digest: digest.digest('hex') },
      ...{ named, versions, holdsAt: new Set([place]) },
    }
    kept.set(name, [rendering, ...(kept.get(name) ?? [])].slice(0, RENDERINGS_MAX))
    return page
  }

  return {
    async render({ spaceId, base, root, sight, isKeyed = false }, content, id, record) {
      if (record.document === null) return EMPTY
      const keyId = services.signingKey.id
      const place = `${keyId} ${base} ${root} ${content.expansion?.digest ?? ''} ${sight} ${isKeyed} ${id}`
      return share(place, async () => {
        const name = `${keyId} ${nameOf(content, record)} ${isKeyed}`
        const file = record.file ?? ''
        const means = { search: searchHref(spaceId), ...(isKeyed ? { spaceId } : {}) }
        const answer = addressesFrom(services, content, file, addressBelow(base, content), means)
        const input = { answer, content, sight, isKeyed, described: descriptionsFrom(content, file) }
        return (await find(name, place, spaceId, input)) ?? make(name, place, spaceId, record, input)
      })
    },
  }
}

type Input = {
  readonly answer: (asked: AddressKey) => AddressTarget
  readonly content: Content
  readonly sight: SpecSight
  readonly isKeyed: boolean
  readonly described: Described
}

/** A page by its text, title and variables. */
const nameOf = (content: Content, { document, title, variables }: PageRecord): string =>
  sha256(JSON.stringify([document, title, variables, digestOfVariables(content)]))

const digestsOfVariables = new WeakMap<Content, string>()

/** A digest of a space's variables, computed once for each content: there may be thousands. */
function digestOfVariables(content: Content): string {
  const known = digestsOfVariables.get(content)
  if (known !== undefined) return known
  const digest = sha256(JSON.stringify([...content.variables]))
  digestsOfVariables.set(content, digest)
  return digest
}

// How many addresses can be looked up within a few milliseconds.
const LOOKED_UP_AT_ONCE = 1_000

async function digestOf(
  asked: readonly AddressKey[],
  answer: (asked: AddressKey) => AddressTarget,
): Promise<string> {
  const digest = createHash('sha256')
  for (const [index, each] of asked.entries()) {
    if (index > 0 && index % LOOKED_UP_AT_ONCE === 0) await letOthersRun()
    addTo(digest, answer(each))
  }
  return digest.digest('hex')
}

const addTo = (digest: Hashing, found: AddressTarget): void =>
  void digest.update(`${JSON.stringify(found)}\n`)

const sizeOf = ({ page, asked }: CachedRendering): number =>
  page.html.length * 2 +
  page.outline.length * 200 +
  asked.reduce((bytes, [, , destination]) => bytes + ASKED_BYTES + destination.length * 2, 200)
