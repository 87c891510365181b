// Merges segments, without removed pages. The result equals, byte for byte, the segment that is built from the same
// pages at once, and takes time in proportion to what is merged.

import { uint32At } from '../../base/typed-arrays.ts'
import { GrowingUint8, GrowingUint32 } from './growing.ts'
import { FIELDS, PostingWriter, readerOf } from './postings.ts'
import type { SegmentArrays } from './segment-format.ts'
import { packIds, packStems, packTerms } from './segment-terms.ts'
import { stringAt, stringCount } from './string-table.ts'

export type Part = { readonly arrays: SegmentArrays; readonly gone: ReadonlySet<number> }

export function mergeParts(parts: readonly Part[]): SegmentArrays {
  const pages = mergePages(parts)
  const terms = mergeTerms(pages.parts)
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
    ...mergeStems(terms.sources, terms.names.length),
  }
}

const GONE = 0xffffffff

/** A part with the new slot of each of its pages, or GONE. */
type MovedPart = { readonly arrays: SegmentArrays; readonly slots: Uint32Array }

function mergePages(parts: readonly Part[]) {
  const ids: string[] = []
  const lengths = new GrowingUint32()
  const titleHashes = new GrowingUint32()
  const descriptions = new GrowingUint32()
  const sectionStarts = new GrowingUint32()
  const sections = new GrowingUint32()
  const movedParts = parts.map(({ arrays, gone }): MovedPart => {
    const table = { starts: arrays.idStarts, characters: arrays.idCharacters }
    const moved = new Uint32Array(stringCount(table)).fill(GONE)
    for (let slot = 0; slot < moved.length; slot++) {
      if (gone.has(slot)) continue
      moved[slot] = ids.length
      ids.push(stringAt(table, slot))
      for (const length of arrays.lengths.subarray(slot * FIELDS, (slot + 1) * FIELDS)) lengths.push(length)
      titleHashes.push(uint32At(arrays.titleHashes, slot))
      descriptions.push(uint32At(arrays.descriptions, slot))
      sectionStarts.push(sections.length / 2)
      const [first, end] = [uint32At(arrays.sectionStarts, slot), uint32At(arrays.sectionStarts, slot + 1)]
      for (const position of arrays.sections.subarray(2 * first, 2 * end)) sections.push(position)
    }
    return { arrays, slots: moved }
  })
  sectionStarts.push(sections.length / 2)
  return { ids, lengths, titleHashes, descriptions, sectionStarts, sections, parts: movedParts }
}

/** Merges the terms. `places` of a source has the new number of each term, or GONE. */
function mergeTerms(parts: readonly MovedPart[]) {
  const sources = parts.map(({ arrays, slots }) => {
    const table = { starts: arrays.termStarts, characters: arrays.termCharacters }
    return { arrays, slots, table, places: new Uint32Array(stringCount(table)).fill(GONE) }
  })
  const holders = new Map<string, { source: (typeof sources)[number]; term: number }[]>()
  for (const source of sources) {
    for (let term = 0; term < source.places.length; term++) {
      const name = stringAt(source.table, term)
      const known = holders.get(name)
      if (known === undefined) holders.set(name, [{ source, term }])
      else known.push({ source, term })
    }
  }
  const names: string[] = []
  const pages = new GrowingUint32()
  const postingStarts = new GrowingUint32()
  const postings = new GrowingUint8()
  postingStarts.push(0)
  for (const name of [...holders.keys()].sort()) {
    const writer = new PostingWriter(postings)
    const held = holders.get(name) ?? []
    for (const { source, term } of held) copyPages(source.arrays, term, source.slots, writer)
    if (writer.pages === 0) continue
    for (const { source, term } of held) source.places[term] = names.length
    names.push(name)
    pages.push(writer.pages)
    postingStarts.push(postings.length)
  }
  return { names, pages, postingStarts, postings, sources }
}

function copyPages(arrays: SegmentArrays, term: number, moved: Uint32Array, writer: PostingWriter): void {
  const reader = readerOf(arrays, term)
  while (reader.next()) {
    const slot = uint32At(moved, reader.slot)
    if (slot !== GONE) writer.write(slot, reader.counts, reader.positionBytes)
  }
}

function mergeStems(
  sources: readonly { readonly arrays: SegmentArrays; readonly places: Uint32Array }[],
  count: number,
) {
  const stems = new Map<string, Set<number>>()
  for (const { arrays, places } of sources) {
    const table = { starts: arrays.stemStarts, characters: arrays.stemCharacters }
    for (let stem = 0; stem < stringCount(table); stem++) {
      const name = stringAt(table, stem)
      const [first, end] = [uint32At(arrays.stemTermStarts, stem), uint32At(arrays.stemTermStarts, stem + 1)]
      for (const before of arrays.stemTerms.subarray(first, end)) {
        const term = uint32At(places, before)
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
