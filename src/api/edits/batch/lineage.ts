// The page tree of a draft, read as far as it is asked about: the way up from a page, and the way down along slugs.
import type { Draft } from '../../../engines/content/draft.ts'
import { joinPath } from '../../../engines/content/tree.ts'

/** The ids on the way from the root to a page, itself last; empty for the root. */
export async function lineageOf(draft: Draft, id: string | null): Promise<string[]> {
  const lineage: string[] = []
  const seen = new Set<string>()
  for (let at = id; at !== null && !seen.has(at); ) {
    await draft.loadPages([at])
    const page = draft.page(at)
    if (page === undefined) break
    seen.add(at)
    lineage.push(at)
    at = page.parent
  }
  return lineage.reverse()
}

/** The slugs on that way, by '/'; '' for the root. */
export async function pathOf(draft: Draft, id: string | null): Promise<string> {
  const lineage = await lineageOf(draft, id)
  return lineage.reduce((path, at) => joinPath(path, draft.page(at)?.slug ?? ''), '')
}

/** The ids below a page, itself first, parents before children: a round of reads a level. */
export async function subtreeOf(draft: Draft, id: string): Promise<string[]> {
  const ids = new Set([id])
  for (let level = [id]; level.length > 0; ) {
    await draft.loadPages(level)
    level = level.flatMap(at => draft.childrenOf(at)).filter(child => !ids.has(child))
    for (const child of level) ids.add(child)
  }
  return [...ids]
}

/** Who has which slug below a page, or at the root. */
export async function slugsBelow(draft: Draft, parent: string | null): Promise<Map<string, string>> {
  await draft.loadPages([parent])
  const children = draft.childrenOf(parent)
  await draft.loadPages(children)
  const slugs = new Map<string, string>()
  for (const id of children) {
    const slug = draft.page(id)?.slug ?? ''
    if (slug !== '') slugs.set(slug, id)
  }
  return slugs
}

/** Finds pages by their path, in a tree that does not change any more. */
export class PathFinder {
  readonly #draft: Draft
  readonly #slugs = new Map<string | null, Map<string, string>>()

  constructor(draft: Draft) {
    this.#draft = draft
  }

  /** The page with this path; '' is the first page that has one. */
  async find(path: string): Promise<string | undefined> {
    if (path === '') return [...(await this.#below(null)).values()][0]
    let at: string | null = null
    for (const slug of path.split('/')) {
      const next: string | undefined = (await this.#below(at)).get(slug)
      if (next === undefined) return undefined
      at = next
    }
    return at ?? undefined
  }

  async #below(parent: string | null): Promise<Map<string, string>> {
    let slugs = this.#slugs.get(parent)
    if (slugs === undefined) {
      slugs = await slugsBelow(this.#draft, parent)
      this.#slugs.set(parent, slugs)
    }
    return slugs
  }
}
