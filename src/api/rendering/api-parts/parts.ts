// Parts of API descriptions on pages of the reader: which version each page shows, and how it looks. A page view reads
// the versions in one query; each part of each version is drawn once, in a thread.
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { assertDefined } from '../../../base/assert.ts'
import { sha256 } from '../../../base/canonical.ts'
import { html } from '../../../base/html.ts'
import { partKey } from '../../../compute/specification-parts.ts'
import type { Content } from '../../../engines/content/content.ts'
import type { ApiPart, ShownPart } from '../../../engines/markdown/html/html.ts'
import type { PartName } from '../../../engines/openapi/parts.ts'
import type { Services } from '../../../http/context.ts'
import type { ApiParts, Described, PartAssets, Version, Versions } from '../../../http/rendering.ts'
import { createImmutableCache, createSingleFlight } from '../../../platform/cache/cache.ts'
import { createPool } from '../../../platform/pool/pool.ts'
import { targetFrom } from '../../content/resolve.ts'
import { findParts, listNamed } from '../../openapi-specs/rows.ts'
import type { DrawnPart, tasks } from './tasks.ts'

/** Servers of one page, and their total length in characters: proxies accept headers of about 4 KB. */
const ORIGINS_MAX = 30
const ORIGINS_CHARACTERS_MAX = 2_000
/** Parts on one page; further ones are replaced by a link. */
const PARTS_MAX = 100
/** A file of a space that is an API description; larger ones are for `/openapi`. */
const FILE_BYTES_MAX = 4 * 1024 * 1024
const KEPT_BYTES_MAX = 32 * 1024 * 1024
const MEGABYTES_MAX = 512
const MILLISECONDS_MAX = 10_000
const WAITING_MAX = 500
const WAIT_MILLISECONDS_MAX = 15_000

export function descriptionsFrom(content: Content, file: string): Described {
  return ({ spec, src, from }) => {
    if (spec !== '') return { kind: 'spec', name: spec }
    const fromFile = from === '' ? file : (content.reusables.get(from)?.file ?? '')
    const found = targetFrom(content, fromFile)(src)
    if (found.kind === 'url') return { kind: 'spec', name: found.url }
    const record = found.kind === 'file' ? content.files.get(found.id) : undefined
    return record === undefined ? undefined : { kind: 'file', blob: record.blob, size: record.size }
  }
}

