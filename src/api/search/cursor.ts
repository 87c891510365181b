// The page token of a search: the last page shown, and the pages near in meaning that it was ranked with.
import type { Json } from '../../base/canonical.ts'
import { type CursorKey, decodeCursor, encodeCursor } from '../../base/cursor.ts'
import { type Failure, invalid } from '../../base/errors.ts'
import type { SearchCursor } from './find.ts'
import { NEAR_PAGES_MAX, type NearPage } from './near.ts'

const KEYS_OF_NEAR = 5

export function encodeSearchCursor(
  question: Json,
  { score, spaceId, pageId, shown, near }: SearchCursor,
): string {
  const keys = near === undefined ? [] : [near.isTogether, ...near.pages.flatMap(keysOf)]
  return encodeCursor(question, [score, spaceId, pageId, shown, ...keys])
}

const keysOf = ({ page, closeness, isNear, ordinals }: NearPage): CursorKey[] => [
  page.spaceId,
  page.pageId,
  closeness,
  isNear,
  ordinals.join(' '),
]

/** Throws `invalid` for a token of another search. */
export function decodeSearchCursor(question: Json, token: string): SearchCursor {
  const [score, spaceId, pageId, shown, isTogether, ...near] = decodeCursor(question, token)
  if (typeof score !== 'number' || !Number.isFinite(score)) throw foreign()
  if (typeof spaceId !== 'string' || typeof pageId !== 'string') throw foreign()
  if (typeof shown !== 'number' || !Number.isSafeInteger(shown) || shown < 0) throw foreign()
  const last = { score, spaceId, pageId, shown }
  if (isTogether === undefined) return last
  if (typeof isTogether !== 'boolean' || near.length > NEAR_PAGES_MAX * KEYS_OF_NEAR) throw foreign()
  const pages = Array.from({ length: Math.ceil(near.length / KEYS_OF_NEAR) }, (_, at) =>
    readNear(near.slice(at * KEYS_OF_NEAR, (at + 1) * KEYS_OF_NEAR)),
  )
  return { ...last, near: { pages, isTogether } }
}

function readNear([spaceId, pageId, closeness, isNear, ordinals]: readonly CursorKey[]): NearPage {
  if (typeof spaceId !== 'string' || typeof pageId !== 'string') throw foreign()
  if (typeof closeness !== 'number' || !(closeness >= 0 && closeness <= 1)) throw foreign()
  if (typeof isNear !== 'boolean' || typeof ordinals !== 'string') throw foreign()
  if (!/^\d{1,6}(?: \d{1,6}){0,2}$/.test(ordinals)) throw foreign()
  return { page: { spaceId, pageId }, closeness, isNear, ordinals: ordinals.split(' ').map(Number) }
}

const foreign = (): Failure =>
  invalid('page_invalid', 'page: this is not a token of this search. Take it from next.page.')
