// Three-way merge of pages and their tree. Existence, parent and fields of a page are decided separately; then every
// list of children is rebuilt from the pages that belong to it, so that page, parent and list always agree. Where the
// pages of both sides do not make a valid tree, merge-tree.ts returns overrides.
import { addUnder } from '../../base/lists.ts'
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide, type Side } from './merge-conflicts.ts'
import { mergeLists } from './merge-lists.ts'
import { findRename, isTwoSided, mergeFields, type Triple, type TwoSided } from './merge-records.ts'
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
import { mapVersions } from './versions.ts'

export type PageTriple = Triple<PageRecord>
type Parent = string | null

/** Decisions about pages that differ from the plain merge. */
export type Overrides = {
  readonly parents: Map<string, Parent>
  readonly slugs: Map<string, string>
  /** The side whose shape a page has. */
  readonly shapes: Map<string, Side>
  readonly gone: Set<string>
}

// The fields that make a page a document, a group or a link. If the sides disagree, one of them is taken as a whole.
const SHAPE: ReadonlySet<string> = new Set(['type', 'slug', 'target', 'computed'])
const DOCUMENT: ReadonlySet<string> = new Set(['document', 'oid'])

type PageFields = Omit<PageRecord, 'parent' | 'children'>

export class PageMerge {
  readonly #pages: Map<string, PageTriple>
  readonly #tree: Triple<TreeRecord>
  readonly #settlement: Settlement
  readonly #documents: Documents
  /** Of pages that exist in the result; `pages` without an entry are deleted. */
  readonly #parents = new Map<string, Parent>()
  readonly #fields = new Map<string, PageFields>()

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
    for (const [id, triple] of pages) {
      if (isTwoSided(triple)) this.#mergePage(id, triple)
      else if (triple.base === null) this.#take(id, triple.ours ?? triple.theirs)
    }
    for (const side of ['ours', 'theirs'] as const)
      for (const [top, touched] of this.#disputedDeletions(side)) this.#settleDeletion(side, top, touched)
  }

  /** The pages that a side changed, and adopted ones. */
  get pages(): ReadonlyMap<string, PageTriple> {
    return this.#pages
  }

  /** Adds a page that neither side changed, because another moves below it. */
  adopt(id: string, record: PageRecord): void {
    if (this.#pages.has(id)) return
    this.#pages.set(id, { base: record, ours: record, theirs: record })
    this.#take(id, record)
  }

  /** Takes the page as it is in one version, if it exists there. */
  #take(id: string, record: PageRecord | null | undefined): void {
    if (record == null) return
    this.#parents.set(id, record.parent)
    this.#fields.set(id, record)
  }

