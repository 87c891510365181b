// The state that the changes of one request share: their base, and the effects of earlier changes.
import { addUnder } from '../../../base/lists.ts'
import type { Compute } from '../../../compute/compute.ts'
import { Draft } from '../../../engines/content/draft.ts'
import {
  type FileRecord,
  fileKey,
  type Hash,
  isPageEdited,
  isPageKey,
  type PageKey,
  PLACED_KINDS,
  type PlacedKey,
  splitKey,
  type TextKey,
} from '../../../engines/content/records.ts'
import type { ObjectReads } from '../../../engines/content/store.ts'
import type { Unwritten } from '../../../engines/markdown/render/render.ts'
import type { LinkTarget, NewDocument } from '../request/fields.ts'
import type { RecordRef, Refs } from '../request/prepare.ts'
import type { ChangeOf } from '../request/schema.ts'
import type { Addresses, Elsewhere } from './other-spaces.ts'
import type { Places } from './places.ts'
import { type Missing, UNRESOLVED_MAX, type Unresolved } from './unresolved.ts'

/** A planned change to a text. Texts are written once the tree is final. */
export type Step =
  | {
      readonly kind: 'write'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly metadata: Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
      /** The title of the page before and after this change. */
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** A reusable content and its title. */
  | {
      readonly kind: 'include'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** The text of another revision. */
  | { readonly kind: 'reset'; readonly index: number; readonly document: Hash | null }
  /** Undoes changes to single blocks since another text. */
  | {
      readonly kind: 'undo'
      readonly index: number
      readonly document: Hash | null
      readonly blocks: readonly string[]
    }
  /** Links to a file that has another path now. */
  | { readonly kind: 'relink'; readonly index: number; readonly from: string; readonly to: string }
  /** Where a link page leads. */
  | {
      readonly kind: 'aim'
      readonly index: number
      readonly page: PageKey
      readonly target: LinkTarget
    }

/** A block of the document of a page or a reusable content. */
export type UnwrittenBlock = Unwritten & { readonly from: RecordRef }

/** Of one request. */
export const UNWRITTEN_MAX = 500

function recordOf(key: TextKey): RecordRef {
  const [prefix, id] = splitKey(key)
  return { kind: PLACED_KINDS[prefix], id }
}

/** What the changes are applied to. */
export type Base = {
  readonly compute: Compute
  readonly store: ObjectReads
  /** The owner of the head: the id of the change request or of the space, and the space. */
  readonly owner: { readonly spaceId: string; readonly id: string }
  readonly root: Hash
  /** The head, if `root` is another content: the places of things are those of the head. */
  readonly head?: Hash
  /** Older contents that texts of the request were read in. */
  readonly rootsRead?: readonly Hash[]
  /** The root of a revision of the space, to revert to; undefined if it does not exist. */
  readonly rootOf: (revisionId: string) => Promise<Hash | undefined>
  /** The revision to revert to when none is named; null if one has to be named. */
  readonly baseRevision: string | null
  /** The address of a space that a document refers to. */
  readonly spaceUrl: (spaceId: string) => string
  /** The addresses of pages and files of other spaces that the author may read. */
  readonly findAddresses: (wanted: readonly Elsewhere[]) => Promise<Addresses>
  /** The pages and reusable contents of `root` whose texts lead to a file, at most so many. */
  readonly findLeading: (
    file: { readonly id: string; readonly file: string },
    limit: number,
  ) => Promise<readonly string[]>
  /** What stored bytes are under a name. */
  readonly describe: (blob: Hash, name: string) => Promise<Pick<FileRecord, 'contentType' | 'dimensions'>>
  readonly now: Date
  /** The id of the person who writes; null for a program. */
  readonly author: string | null
}

/** A record that was created, updated or deleted; `ref` is the name that the request gave it. */
export type AppliedChange = {
  readonly kind: 'page' | 'reusable-content' | 'file'
  readonly how: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly ref: string | undefined
  /** The file as it is now, of one that was updated. */
  readonly file?: FileRecord
}

export class Batch {
  readonly base: Base
  readonly draft: Draft
  readonly places: Places
  /** The index of paths before the request. */
  readonly placesBefore: Places
  readonly refs: Refs
  readonly insertedFiles: [string, FileRecord][] = []
  /** What the texts of the request refer to and is not there; the first of it. */
  readonly unresolved: Unresolved[] = []
  /** The blocks of documents that could not be written as they are without losing words; the first of them. */
  readonly unwritten: UnwrittenBlock[] = []
  /** The steps for each text, by the key of its record. */
  readonly texts = new Map<TextKey, Step[]>()
  /** The index of the last change to each record, in the order of first touch. */
  readonly #touched = new Map<PlacedKey, number>()

  constructor(base: Base, places: Places, refs: Refs) {
    this.base = base
    this.draft = new Draft(base.store, base.root)
    this.placesBefore = places
    this.places = places.fork()
    this.refs = refs
  }

  touch(key: PlacedKey, index: number): void {
    this.#touched.set(key, index)
  }

  touchedBy(key: PlacedKey): number | undefined {
    return this.#touched.get(key)
  }

  queueStep(key: TextKey, step: Step): void {
    addUnder(this.texts, key, step)
  }

  leaveUnwritten(key: TextKey, blocks: readonly Unwritten[]): void {
    const from = recordOf(key)
    for (const one of blocks.slice(0, UNWRITTEN_MAX - this.unwritten.length))
      this.unwritten.push({ ...one, from })
  }

  leaveUnresolved(key: TextKey, missing: readonly Missing[]): void {
    const from = recordOf(key)
    for (const one of missing.slice(0, UNRESOLVED_MAX - this.unresolved.length))
      this.unresolved.push({ ...one, from })
  }

  /** Sets the time of the edit on edited pages. */
  dateEdits(): void {
    const { draft } = this
    const now = this.base.now.toISOString()
    for (const key of this.#touched.keys()) {
      if (!isPageKey(key)) continue
      const after = draft.get(key)
      const before = draft.before(key)
      if (after === null) continue
      if (before === null) draft.set(key, { ...after, createdAt: after.createdAt ?? now, updatedAt: now })
      else if (isPageEdited(before, after)) draft.set(key, { ...after, updatedAt: now })
    }
  }

  appliedChanges(): AppliedChange[] {
    const refById = new Map([...this.refs.named].map(({ id, ref }) => [id, ref]))
    const all: AppliedChange[] = []
    for (const key of this.#touched.keys()) {
      const [prefix, id] = splitKey(key)
      const isBefore = this.draft.before(key) !== null
      const isAfter = this.draft.get(key) !== null
      if (!isBefore && !isAfter) continue
      const how = !isBefore ? 'created' : isAfter ? 'updated' : 'deleted'
      const kind = PLACED_KINDS[prefix]
      const file = prefix === 'file' ? this.draft.get(fileKey(id)) : null
      all.push({
        ...{ kind, how, id, ref: how === 'created' ? refById.get(id) : undefined },
        ...(file === null ? {} : { file }),
      })
    }
    const pages = all.filter(({ kind }) => kind === 'page')
    return [
      ...pages,
      ...all.filter(({ kind, how }) => kind !== 'page' && (kind !== 'file' || how !== 'created')),
    ]
  }
}
