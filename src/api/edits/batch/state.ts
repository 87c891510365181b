// The state that the changes of one request share: what they are applied to, and what the earlier ones made of it.
import { addUnder } from '../../../base/lists.ts'
import type { Compute } from '../../../compute/compute.ts'
import { Draft } from '../../../engines/content/draft.ts'
import {
  type FileRecord,
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
import type { LinkTarget, NewDocument } from '../request/fields.ts'
import type { Refs } from '../request/prepare.ts'
import type { ChangeOf } from '../request/schema.ts'
import type { Addresses, Elsewhere } from './other-spaces.ts'
import type { Places } from './places.ts'

/** What a change plans for a text. Texts are written once the tree is as the request leaves it. */
export type Step =
  | {
      readonly kind: 'write'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly metadata: Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
      /** What the page was called before this change and is called by it. */
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** A reusable content, and what it is called. */
  | {
      readonly kind: 'include'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** The text of another revision. */
  | {
      readonly kind: 'reset'
      readonly index: number
      readonly document: Hash | null
      readonly oid: string | undefined
    }
  /** Changes of single blocks since another text are undone. */
  | {
      readonly kind: 'undo'
      readonly index: number
      readonly document: Hash | null
      readonly blocks: readonly string[]
    }
  /** Where a link page leads. */
  | {
      readonly kind: 'aim'
      readonly index: number
      readonly page: PageKey
      readonly target: LinkTarget
    }

/** What the changes are applied to. */
export type Base = {
  readonly compute: Compute
  readonly store: ObjectReads
  /** Whose head it is: the id of the change request or of the space, and the space. */
  readonly owner: { readonly spaceId: string; readonly id: string }
  readonly root: Hash
  /** The root of a revision of the space, for what is reverted to it; undefined where there is none. */
  readonly rootOf: (revisionId: string) => Promise<Hash | undefined>
  /** What is reverted to when no revision is named; null where one has to be. */
  readonly baseRevision: string | null
  /** An address for a space, where documents refer to one. */
  readonly spaceUrl: (spaceId: string) => string
  /** Addresses for pages and files of other spaces, as far as the author may read them. */
  readonly findAddresses: (wanted: readonly Elsewhere[]) => Promise<Addresses>
  readonly now: Date
}

/** A record that was created, updated or deleted; `ref` is the name that the request gave it. */
export type AppliedChange = {
  readonly kind: 'page' | 'reusable-content' | 'file'
  readonly how: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly ref: string | undefined
}

export class Batch {
  readonly base: Base
  readonly draft: Draft
  readonly places: Places
  /** The index of paths before the request. */
  readonly placesBefore: Places
  readonly refs: Refs
  readonly insertedFiles: [string, FileRecord][] = []
  /** What has to be done with a text, by the key of the record that it belongs to. */
  readonly texts = new Map<TextKey, Step[]>()
  /** The index of the change that touched a record last, in the order of first touch. */
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

  /** Gives pages that were edited the time of the edit. */
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
      all.push({ kind, how, id, ref: how === 'created' ? refById.get(id) : undefined })
    }
    const pages = all.filter(({ kind }) => kind === 'page')
    return [
      ...pages,
      ...all.filter(({ kind, how }) => kind !== 'page' && (kind !== 'file' || how === 'deleted')),
    ]
  }
}
