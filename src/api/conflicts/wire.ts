// Converts the conflicts of a merge to their wire format.
import type { Content } from '../../engines/content/content.ts'
import type { Conflict as EngineConflict } from '../../engines/content/merge.ts'
import {
  type FileRecord,
  type Key,
  type PageRecord,
  pageKey,
  type ReusableRecord,
  splitKey,
} from '../../engines/content/records.ts'
import { pathOf } from '../../engines/content/tree.ts'
import type { Services } from '../../http/context.ts'
import { encodeDocumentId, toDownloadUrl } from '../content/signed-references.ts'
import { describeConflict, type MessageSide } from './messages.ts'
import type { About, Conflict } from './schema.ts'

// Per answer. A conflict of two pages is a few kilobytes.
const LISTED_MAX = 1_000
const ANSWER_CHARACTERS_MAX = 8 * 1024 * 1024
const TEXT_CHARACTERS_MAX = 256 * 1024
/** Other pages that one conflict lists. */
const PAGES_MAX = 100

type Sides = { readonly ours: MessageSide; readonly theirs: MessageSide }

/** Context for describing conflicts: the compared revisions, nearest first. */
export type ConflictView = Pick<Services, 'urls' | 'signingKey'> & {
  readonly spaceId: string
  readonly sides: Sides
  readonly contents: readonly Content[]
}

/** As many as fit in one answer, and how many more there are. */
export function toConflicts(
  view: ConflictView,
  conflicts: readonly EngineConflict[],
): { conflicts: Conflict[]; more?: number } {
  const listed: Conflict[] = []
  let characters = 0
  for (const conflict of conflicts.slice(0, LISTED_MAX)) {
    const wire = toConflict(view, conflict)
    characters += JSON.stringify(wire).length
    if (characters > ANSWER_CHARACTERS_MAX && listed.length > 0) break
    listed.push(wire)
  }
  const more = conflicts.length - listed.length
  return { conflicts: listed, ...(more === 0 ? {} : { more }) }
}

function toConflict(view: ConflictView, conflict: EngineConflict): Conflict {
  const { key, field, block, kind } = conflict
  const about = aboutOf(view, key)
  const others = (conflict.pages ?? []).filter(id => pageKey(id) !== key).slice(0, PAGES_MAX)
  const pages = others.flatMap(id => aboutOf(view, pageKey(id)) ?? [])
  const values = (['base', 'ours', 'theirs'] as const).map(side => toValue(view, conflict, conflict[side]))
  const [base, ours, theirs] = values.map(({ value }) => value)
  return {
    ...toAddress(key),
    ...(field === undefined ? {} : { field }),
    ...(block === undefined ? {} : { block }),
    kind,
    message: describeConflict(conflict, { about, pages, sides: view.sides }),
    ...(about === undefined ? {} : { about }),
    ...(pages.length === 0 ? {} : { pages }),
    ...{ base, ours, theirs },
    ...(values.some(({ isCut }) => isCut) ? { isCut: true } : {}),
  }
}

function toAddress(key: Key): Pick<Conflict, 'page' | 'file' | 'reusableContent' | 'variable' | 'key'> {
  if (key === 'tree' || key === 'git/summary' || key === 'git/config') return { key }
  const [kind, name] = splitKey(key)
  switch (kind) {
    case 'page':
      return { page: name }
    case 'file':
      return { file: name }
    case 'reusable':
      return { reusableContent: name }
    case 'variable':
      return { variable: name }
  }
}

/** How people know it: from the first of the revisions that has it. */
function aboutOf({ contents }: ConflictView, key: Key): About | undefined {
  const [kind, id] = splitKey(key)
  for (const { pages, files, reusables } of contents) {
    const page = kind === 'page' ? pages.get(id) : undefined
    if (page !== undefined) return { id, title: page.title, path: pathOf(pages, id) ?? page.slug }
    const file = kind === 'file' ? files.get(id) : undefined
    if (file !== undefined) return { id, title: file.name }
    const reusable = kind === 'reusable' ? reusables.get(id) : undefined
    if (reusable !== undefined) return { id, title: reusable.title }
  }
  return undefined
}

type Shown = { readonly value: unknown; readonly isCut: boolean }

/**
 * Records and hashes are internal; only what the API returns elsewhere is shown of them. The engine's values are
 * untyped: those of `existence` are records of the key's kind, those of a blob have the fields of a file that describe
 * its bytes.
 */
function toValue(view: ConflictView, { key, field }: EngineConflict, value: unknown): Shown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return { value, isCut: false }
  const [kind] = splitKey(key)
  // The casts here and in `toThing` rely on the comment above.
  if (field === 'existence') return { value: toThing(view, kind, value), isCut: false }
  if (field === 'blob') {
    const name = aboutOf(view, key)?.title ?? 'file'
    return { value: toBytes(view, { ...(value as FileRecord), name }), isCut: false }
  }
  return { value, isCut: false }
}

const cut = (text: string): Shown =>
  text.length <= TEXT_CHARACTERS_MAX
    ? { value: text, isCut: false }
    : { value: text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(), isCut: true }

function toThing(view: ConflictView, kind: string, value: object): object {
  if (kind === 'file') {
    const file = value as FileRecord
    return { name: file.name, ...toBytes(view, file) }
  }
  const { title, document, ...rest } = value as PageRecord | ReusableRecord
  return {
    title,
    ...('slug' in rest ? { type: rest.type, slug: rest.slug, parent: rest.parent } : {}),
    ...(document === null ? {} : { documentId: encodeDocumentId(view.signingKey, view.spaceId, document) }),
  }
}

const toBytes = ({ urls, signingKey }: ConflictView, file: FileRecord): object => ({
  contentType: file.contentType,
  size: file.size,
  ...(file.dimensions === undefined ? {} : { dimensions: file.dimensions }),
  downloadURL: toDownloadUrl(urls, signingKey, {
    blob: file.blob,
    name: file.name,
    contentType: file.contentType,
  }),
})
