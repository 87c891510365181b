// What people do to the tree of pages: as changes of the API, as the tree is afterwards, and the changes that undo it.
// Places are said by neighbours, so that they hold in a tree that others changed meanwhile.

/** What is read of a page here. */
export type PageNode<Page> = {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly emoji?: string | undefined
  readonly hidden?: boolean | undefined
  readonly target?: { readonly kind: string; readonly url?: string } | undefined
  readonly pages?: readonly Page[] | undefined
}

interface Node extends PageNode<Node> {}

export type TreeChange =
  | (Fields & {
      readonly operation: 'update_page'
      readonly page: string
      readonly into?: string | null
      readonly at?: number
      readonly followTitle?: true
    })
  | { readonly operation: 'delete_page'; readonly page: string }
  | { readonly operation: 'revert_page'; readonly page: string; readonly revision: string }

/** Beside a page, or as the last one below it. */
export type Drop = { readonly key: string; readonly dropPosition: 'before' | 'after' | 'on' }

type Fields = {
  readonly title?: string
  readonly emoji?: string
  readonly hidden?: boolean
  readonly target?: { readonly kind: 'url'; readonly url: string }
}

export type TreeAction =
  | { readonly kind: 'move'; readonly ids: readonly string[]; readonly drop: Drop }
  | { readonly kind: 'change'; readonly ids: readonly string[]; readonly fields: Fields }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }

type Parent = string | null
type Place = {
  readonly id: string
  readonly parent: Parent
  /** The page before it; null for the first. */
  readonly after: string | null
}

/** A tree by its pages, which can be moved. */
class Places<Page extends PageNode<Page>> {
  readonly pages = new Map<string, Page>()
  readonly parents = new Map<string, Parent>()
  readonly #below = new Map<Parent, string[]>()

  constructor(pages: readonly Page[]) {
    this.#enter(pages, null)
  }

  #enter(pages: readonly Page[], parent: Parent): void {
    this.#below.set(
      parent,
      pages.map(({ id }) => id),
    )
    for (const page of pages) {
      this.pages.set(page.id, page)
      this.parents.set(page.id, parent)
      this.#enter(page.pages ?? [], page.id)
    }
  }

  below(parent: Parent): string[] {
    return this.#below.get(parent) ?? []
  }

  siblings(id: string): string[] {
    return this.below(this.parents.get(id) ?? null)
  }

  above(id: string): string[] {
    const parent = this.parents.get(id) ?? null
    return parent === null ? [] : [...this.above(parent), parent]
  }

  /** Those that can be written, in the order of the tree, without what is below another of them. */
  topmost(ids: readonly string[]): string[] {
    const wanted = new Set(ids)
    return [...this.pages.values()].flatMap(({ id, type }) =>
      wanted.has(id) && type !== 'computed' && !this.above(id).some(one => wanted.has(one)) ? [id] : [],
    )
  }

  placeOf(id: string): Place {
    const siblings = this.siblings(id)
    return { id, parent: this.parents.get(id) ?? null, after: siblings[siblings.indexOf(id) - 1] ?? null }
  }

  take(id: string): void {
    const siblings = this.siblings(id)
    const at = siblings.indexOf(id)
    if (at !== -1) siblings.splice(at, 1)
  }

  /** The index among the siblings that the API counts: computed pages have none. */
  put({ id, parent, after }: Place): number {
    this.take(id)
    const siblings = this.below(parent)
    const before = after === null ? 0 : siblings.indexOf(after) + 1
    const at = after !== null && before === 0 ? siblings.length : before
    siblings.splice(at, 0, id)
    this.parents.set(id, parent)
    return siblings.slice(0, at).filter(one => this.pages.get(one)?.type !== 'computed').length
  }

  get tree(): Page[] {
    const build = (parent: Parent): Page[] =>
      this.below(parent).flatMap(id => {
        const page = this.pages.get(id)
        return page === undefined ? [] : [{ ...page, pages: build(id) }]
      })
    return build(null)
  }
}

/** Where they come, one after the other. */
function placesAt<Page extends PageNode<Page>>(
  places: Places<Page>,
  ids: readonly string[],
  { key, dropPosition }: Drop,
): Place[] {
  const moved = new Set(ids)
  const parent = dropPosition === 'on' ? key : (places.parents.get(key) ?? null)
  const siblings = places.below(parent).filter(id => !moved.has(id) || id === key)
  const at =
    dropPosition === 'on' ? siblings.length : siblings.indexOf(key) + (dropPosition === 'after' ? 1 : 0)
  let after = siblings.slice(0, at).findLast(id => !moved.has(id)) ?? null
  return ids.map(id => {
    const place = { id, parent, after }
    after = id
    return place
  })
}

