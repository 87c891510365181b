// What an installation holds, as its API tells an administrator: the texts of all pages and what is said about them. Two
// installations with the same inventory have lost nothing to each other.
import { sha256 } from '../../src/base/canonical.ts'

/** The body of `GET <origin>/v1<path>`. */
// biome-ignore lint/suspicious/noExplicitAny: it takes from each answer what it names
type Read = (path: string) => Promise<any>

export type Inventory = readonly SpaceInventory[]
type SpaceInventory = {
  readonly title: string
  /** By their paths, the SHA-256 of their Markdown. */
  readonly pages: Readonly<Record<string, string>>
  readonly revisions: number
  readonly changeRequests: readonly {
    readonly number: number
    readonly subject: string
    readonly status: string
    readonly pages: Readonly<Record<string, string>>
    readonly comments: readonly string[]
    readonly reviews: readonly string[]
  }[]
}

/** Of the spaces that the sample makes: the first organization's space is the guide, which every version changes. */
export async function inventoryOf(read: Read): Promise<Inventory> {
  const spaces: SpaceInventory[] = []
  for (const { id: organization } of await itemsOf(read, '/orgs')) {
    for (const { id, title } of await itemsOf(read, `/orgs/${organization}/spaces`))
      spaces.push(await spaceOf(read, id, title))
  }
  return spaces.toSorted((one, other) => (one.title < other.title ? -1 : 1))
}

async function spaceOf(read: Read, id: string, title: string): Promise<SpaceInventory> {
  const at = `/spaces/${id}`
  const changeRequests = []
  for (const { number, subject, status } of await itemsOf(read, `${at}/change-requests`)) {
    const path = `${at}/change-requests/${number}`
    const comments = await itemsOf(read, `${path}/comments`)
    const reviews = await itemsOf(read, `${path}/reviews`)
    changeRequests.push({
      ...{ number, subject, status },
      pages: await pagesOf(read, path),
      comments: comments.map(({ body }) => body.markdown).toSorted(),
      reviews: reviews.map(review => review.status).toSorted(),
    })
  }
  const revisions = await itemsOf(read, `${at}/revisions`)
  return { title, pages: await pagesOf(read, at), revisions: revisions.length, changeRequests }
}

async function pagesOf(read: Read, at: string): Promise<Readonly<Record<string, string>>> {
  const { pages } = await read(`${at}/content/pages`)
  const texts: Record<string, string> = {}
  for (const { id, path } of flat(pages)) {
    const { markdown } = await read(`${at}/content/page/${id}?format=markdown`)
    texts[path] = sha256(markdown)
  }
  return texts
}

type Node = {
  readonly id: string
  readonly path: string
  readonly type: string
  readonly pages?: readonly Node[]
}

const flat = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap(node => [...(node.type === 'document' ? [node] : []), ...flat(node.pages ?? [])])

/** Of all pages of a list. */
async function itemsOf(read: Read, path: string) {
  const all = []
  let next = ''
  do {
    const { items, next: more } = await read(`${path}?limit=100${next}`)
    all.push(...items)
    next = more === undefined || more === null ? '' : `&page=${encodeURIComponent(more.page)}`
  } while (next !== '')
  return all
}
