// Lookups that a revision needs often, computed once: content never changes, so an index lives exactly as long as its
// content.

import { joinPath } from '../../base/paths.ts'
import { pause } from '../../base/slices.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Reference } from '../../engines/content/records.ts'

export interface ContentIndex {
  /** Page id → path; link pages have none. */
  readonly paths: ReadonlyMap<string, string>
  /** Path → id of a document or group page. */
  readonly byPath: ReadonlyMap<string, string>
  /** Path in the repository → page, file or reusable content. */
  readonly byFile: ReadonlyMap<string, Extract<Reference, { kind: 'page' | 'file' | 'reusable-content' }>>
  /** Document and group pages in reading order. */
  readonly reading: readonly string[]
}

const indexes = new WeakMap<Content, ContentIndex>()

export function indexOf(content: Content): ContentIndex {
  const found = indexes.get(content)
  if (found !== undefined) return found
  const building = build(content)
  for (;;) {
    const { done, value } = building.next()
    if (done === true) return keep(content, value)
  }
}

/** Builds the index in slices, ahead of its first use. */
export async function makeIndex(content: Content): Promise<void> {
  const building = build(content)
  for (;;) {
    const { done, value } = building.next()
    if (done === true) return void keep(content, value)
    await pause()
  }
}

function keep(content: Content, index: ContentIndex): ContentIndex {
  indexes.set(content, index)
  return index
}

const PAGES_BETWEEN_PAUSES = 100

function* build(content: Content): Generator<void, ContentIndex> {
  const paths = new Map<string, string>()
  const byPath = new Map<string, string>()
  const byFile = new Map<string, Extract<Reference, { kind: 'page' | 'file' | 'reusable-content' }>>()
  const reading: string[] = []
  function* visit(ids: readonly string[], parentPath: string): Generator<void> {
    for (const id of ids) {
      const record = content.pages.get(id)
      if (record === undefined) continue
      if (record.file !== undefined) byFile.set(record.file, { kind: 'page', page: id })
      if (record.type === 'link' || record.type === 'computed') continue
      const path = joinPath(parentPath, record.slug)
      paths.set(id, path)
      byPath.set(path, id)
      if (reading.push(id) % PAGES_BETWEEN_PAUSES === 0) yield
      yield* visit(record.children, path)
    }
  }
  yield* visit(content.tree.children, '')
  for (const [id, record] of content.files) byFile.set(record.file, { kind: 'file', file: id })
  for (const [id, record] of content.reusables)
    byFile.set(record.file, { kind: 'reusable-content', reusableContent: id })
  return { paths, byPath, byFile, reading }
}
