// Which page of the space an entry of the repository is. Ids survive edits, renames and moves, because comments, links
// and bookmarks depend on them.
//
// A page with a file: the page that has that file; else one whose document has the same git blob id; else the one whose
// document is most alike (similarity.ts). A page without a file: by its title. A group: by slug, by title, by the pages
// in it. A link: by target and title, by target, by title. Each rule runs over everything before the next one begins,
// so that a weak match never takes a page from a strong one. All of it is linear.
import { canonicalJson, type Json } from '../../../base/canonical.ts'
import { nameOf } from '../../../base/paths.ts'
import type { ComputedSource, OutlineNode } from '../../../compute/outline.ts'
import type { PageRecord, PageType, Reference } from '../../../engines/content/records.ts'

/** The pages that a space had, by the properties that identify them. */
export class PreviousPages {
  readonly records: ReadonlyMap<string, PageRecord>
  readonly #unused = new Map<PageType, Set<string>>()

  constructor(records: ReadonlyMap<string, PageRecord>) {
    this.records = records
    for (const [id, { type }] of records) {
      const unused = this.#unused.get(type)
      if (unused === undefined) this.#unused.set(type, new Set([id]))
      else unused.add(id)
    }
  }

  get(id: string): PageRecord | undefined {
    return this.records.get(id)
  }

  /** Pages of a type that are not claimed yet. */
  unused(type: PageType): ReadonlySet<string> {
    return this.#unused.get(type) ?? new Set()
  }

  claim(type: PageType, id: string): void {
    this.#unused.get(type)?.delete(id)
  }

  /** Unclaimed pages by their `keyOf`, in the order of the map. */
  index(type: PageType, keyOf: (page: PageRecord, id: string) => string | undefined): Map<string, string[]> {
    const index = new Map<string, string[]>()
    for (const id of this.unused(type)) {
      const page = this.records.get(id)
      const key = page && keyOf(page, id)
      if (key === undefined) continue
      const ids = index.get(key)
      if (ids === undefined) index.set(key, [id])
      else ids.push(id)
    }
    return index
  }
}

/** Ids by the index of a node; absent for nodes that are not recognised yet. */
export type Ids = Map<number, string>

/** Gives nodes without an id the first unclaimed page that the index has under their key. */
function claimBy(
  nodes: readonly OutlineNode[],
  ids: Ids,
  previous: PreviousPages,
  type: PageType,
  index: Map<string, string[]>,
  keyOf: (node: OutlineNode, at: number) => string | undefined,
): void {
  // Each continues where it stopped, so that many pages with one key stay linear.
  const left = new Map([...index].map(([key, candidates]) => [key, candidates.values()]))
  nodes.forEach((node, at) => {
    if (ids.has(at)) return
    const key = keyOf(node, at)
    for (const id of (key === undefined ? undefined : left.get(key)) ?? []) {
      if (!previous.unused(type).has(id)) continue
      ids.set(at, id)
      previous.claim(type, id)
      return
    }
  })
}

const fileOf = ({ entry }: OutlineNode): string | undefined =>
  entry.kind === 'page' ? entry.file : undefined

/** Pages by their file, then by the blob id of their document: first those that kept their name, then in order. */
export function recogniseByFile(
  nodes: readonly OutlineNode[],
  ids: Ids,
  previous: PreviousPages,
  oidOf: (file: string) => string | undefined,
): void {
  claimBy(
    nodes,
    ids,
    previous,
    'document',
    previous.index('document', page => page.file),
    fileOf,
  )
  const oidOfNode = (node: OutlineNode) => {
    const file = fileOf(node)
    return file === undefined ? undefined : oidOf(file)
  }
  const withName = (oid: string | undefined, file: string | undefined) =>
    oid === undefined || file === undefined ? undefined : `${oid} ${nameOf(file)}`
  claimBy(
    nodes,
    ids,
    previous,
    'document',
    previous.index('document', page => withName(page.oid, page.file)),
    node => withName(oidOfNode(node), fileOf(node)),
  )
  claimBy(
    nodes,
    ids,
    previous,
    'document',
    previous.index('document', page => page.oid),
    oidOfNode,
  )
}

