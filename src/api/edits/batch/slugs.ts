// Slugs of pages: requested ones, and those made from titles.
import { assert } from '../../../base/assert.ts'
import { type Draft, slugsBelow } from '../../../engines/content/draft.ts'
import { pageKey } from '../../../engines/content/records.ts'
import { assignSlugs, isPageSlug, SLUG_RULE, slugify } from '../../../engines/names/slugs.ts'
import { refuse } from '../request/schema.ts'
import type { Batch } from './state.ts'

/** The requested slug of a new page, or one made from its title. */
export async function slugOfNew(
  { draft }: Batch,
  index: number,
  parent: string | null,
  id: string,
  given: string | undefined,
  title: string,
): Promise<string> {
  const wanted = given === undefined ? undefined : readSlug(index, given)
  if (wanted === undefined) return slugOfTitle(draft, parent, id, title)
  await refuseTakenSlug(draft, index, parent, wanted, id)
  return wanted
}

/** None that a sibling has. */
async function slugOfTitle(draft: Draft, parent: string | null, id: string, title: string): Promise<string> {
  const others = [...(await slugsBelow(draft, parent))].filter(([, holder]) => holder !== id)
  const held = others.map(([slug]) => ({ wanted: slug, held: slug }))
  const slug = assignSlugs([...held, { wanted: slugify(title), held: undefined }]).at(-1)
  assert(slug !== undefined, 'every page is assigned a slug')
  return slug
}

/**
 * The slug that a page keeps or takes; null is one made from its title. The slug of a sibling is refused, whichever of
 * the two is new.
 */
export async function slugOfUpdate(
  { draft }: Batch,
  index: number,
  id: string,
  given: string | null | undefined,
  title: string,
): Promise<string> {
  const { slug, parent } = draft.getPage(id)
  if (given === null) return slug === '' ? slug : slugOfTitle(draft, parent, id, title)
  const wanted = given === undefined ? slug : readSlug(index, given)
  const before = draft.before(pageKey(id))
  if (wanted === '' || (before?.slug === wanted && before.parent === parent)) return wanted
  await refuseTakenSlug(draft, index, parent, wanted, id)
  return wanted
}

/** Throws if a child of the parent other than `id` has the slug. */
export async function refuseTakenSlug(
  draft: Draft,
  index: number,
  parent: string | null,
  slug: string,
  id: string,
): Promise<void> {
  await draft.loadPages([parent])
  const siblings = draft.childrenOf(parent).filter(sibling => sibling !== id)
  await draft.loadPages(siblings)
  const holder = siblings.find(sibling => draft.page(sibling)?.slug === slug)
  if (holder !== undefined)
    throw refuse(index, 'slug', `the page ${holder} beside it has the slug "${slug}". Send another one.`)
}

function readSlug(index: number, given: string): string {
  const slug = given.normalize('NFC')
  if (isPageSlug(slug)) return slug
  throw refuse(index, 'slug', `${SLUG_RULE}. "${slugify(given)}" would do.`)
}