export function createApiParts(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  { stylesheet, tryScript }: PartAssets,
): ApiParts {
  const drawn = createImmutableCache<DrawnPart>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ html: markup, origins }) => markup.length * 2 + origins.length * 100 + 200,
  })
  const written = createImmutableCache<{ readonly markdown: string }>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ markdown }) => markdown.length * 2 + 200,
  })
  const cut = new LRUCache<string, { readonly body: Uint8Array | undefined }>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ body }) => (body?.length ?? 0) + 200,
  })
  // Threads of the rendering pool wait for these, so they need a pool of their own.
  const pool = createPool<typeof tasks>({
    tasks: new URL('./tasks.ts', import.meta.url),
    threadsMax: 1,
    megabytesMax: MEGABYTES_MAX,
    personWaitingMax: WAITING_MAX,
    waitingMax: WAITING_MAX,
    waitMillisecondsMax: WAIT_MILLISECONDS_MAX,
  })
  const share = createSingleFlight<void>()
  const run = async <Name extends keyof typeof tasks>(
    lane: string,
    task: Name,
    input: Parameters<(typeof tasks)[Name]>[0],
  ) => {
    const outcome = await pool.run(lane, { task, input, millisecondsMax: MILLISECONDS_MAX })
    return outcome.kind === 'done' ? outcome.value : undefined
  }

  /** The parts of a file, read together and cached one by one. */
  const cutFile = async (lane: string, blob: string, keys: readonly PartName[]) => {
    const found = await blobs.read(blob)
    const text = found === undefined ? '' : (await buffer(found.stream)).toString('utf8')
    const bodies = await run(lane, 'cut', { text, names: keys })
    for (const [index, name] of keys.entries())
      cut.set(`${blob} ${partKey(name)}`, { body: bodies?.[index] ?? undefined })
  }

  /** By `version key`. */
  const bodiesOf = async (
    lane: string,
    wanted: readonly { readonly version: Version; readonly names: readonly PartName[] }[],
  ) => {
    const kept: (readonly [string, string])[] = []
    const missing = new Map<string, PartName[]>()
    for (const { version, names } of wanted)
      for (const name of names) {
        if (version?.kind === 'spec') kept.push([version.id, partKey(name)])
        if (version?.kind !== 'file' || version.size > FILE_BYTES_MAX) continue
        if (!cut.has(`${version.blob} ${partKey(name)}`))
          missing.set(version.blob, [...(missing.get(version.blob) ?? []), name])
      }
    for (const [blob, names] of missing)
      await share(`${blob} ${JSON.stringify(names)}`, () => cutFile(lane, blob, names))
    const bodies: Map<string, Uint8Array> = await findParts(db, kept)
    return (version: Version, name: PartName) =>
      version?.kind === 'spec'
        ? bodies.get(`${version.id} ${partKey(name)}`)
        : version && cut.get(`${version.blob} ${partKey(name)}`)?.body
  }

  const versionsOf: ApiParts['versionsOf'] = async (spaceId, sight, named, described) => {
    const places = named.slice(0, PARTS_MAX).map(described)
    const names = places.flatMap(place => (place?.kind === 'spec' ? [place.name] : []))
    const specs = names.length === 0 ? [] : await listNamed(db, spaceId, names, sight)
    const of = places.map((place): Version => {
      if (place?.kind !== 'spec') return place
      const spec =
        specs.find(({ slug }) => slug === place.name) ??
        specs.find(({ sourceUrl }) => sourceUrl === place.name)
      return spec === undefined || spec.version === null ? undefined : { kind: 'spec', id: spec.version }
    })
    return { of, digest: sha256(JSON.stringify(of.map(version => version ?? null))) }
  }

  type Filling = {
    readonly part: ApiPart
    readonly index: number
    /** Identifies the version, and what is shown of it. */
    readonly key: string
    readonly bodies: readonly Uint8Array[]
    /** Schemas that the description does not have, besides those that it has. */
    readonly absent: readonly string[]
  }

  /** `show` returns undefined for parts that are too large. */
  const fill = async (
    spaceId: string,
    parts: readonly ApiPart[],
    { of }: Versions,
    show: (filling: Filling) => Promise<ShownPart | undefined>,
  ): Promise<ShownPart[]> => {
    const wanted = parts.map((part, index) => ({ version: of[index], names: namesOf(part) }))
    const bodyOf = await bodiesOf(spaceId, wanted)
    const shown: ShownPart[] = []
    for (const [index, part] of parts.entries()) {
      const { version, names } = assertDefined(wanted[index], 'one is wanted for each part')
      const found = names.map(name => ({ name: name[1], body: bodyOf(version, name) }))
      const bodies = found.flatMap(({ body }) => body ?? [])
      const absent = found.flatMap(({ name, body }) => (body === undefined ? name : []))
      if (version === undefined || bodies.length === 0) {
        shown.push({ missing: whyNot(version) })
        continue
      }
      const key = JSON.stringify([version, names])
      shown.push((await show({ part, index, key, bodies, absent })) ?? { missing: 'too much' })
    }
    return shown
  }

  return {
    versionsOf,
    async show(spaceId, parts, versions, { hasScript }) {
      let hasStyle = false
      const origins = new Set<string>()
      const shown = await fill(spaceId, parts, versions, async ({ part, index, key, bodies, absent }) => {
        const { kind, isExpanded, isGrouped, isHeadless, level } = part
        const look = { kind, isExpanded, isGrouped, isHeadless, level, group: `part:${index}` }
        const name = sha256(JSON.stringify([key, look]))
        const known = await drawn.get(name, () => run(spaceId, 'draw', { ...look, bodies }))
        if (known === undefined) return undefined
        const style = hasStyle ? '' : html`<link rel="stylesheet" href="${stylesheet}">`.markup
        hasStyle = true
        const script =
          !hasScript || origins.size > 0 || known.origins.length === 0
            ? ''
            : html`<script type="module" src="${tryScript}"></script>`.markup
        for (const origin of known.origins) origins.add(origin)
        return { html: style + script + known.html + absenceOf(absent) }
      })
      return { shown, origins: firstOf(origins) }
    },
    writerFor: (spaceId, sight, content, file) => async parts =>
      fill(
        spaceId,
        parts,
        await versionsOf(spaceId, sight, parts, descriptionsFrom(content, file)),
        async ({ part: { kind, isHeadless }, key, bodies, absent }) => {
          const name = sha256(JSON.stringify([key, kind, isHeadless]))
          return written.get(name, async () => {
            const markdown = await run(spaceId, 'write', { kind, isHeadless, bodies })
            return markdown === undefined ? undefined : { markdown: `${markdown}${absenceIn(absent)}` }
          })
        },
      ),
    close: () => pool.end(),
  }
}

const whyNot = (version: Version): 'description' | 'part' | 'too much' => {
  if (version === undefined) return 'description'
  return version.kind === 'file' && version.size > FILE_BYTES_MAX ? 'too much' : 'part'
}

const ABSENCE = 'The description does not have: '

const absenceOf = (names: readonly string[]): string =>
  names.length === 0 ? '' : html`<p class="api-part-cut">${ABSENCE}${names.join(', ')}.</p>`.markup

/** The same in Markdown; the names are in code, without the signs that would end it. */
const absenceIn = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `\n\n${ABSENCE}${names.map(name => `\`${name.replace(/[`\s]+/g, ' ')}\``).join(', ')}.\n`

const namesOf = ({ kind, method, path, names }: ApiPart): readonly PartName[] =>
  kind === 'schemas' ? names.map(name => ['schema', name] as const) : [[kind, method, path]]

function firstOf(origins: Iterable<string>): string[] {
  const first: string[] = []
  let characters = 0
  for (const origin of origins) {
    characters += origin.length + 1
    if (first.length === ORIGINS_MAX || characters > ORIGINS_CHARACTERS_MAX) break
    first.push(origin)
  }
  return first
}