  /** The records of all pages and of the tree; null for deleted pages. */
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
      const merged = this.#fields.get(id)
      if (parent === undefined || merged === undefined) {
        records.set(pageKey(id), null)
        continue
      }
      const children = this.#childrenOf(triple, id, parents, members.get(id))
      const slug = overrides.slugs.get(id)
      const shape = overrides.shapes.get(id)
      const shaped = shape === undefined ? null : triple[shape]
      const fields = shaped === null ? merged : withShape(merged, shaped)
      records.set(pageKey(id), { ...fields, ...(slug === undefined ? {} : { slug }), parent, children })
    }
    const tree = this.#tree
    if (tree.ours !== null || tree.theirs !== null || members.has(null))
      records.set(TREE_KEY, { children: this.#childrenOf(tree, null, parents, members.get(null)) })
    return records
  }

  /**
   * The topmost pages that `side` deleted while the other side changed them or something below them, with the changed
   * pages: deleting a page means deleting everything below it.
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
    for (const [id, { base, ...sides }] of this.pages) {
      const kept = sides[other]
      if (kept === null) continue
      if (isDeleted(id) && base !== null && !equalRecords(own(base), own(kept))) touch(id, id)
      const isArrival = base === null || base.parent !== kept.parent
      if (isArrival && isDeleted(kept.parent)) touch(kept.parent, id)
    }
    return touched
  }

  #settleDeletion(side: 'ours' | 'theirs', top: string, touched: ReadonlySet<string>): void {
    const triple = this.pages.get(top)
    if (triple === undefined) return
    const conflict: Conflict = {
      kind: 'deleted',
      key: pageKey(top),
      field: 'existence',
      ...triple,
      pages: [...touched].sort(),
    }
    const take = this.#settlement.take(conflict) ?? 'ours'
    if (!isSide(take)) this.#settlement.refuse(conflict)
    const version = isSide(take) ? take : 'ours'
    if (version === side) return
    for (const id of this.#deletedBelow(side, top)) this.#take(id, this.pages.get(id)?.[version])
  }

  /** The page and the pages below it in the base, as far as the side deleted them. */
  *#deletedBelow(side: 'ours' | 'theirs', top: string): Generator<string> {
    const waiting = [top]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const triple = this.pages.get(id)
      if (triple?.base == null || triple[side] !== null) continue
      yield id
      waiting.push(...triple.base.children)
    }
  }

  #mergePage(id: string, triple: TwoSided<PageRecord>): void {
    const key = pageKey(id)
    this.#parents.set(id, this.#mergeParent(key, triple))
    const fields = mergeFields(key, triple, this.#settlement)
    const { document, oid } = this.#documents.merge(key, triple, findRename(key, triple))
    this.#fields.set(id, { ...fields, document, ...(oid === undefined ? {} : { oid }) })
  }

  #mergeParent(key: Key, triple: PageTriple): Parent {
    const parents = mapVersions(triple, record => record?.parent ?? null)
    const { base, ours, theirs } = parents
    if (ours === theirs || (triple.base !== null && theirs === base)) return ours
    if (triple.base !== null && ours === base) return theirs
    const conflict: Conflict = { kind: 'field', key, field: 'parent', ...parents }
    const take = this.#settlement.take(conflict)
    if (take === undefined) return ours
    if (isSide(take)) return parents[take]
    this.#settlement.refuse(conflict)
    return ours
  }

  /**
   * The parent of every page in the result. A page whose parent is deleted is deleted too if one side created it there;
   * else it stays where a side has it below an existing parent, and otherwise at the root.
   */
  #settleParents({ parents: moved, gone: dropped }: Overrides): Map<string, Parent> {
    const parents = new Map([...this.#parents, ...moved])
    for (const id of dropped) parents.delete(id)
    const isGone = (id: Parent): boolean => id !== null && this.pages.has(id) && !parents.has(id)
    const below = new Map<Parent, string[]>()
    const waiting: string[] = []
    for (const [id, parent] of parents) {
      addUnder(below, parent, id)
      if (isGone(parent)) waiting.push(id)
    }
    // Pages are only ever deleted, so each is visited at most once for each parent it has had.
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const before = parents.get(id)
      const triple = this.pages.get(id)
      if (before === undefined || triple === undefined || !isGone(before)) continue
      const elsewhere = [triple.ours, triple.theirs, triple.base].find(
        record => record !== null && !isGone(record.parent),
      )
      const isNew = triple.base === null && (triple.ours === null || triple.theirs === null)
      if (isNew) {
        parents.delete(id)
        for (const child of below.get(id) ?? []) waiting.push(child)
      } else {
        // No side deleted it, so it stays, if only at the root.
        const parent = elsewhere?.parent ?? null
        parents.set(id, parent)
        addUnder(below, parent, id)
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
    // A page that neither side changed keeps its parent.
    const isMember = (id: string): boolean => (this.pages.has(id) ? parents.get(id) === parent : true)
    const merged = mergeLists({ base, ours, theirs, isKept: isMember }).map(({ id }) => id)
    const listed = new Set(merged)
    return [...merged, ...[...members].filter(id => !listed.has(id)).sort()]
  }
}

/** The fields with the shape of another version. A document that both versions have stays merged. */
function withShape(fields: PageFields, shaped: PageRecord): PageFields {
  const isOfOneSide = fields.document === null || shaped.document === null
  const isShape = ([name]: [string, unknown]): boolean =>
    SHAPE.has(name) || (isOfOneSide && DOCUMENT.has(name))
  const rest = Object.entries(fields).filter(member => !isShape(member))
  // Both parts are fields of pages.
  return Object.fromEntries([...rest, ...Object.entries(shaped).filter(isShape)]) as PageFields
}

/** The fields whose change is lost when the page is deleted: not timestamps, oid and mode, or the list of children. */
function own(page: PageRecord): unknown {
  const { children: _c, updatedAt: _u, createdAt: _m, oid: _o, isExecutable: _x, ...fields } = page
  return fields
}
