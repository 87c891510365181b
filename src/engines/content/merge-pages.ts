// Three-way merge of pages and of the tree they stand in. Whether a page stands, under which parent, with which fields:
// each is decided by itself, and then every list of children is made anew of the pages that belong to it, so page,
// parent and list always agree. What the pages of both sides cannot be together (merge-tree.ts finds out) comes back
// as overrides.
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide, type Side } from './merge-conflicts.ts'
import { mergeLists } from './merge-lists.ts'
import { type Fields, mergeFields, type Triple } from './merge-records.ts'
import type { Documents } from './merge-texts.ts'
import {
  type AnyRecord,
  equalRecords,
  type Key,
  type PageRecord,
  pageKey,
  TREE_KEY,
  type TreeRecord,
} from './records.ts'

export type PageTriple = Triple<PageRecord>
type Parent = string | null

/** What was decided about pages beyond what their sides say. */
export type Overrides = {
  readonly parents: Map<string, Parent>
  readonly slugs: Map<string, string>
  /** The side whose shape a page has. */
  readonly shapes: Map<string, Side>
  readonly gone: Set<string>
}

// What makes a page a document, a group or a link; of two sides that disagree about it the one or the other stands.
const SHAPE: ReadonlySet<string> = new Set(['type', 'slug', 'target', 'computed'])
const DOCUMENT: ReadonlySet<string> = new Set(['document', 'oid'])

/** Which version of a page stands: one of the three as it is, or the fields of both sides merged. */
type Version = Side | 'merged'

export class PageMerge {
  readonly #pages: Map<string, PageTriple>
  readonly #tree: Triple<TreeRecord>
  readonly #settlement: Settlement
  readonly #documents: Documents
  /** Pages that stand, by the version that does; those of `pages` that are absent are gone. */
  readonly #versions = new Map<string, Version>()
  readonly #parents = new Map<string, Parent>()
  readonly #fields = new Map<string, Fields>()

  constructor(
    pages: ReadonlyMap<string, PageTriple>,
    tree: Triple<TreeRecord>,
    settlement: Settlement,
    documents: Documents,
  ) {
    this.#pages = new Map(pages)
    this.#tree = tree
    this.#settlement = settlement
    this.#documents = documents
    this.#decideExistence()
    for (const [id, version] of this.#versions) this.#decidePage(id, version)
  }

  /** Those that a side changed or that were adopted. */
  get pages(): ReadonlyMap<string, PageTriple> {
    return this.#pages
  }

  /** Takes in a page that neither side changed: another shall stand below it. */
  adopt(id: string, record: PageRecord): void {
    if (this.#pages.has(id)) return
    this.#pages.set(id, { base: record, ours: record, theirs: record })
    this.#parents.set(id, record.parent)
    this.#fields.set(id, record)
  }

  /** The records under all those keys; null for none. */
  build(overrides: Overrides): Map<Key, AnyRecord | null> {
    const parents = this.#settleParents(overrides)
    const members = new Map<Parent, Set<string>>()
    for (const [id, parent] of parents) {
      const known = members.get(parent)
      if (known === undefined) members.set(parent, new Set([id]))
      else known.add(id)
    }
    const records = new Map<Key, AnyRecord | null>()
    for (const [id, triple] of this.pages) {
      const parent = parents.get(id)
      if (parent === undefined) {
        records.set(pageKey(id), null)
        continue
      }
      const children = this.#childrenOf(triple, id, parents, members.get(id))
      const slug = overrides.slugs.get(id)
      const fields = this.#fieldsOf(id, overrides.shapes.get(id))
      const record = { ...fields, ...(slug === undefined ? {} : { slug }), parent, children }
      records.set(pageKey(id), record as unknown as PageRecord)
    }
    const tree = this.#tree
    if (tree.ours !== null || tree.theirs !== null || members.has(null))
      records.set(TREE_KEY, { children: this.#childrenOf(tree, null, parents, members.get(null)) })
    return records
  }

  #decideExistence(): void {
    for (const [id, { base, ours, theirs }] of this.pages) {
      if (ours !== null && theirs !== null) this.#versions.set(id, 'merged')
      else if (base === null) this.#versions.set(id, ours === null ? 'theirs' : 'ours')
    }
    for (const side of ['ours', 'theirs'] as const)
      for (const [top, touched] of this.#disputedDeletions(side)) this.#settleDeletion(side, top, touched)
  }

  /**
   * The pages that `side` deleted and below or at which the other side did something, by the topmost of them that was
   * deleted: who deletes a page means all that is below it.
   */
  #disputedDeletions(side: 'ours' | 'theirs'): Map<string, Set<string>> {
    const other = side === 'ours' ? 'theirs' : 'ours'
    const isDeleted = (id: string | null): id is string => {
      const triple = id === null ? undefined : this.pages.get(id)
      return triple !== undefined && triple.base !== null && triple[side] === null
    }
    const touched = new Map<string, Set<string>>()
    const touch = (id: string, by: string): void => {
      let top = id
      for (;;) {
        const parent = this.pages.get(top)?.base?.parent ?? null
        if (!isDeleted(parent)) break
        top = parent
      }
      touched.set(top, (touched.get(top) ?? new Set()).add(by))
    }
    for (const [id, triple] of this.pages) {
      const kept = triple[other]
      if (kept === null) continue
      if (isDeleted(id) && !equalRecords(own(triple.base), own(kept))) touch(id, id)
      const isArrival = triple.base === null || triple.base.parent !== kept.parent
      if (isArrival && isDeleted(kept.parent)) touch(kept.parent, id)
    }
    return touched
  }

  #settleDeletion(side: 'ours' | 'theirs', top: string, touched: ReadonlySet<string>): void {
    const { base, ours, theirs } = this.pages.get(top) as PageTriple
    const conflict: Conflict = {
      kind: 'deleted',
      key: pageKey(top),
      field: 'existence',
      ...{ base, ours, theirs },
      pages: [...touched].sort(),
    }
    const take = this.#settlement.take(conflict) ?? 'ours'
    if (!isSide(take)) this.#settlement.refuse(conflict)
    const version = isSide(take) ? take : 'ours'
    if (version === side) return
    for (const id of this.#deletedBelow(side, top)) {
      if (this.pages.get(id)?.[version] != null) this.#versions.set(id, version)
    }
  }

  /** The page and what stood below it before, as far as the side deleted it. */
  *#deletedBelow(side: 'ours' | 'theirs', top: string): Generator<string> {
    const waiting = [top]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const triple = this.pages.get(id)
      if (triple?.base == null || triple[side] !== null) continue
      yield id
      waiting.push(...triple.base.children)
    }
  }