const move = <Page extends PageNode<Page>>(places: Places<Page>, to: readonly Place[]): TreeChange[] =>
  to.map(place => ({
    operation: 'update_page',
    page: place.id,
    into: place.parent,
    at: places.put(place),
  }))

/** To be sent as one request. */
export function changesOf(pages: readonly Node[], action: TreeAction): TreeChange[] {
  const places = new Places(pages)
  const ids = places.topmost(action.ids)
  switch (action.kind) {
    case 'move':
      return move(places, placesAt(places, ids, action.drop))
    case 'change':
      return ids.map(page => ({ operation: 'update_page', page, ...named(action.fields) }))
    case 'delete':
      return ids.map(page => ({ operation: 'delete_page', page }))
  }
}

/** The tree as it will be. */
export function treeAfter<Page extends PageNode<Page>>(pages: readonly Page[], action: TreeAction): Page[] {
  const places = new Places(pages)
  const ids = places.topmost(action.ids)
  for (const id of ids) {
    const page = places.pages.get(id)
    if (action.kind === 'delete') places.take(id)
    else if (action.kind === 'change' && page !== undefined)
      places.pages.set(id, { ...page, ...action.fields })
  }
  if (action.kind === 'move') move(places, placesAt(places, ids, action.drop))
  return places.tree
}

/** What undoes an action; `revision` is of the content before it. */
export function undoOf(pages: readonly Node[], action: TreeAction, revision: string): TreeChange[] {
  const before = new Places(pages)
  const ids = before.topmost(action.ids)
  switch (action.kind) {
    case 'move':
      return move(
        new Places(treeAfter(pages, action)),
        ids.map(id => before.placeOf(id)),
      )
    case 'change':
      return ids.map(page => ({
        operation: 'update_page',
        page,
        ...named(fieldsBefore(before.pages.get(page), action.fields)),
      }))
    case 'delete':
      return ids.map(page => ({ operation: 'revert_page', page, revision }))
  }
}

/** A page that is not published yet has the address that its title gives. */
const named = (fields: Fields): Fields & { readonly followTitle?: true } =>
  fields.title === undefined ? fields : { ...fields, followTitle: true }

function fieldsBefore(page: Node | undefined, { title, emoji, hidden, target }: Fields): Fields {
  const url = page?.target?.kind === 'url' ? page.target.url : undefined
  return {
    ...(title === undefined || page === undefined ? {} : { title: page.title }),
    ...(emoji === undefined ? {} : { emoji: page?.emoji ?? '' }),
    ...(hidden === undefined ? {} : { hidden: page?.hidden ?? false }),
    ...(target === undefined || url === undefined ? {} : { target: { kind: 'url', url } }),
  }
}

export type Step = 'up' | 'down' | 'in' | 'out'

/** Where a key moves pages that are beside each other; undefined where there is no such place. */
export function dropOf(pages: readonly Node[], ids: readonly string[], step: Step): Drop | undefined {
  const places = new Places(pages)
  const [first, ...others] = places.topmost(ids)
  if (first === undefined) return undefined
  const siblings = places.siblings(first)
  const previous = siblings[siblings.indexOf(first) - 1]
  const next = siblings[siblings.indexOf(others.at(-1) ?? first) + 1]
  const parent = places.parents.get(first) ?? null
  switch (step) {
    case 'up':
      return previous === undefined ? undefined : { key: previous, dropPosition: 'before' }
    case 'down':
      return next === undefined ? undefined : { key: next, dropPosition: 'after' }
    case 'in':
      return previous === undefined || !holdsPages(places.pages.get(previous))
        ? undefined
        : { key: previous, dropPosition: 'on' }
    case 'out':
      return parent === null ? undefined : { key: parent, dropPosition: 'after' }
  }
}

/** Whether pages can be below it. */
export const holdsPages = (page: Node | undefined): boolean =>
  page?.type === 'document' || page?.type === 'group'

/** The pages with all that is below them. */
export function withBelow<Page extends PageNode<Page>>(
  pages: readonly Page[],
  ids: readonly string[],
): Page[] {
  const wanted = new Set(ids)
  const within = (some: readonly Page[], isIn: boolean): Page[] =>
    some.flatMap(page => {
      const isWanted = isIn || wanted.has(page.id)
      return [...(isWanted ? [page] : []), ...within(page.pages ?? [], isWanted)]
    })
  return within(pages, false)
}
