// Indexes of computed pages. These follow specifications and not revisions, so they have separate indexes, built when
// somebody searches and cached by what they were computed from.
import { Failure } from '../../base/errors.ts'
import type { PageSection } from '../../compute/page-projection.ts'
import type { Content } from '../../engines/content/content.ts'
import { languageOf } from '../../engines/search/language.ts'
import type { SearchIndex } from '../../engines/search/search-index.ts'
import type { ComputedIndex, ComputedIndexes, SearchedHead, Services } from '../../http/context.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import type { Log } from '../../platform/log.ts'
import { indexOf } from '../content/index-of-content.ts'
import { makeSegment, toIndex } from './building.ts'

const INDEXES_BYTES_MAX = 64 * 1024 * 1024
// The search waits for an index of this many pages.
const AWAITED_PAGES_MAX = 2_000
const PORTION_PAGES = 200

type IndexServices = Pick<Services, 'contents' | 'compute'> & { readonly log: Log }

export function createComputedIndexes(services: IndexServices): ComputedIndexes {
  const cache = createImmutableCache<ComputedIndex>({
    maxSize: INDEXES_BYTES_MAX,
    sizeCalculation: ({ index, pages }) => index.bytes + textBytes(pages) + 1024,
  })
  return {
    async get(head) {
      const digest = await services.contents.digest(head.id, head.root, 'published')
      if (digest === '') return undefined
      const key = `${head.root} ${digest} ${languageOf(head.language)}`
      const found = cache.peek(key)
      if (found !== undefined) return found
      const { expansion } = await services.contents.shown(head.id, head.root, 'published')
      const making = cache.get(key, () => make(services, head))
      return (expansion?.seeds.size ?? 0) <= AWAITED_PAGES_MAX ? making : undefined
    },
  }
}

const textBytes = (pages: ComputedIndex['pages']): number => {
  let bytes = 0
  for (const { sections, markdown } of pages.values()) {
    bytes += 2 * markdown.length
    for (const { heading, body } of sections) bytes += 200 + 2 * (heading.length + body.length)
  }
  return bytes
}

/** Undefined if the pool is overloaded. */
async function make(services: IndexServices, { id: lane, root, language }: SearchedHead) {
  try {
    const content = await services.contents.shown(lane, root, 'published')
    const { paths } = indexOf(content)
    const pages = new Map<string, ComputedIndex['pages'] extends ReadonlyMap<string, infer Of> ? Of : never>()
    const known = new Map<string, readonly PageSection[]>()
    for (const id of content.expansion?.seeds.keys() ?? []) {
      const record = content.pages.get(id)
      if (record === undefined) continue
      const { title, description = '', document } = record
      const text = content.expansion?.texts.get(document ?? '') ?? ''
      const sections = known.get(text) ?? (await sectionsOf(services, lane, text))
      known.set(text, sections)
      const path = paths.get(id) ?? ''
      const ancestors = namesTo(content, record.parent)
      const place = { title, description, path, ancestors, document, isFound: true }
      pages.set(id, { place, sections, markdown: text })
    }
    const sources = [...pages].map(([id, { place, sections }]) => ({
      ...{ id, title: place.title, description: place.description, sections },
    }))
    const parts: SearchIndex['parts'][number][] = []
    const spoken = languageOf(language)
    for (let at = 0; at < sources.length; at += PORTION_PAGES) {
      const some = sources.slice(at, at + PORTION_PAGES)
      parts.push({
        segment: await makeSegment(services, { lane, language: spoken }, some),
        gone: new Set<number>(),
      })
    }
    return { index: toIndex(spoken, parts), pages }
  } catch (error) {
    if (!(error instanceof Failure))
      services.log.warn({ err: error, space: lane }, 'computed pages could not be indexed')
    return undefined
  }
}

function namesTo({ pages }: Content, parent: string | null): readonly string[] {
  const names: string[] = []
  for (let at = parent; at !== null; ) {
    const record = pages.get(at)
    if (record === undefined) break
    names.unshift(record.title)
    at = record.parent
  }
  return names
}

async function sectionsOf(
  { compute }: IndexServices,
  lane: string,
  markdown: string,
): Promise<readonly PageSection[]> {
  if (markdown === '') return []
  const made = await compute.run('pageProjection', lane, { markdown })
  return made.kind === 'done' ? made.value.sections : []
}
