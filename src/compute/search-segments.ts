// Segments of a search index, built in a thread. All threads share their memory.
import type { Language } from '../engines/search/language.ts'
import type { SourcePage } from '../engines/search/page-words.ts'
import { buildSegment, mergeSegments, openSegment } from '../engines/search/segment.ts'
import type { Task } from './task.ts'

export type SegmentPages = { readonly pages: readonly SourcePage[]; readonly language: Language }

export const searchSegment: Task<SegmentPages, SharedArrayBuffer> = ({ pages, language }) =>
  buildSegment(pages, language)

export type MergedParts = {
  readonly parts: readonly { readonly buffer: SharedArrayBuffer; readonly gone: ReadonlySet<number> }[]
}

export const mergedSegment: Task<MergedParts, SharedArrayBuffer> = ({ parts }) =>
  mergeSegments(parts.map(({ buffer, gone }) => ({ segment: openSegment(buffer), gone })))