  #decidePage(id: string, version: Version): void {
    const triple = this.pages.get(id) as PageTriple
    const { base, ours, theirs } = triple
    if (version !== 'merged' || ours === null || theirs === null) {
      const record = triple[version as Side] as PageRecord
      this.#parents.set(id, record.parent)
      this.#fields.set(id, record)
      return
    }
    const key = pageKey(id)
    this.#parents.set(id, this.#mergeParent(key, triple))
    const fields = mergeFields(key, triple as Triple<Fields>, this.#settlement)
    const { document, oid } = this.#documents.merge(key, { base, ours, theirs })
    this.#fields.set(id, { ...fields, document, ...(oid === undefined ? {} : { oid }) })
  }

  #mergeParent(key: Key, triple: PageTriple): Parent {
    const [base, ours, theirs] = [triple.base, triple.ours, triple.theirs].map(
      record => record?.parent ?? null,
    )
    if (ours === theirs || (triple.base !== null && theirs === base)) return ours as Parent
    if (triple.base !== null && ours === base) return theirs as Parent
    const conflict: Conflict = { kind: 'field', key, field: 'parent', base, ours, theirs }
    const take = this.#settlement.take(conflict)
    if (take === undefined) return ours as Parent
    if (isSide(take)) return { base, ours, theirs }[take] as Parent
    this.#settlement.refuse(conflict)
    return ours as Parent
  }

  #fieldsOf(id: string, shape: Side | undefined): Fields {
    const fields = this.#fields.get(id) as Fields
    const shaped = shape === undefined ? null : (this.pages.get(id) as PageTriple)[shape]
    if (shaped === null) return fields
    // A text that both have stays merged.
    const isOfOneSide = fields.document === null || shaped.document === null
    const isShape = ([name]: [string, unknown]): boolean =>
      SHAPE.has(name) || (isOfOneSide && DOCUMENT.has(name))
    const rest = Object.entries(fields).filter(member => !isShape(member))
    return Object.fromEntries([...rest, ...Object.entries(shaped).filter(isShape)])
  }

  /**
   * The parent of every page that stands. One whose parent is gone goes too when one side made it there; else it stays
   * where a side has it that still has a place for it, and at the root where none has.
   */
  #settleParents({ parents: moved, gone: dropped }: Overrides): Map<string, Parent> {
    const parents = new Map([...this.#parents, ...moved])
    for (const id of dropped) parents.delete(id)
    const isGone = (id: Parent): boolean => id !== null && this.pages.has(id) && !parents.has(id)
    const below = Map.groupBy(parents.keys(), id => parents.get(id) as Parent)
    const waiting = [...parents.keys()].filter(id => isGone(parents.get(id) as Parent))
    // Pages only ever go, so each is looked at again no more often than it has had parents.
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (!parents.has(id) || !isGone(parents.get(id) as Parent)) continue
      const triple = this.pages.get(id) as PageTriple
      const elsewhere = [triple.ours, triple.theirs, triple.base].find(
        record => record !== null && !isGone(record.parent),
      )
      const isNew = triple.base === null && (triple.ours === null || triple.theirs === null)
      if (isNew) {
        parents.delete(id)
        for (const child of below.get(id) ?? []) waiting.push(child)
      } else {
        // Nobody deleted it, so it stands, if only at the root.
        const parent = elsewhere?.parent ?? null
        parents.set(id, parent)
        const others = below.get(parent)
        if (others === undefined) below.set(parent, [id])
        else others.push(id)
      }
    }
    return parents
  }

  #childrenOf(
    triple: Triple<{ readonly children: readonly string[] }>,
    parent: Parent,
    parents: ReadonlyMap<string, Parent>,
    members: ReadonlySet<string> = new Set(),
  ): string[] {
    const base = triple.base?.children ?? []
    const ours = triple.ours?.children ?? []
    const theirs = triple.theirs?.children ?? []
    // Whoever neither side changed belongs where it did.
    const isMember = (id: string): boolean => (this.pages.has(id) ? parents.get(id) === parent : true)
    const merged = mergeLists({ base, ours, theirs, isKept: isMember }).map(({ id }) => id)
    const listed = new Set(merged)
    return [...merged, ...[...members].filter(id => !listed.has(id)).sort()]
  }
}

/** What a page says of itself and its place: not when it was written, what git calls it, or what stands below it. */
function own(record: PageRecord | null): Fields {
  const { children: _c, updatedAt: _u, createdAt: _m, oid: _o, ...fields } = record as PageRecord
  return fields
}
