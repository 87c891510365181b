// Several segments as one, without the pages that are gone. Equal, byte for byte, to the segment that is built of the
// same pages at once, in time in proportion to what is merged.
import { GrowingUint8, GrowingUint32 } from './growing.ts'
import { FIELDS, PostingReader, PostingWriter } from './postings.ts'
import type { SegmentArrays } from './segment-format.ts'
import { packIds, packStems, packTerms } from './segment-terms.ts'
import { stringAt, stringCount } from './string-table.ts'

export type Part = { readonly arrays: SegmentArrays; readonly gone: ReadonlySet<number> }

export function mergeParts(parts: readonly Part[]): SegmentArrays {
  const pages = mergePages(parts)
  const terms = mergeTerms(parts, pages.slots)
  return {
    ...packIds(pages.ids),
    lengths: pages.lengths.array,
    titleHashes: pages.titleHashes.array,
    descriptions: pages.descriptions.array,
    sectionStarts: pages.sectionStarts.array,
    sections: pages.sections.array,
    ...packTerms(terms.names),
    termPages: terms.pages.array,
    postingStarts: terms.postingStarts.array,
    postings: terms.postings.array,
    ...mergeStems(parts, terms.places, terms.names.length),
  }
}

const GONE = 0xffffffff

function mergePages(parts: readonly Part[]) {
  const ids: string[] = []
  const lengths = new GrowingUint32()
  const titleHashes = new GrowingUint32()
  const descriptions = new GrowingUint32()
  const sectionStarts = new GrowingUint32()
  const sections = new GrowingUint32()
  const slots = parts.map(({ arrays, gone }) => {
    const table = { starts: arrays.idStarts, characters: arrays.idCharacters }
    const moved = new Uint32Array(stringCount(table)).fill(GONE)
    for (let slot = 0; slot < moved.length; slot++) {
      if (gone.has(slot)) continue
      moved[slot] = ids.length
      ids.push(stringAt(table, slot))
      for (let field = 0; field < FIELDS; field++) lengths.push(arrays.lengths[slot * FIELDS + field]!)
      titleHashes.push(arrays.titleHashes[slot]!)
      descriptions.push(arrays.descriptions[slot]!)
      sectionStarts.push(sections.length / 2)
      const end = 2 * arrays.sectionStarts[slot + 1]!
      for (let at = 2 * arrays.sectionStarts[slot]!; at < end; at++) sections.push(arrays.sections[at]!)
    }
    return moved
  })
  sectionStarts.push(sections.length / 2)
  return { ids, lengths, titleHashes, descriptions, sectionStarts, sections, slots }
}

/** The union of the terms; `places` says for each part which term became which, or GONE. */
function mergeTerms(parts: readonly Part[], slots: readonly Uint32Array[]) {
  const tables = parts.map(({ arrays }) => ({
    starts: arrays.termStarts,
    characters: arrays.termCharacters,
  }))
  const holders = new Map<string, { part: number; term: number }[]>()
  for (const [part, table] of tables.entries()) {
    for (let term = 0; term < stringCount(table); term++) {
      const name = stringAt(table, term)
      const known = holders.get(name)
      if (known === undefined) holders.set(name, [{ part, term }])
      else known.push({ part, term })
    }
  }
  const names: string[] = []
  const pages = new GrowingUint32()
  const postingStarts = new GrowingUint32()
  const postings = new GrowingUint8()
  const places = tables.map(table => new Uint32Array(stringCount(table)).fill(GONE))
  postingStarts.push(0)
  for (const name of [...holders.keys()].sort()) {
    const writer = new PostingWriter(postings)
    const held = holders.get(name) ?? []
    for (const { part, term } of held) copyPages(parts[part]!.arrays, term, slots[part]!, writer)
    if (writer.pages === 0) continue
    for (const { part, term } of held) places[part]![term] = names.length
    names.push(name)
    pages.push(writer.pages)
    postingStarts.push(postings.length)
  }
  return { names, pages, postingStarts, postings, places }
}

function copyPages(arrays: SegmentArrays, term: number, moved: Uint32Array, writer: PostingWriter): void {
  const reader = new PostingReader(
    arrays.postings,
    arrays.postingStarts[term]!,
    arrays.postingStarts[term + 1]!,
  )
  while (reader.next()) {
    const slot = moved[reader.slot]!
    if (slot !== GONE) writer.write(slot, reader.counts, reader.positionBytes)
  }
}

function mergeStems(parts: readonly Part[], places: readonly Uint32Array[], count: number) {
  const stems = new Map<string, Set<number>>()
  for (const [part, { arrays }] of parts.entries()) {
    const table = { starts: arrays.stemStarts, characters: arrays.stemCharacters }
    for (let stem = 0; stem < stringCount(table); stem++) {
      const name = stringAt(table, stem)
      const end = arrays.stemTermStarts[stem + 1]!
      for (let at = arrays.stemTermStarts[stem]!; at < end; at++) {
        const term = places[part]![arrays.stemTerms[at]!]!
        if (term === GONE) continue
        const terms = stems.get(name)
        if (terms === undefined) stems.set(name, new Set([term]))
        else terms.add(term)
      }
    }
  }
  return packStems(
    stems,
    Uint32Array.from({ length: count }, (_, term) => term),
  )
}