/** Pages without a file, by their title. */
export function recogniseByTitle(nodes: readonly OutlineNode[], ids: Ids, previous: PreviousPages): void {
  claimBy(
    nodes,
    ids,
    previous,
    'document',
    previous.index('document', page => (page.file === undefined ? page.title : undefined)),
    ({ entry }) => (entry.kind === 'page' && entry.file === undefined ? entry.title : undefined),
  )
}

/** Links that SUMMARY.md cannot express, by their titles, which are all that it has. */
export function recogniseLinksByTitle(
  nodes: readonly OutlineNode[],
  ids: Ids,
  previous: PreviousPages,
  isExpressible: (target: Reference) => boolean,
): void {
  const above = new Set(nodes.map(({ parent }) => parent))
  claimBy(
    nodes,
    ids,
    previous,
    'link',
    previous.index('link', page =>
      page.target === undefined || isExpressible(page.target) ? undefined : page.title,
    ),
    ({ entry }, at) =>
      entry.kind === 'page' && entry.file === undefined && !above.has(at) ? entry.title : undefined,
  )
}

/** Computed pages: by their whole source, then by the specification in it. */
export function recogniseComputed(nodes: readonly OutlineNode[], ids: Ids, previous: PreviousPages): void {
  // Sources are JSON, as every record is; their type has no index signature, which Json asks for.
  const keyOf = (source: unknown) => canonicalJson((source ?? null) as Json)
  const claim = (of: (source: ComputedSource) => string) =>
    claimBy(
      nodes,
      ids,
      previous,
      'computed',
      // Records contain only sources that were parsed as such.
      previous.index('computed', page => of(page.computed as never)),
      ({ entry }) => (entry.kind === 'computed' ? of(entry.source) : undefined),
    )
  claim(keyOf)
  claim(source => source.dependencies.spec.ref.spec)
}

/** Groups, once the pages in them have ids. */
export function recogniseGroups(nodes: readonly OutlineNode[], ids: Ids, previous: PreviousPages): void {
  const slugOf = ({ entry }: OutlineNode) => (entry.kind === 'group' ? entry.slug : undefined)
  const titleOf = ({ entry }: OutlineNode) => (entry.kind === 'group' ? entry.title : undefined)
  claimBy(
    nodes,
    ids,
    previous,
    'group',
    previous.index('group', page => page.slug),
    slugOf,
  )
  claimBy(
    nodes,
    ids,
    previous,
    'group',
    previous.index('group', page => page.title),
    titleOf,
  )
  // A renamed group is recognised by the first surviving page in it.
  const groupOfPage = new Map<string, string[]>()
  for (const id of previous.unused('group')) {
    for (const child of previous.get(id)?.children ?? []) groupOfPage.set(child, [id])
  }
  nodes.forEach(({ parent }, at) => {
    const child = ids.get(at)
    if (parent === null || child === undefined || ids.has(parent)) return
    if (nodes[parent]?.entry.kind !== 'group') return
    const [group] = groupOfPage.get(child) ?? []
    if (group === undefined || !previous.unused('group').has(group)) return
    ids.set(parent, group)
    previous.claim('group', group)
  })
}

/** Link pages, once the pages they may lead to have ids; `targetOf` is a link's target in those ids. */
export function recogniseLinks(
  nodes: readonly OutlineNode[],
  ids: Ids,
  previous: PreviousPages,
  targetOf: (at: number) => Reference | undefined,
): void {
  const titleOf = ({ entry }: OutlineNode) => (entry.kind === 'link' ? entry.title : undefined)
  const keyOf = (target: Reference | undefined) => (target === undefined ? undefined : canonicalJson(target))
  const both = (target: string | undefined, title: string | undefined) =>
    target === undefined || title === undefined ? undefined : `${target} ${title}`
  const wanted = (node: OutlineNode, at: number) =>
    node.entry.kind === 'link' ? keyOf(targetOf(at)) : undefined
  claimBy(
    nodes,
    ids,
    previous,
    'link',
    previous.index('link', page => both(keyOf(page.target), page.title)),
    (node, at) => both(wanted(node, at), titleOf(node)),
  )
  claimBy(
    nodes,
    ids,
    previous,
    'link',
    previous.index('link', page => keyOf(page.target)),
    wanted,
  )
  claimBy(
    nodes,
    ids,
    previous,
    'link',
    previous.index('link', page => page.title),
    titleOf,
  )
}
