// The pages near a query in meaning, by their embeddings. A search waits for them briefly and does without them
// otherwise: whatever fails here, it finds what words find.
import { languageOf } from '../../engines/search/language.ts'
import type { Query } from '../../engines/search/query-terms.ts'
import { isQuestionLike } from '../../engines/search/question-like.ts'
import { type NearPage as Near, nearPagesOf } from '../../engines/vectors/near-pages.ts'
import type { Services } from '../../http/context.ts'
import { findNear } from '../embeddings/near.ts'
import type { SearchedSpace } from './scopes.ts'

/** A page of a space that the caller may find. */
export type NearPageAt = { readonly spaceId: string; readonly pageId: string }
export type NearPage = Near<NearPageAt>

/** The query, and a signal that is aborted when nobody waits for its embedding any more. */
export type NearPagesQuery = {
  readonly organizationId: string
  readonly spaces: readonly SearchedSpace[]
  readonly query: Query
  readonly signal: AbortSignal
}

export type NearServices = Pick<Services, 'embeddings' | 'compute' | 'log'>

/** The token of the next page carries them, so they are few. */
export const NEAR_PAGES_MAX = 10
/** Several may belong to one page. */
export const NEAR_SECTIONS_MAX = 64
// Visitors search too: what is left is for answers.
const LIMIT_SHARE_MAX = 0.75
const CLOSENESS_DIGITS = 3

/** Closest first. None for a query of a few words, without embeddings, and on a timeout. */
export async function findNearPages(
  services: NearServices,
  asked: NearPagesQuery,
): Promise<readonly NearPage[]> {
  const { embeddings } = services
  if (embeddings === undefined || embeddings.searchMillisecondsMax === 0 || asked.spaces.length === 0)
    return []
  const languages = [...new Set(asked.spaces.map(({ language }) => languageOf(language)))]
  if (!isQuestionLike(asked.query, languages)) return []
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), embeddings.searchMillisecondsMax)
  try {
    return await Promise.race([look(services, embeddings, asked), nothingAfter(late.signal)])
  } finally {
    clearTimeout(timer)
  }
}

const nothingAfter = (signal: AbortSignal): Promise<readonly NearPage[]> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve([]), { once: true }))

/** Never fails: a search does not depend on it. */
async function look(
  services: NearServices,
  embeddings: NonNullable<NearServices['embeddings']>,
  { organizationId, spaces, query, signal }: NearPagesQuery,
): Promise<readonly NearPage[]> {
  try {
    // Requested at the same time, but awaited only if there is something to measure with it.
    const measuring = embeddings.scaleFor(organizationId)
    measuring.catch(() => undefined)
    // The model gets its full time, even if the search was answered or its reader left: whether it answers decides
    // whether the next search waits for it.
    const { signal: toTheEnd } = new AbortController()
    const sections = await findNear(services, {
      ...{ organizationId, spaces, query: query.text, signal: toTheEnd, limit: NEAR_SECTIONS_MAX },
      secondsMax: embeddings.searchMillisecondsMax / 1000,
      shareMax: LIMIT_SHARE_MAX,
    })
    const scale = sections.length === 0 ? undefined : await measuring
    if (scale === undefined) return []
    const near = nearPagesOf(
      sections.map(({ spaceId, pageId, ordinal, score }) => ({ page: { spaceId, pageId }, ordinal, score })),
      scale,
      { limit: NEAR_PAGES_MAX, nameOf: pageName },
    )
    return near.map(page => ({ ...page, closeness: Number(page.closeness.toFixed(CLOSENESS_DIGITS)) }))
  } catch (error) {
    if (!signal.aborted) services.log.warn({ err: error }, 'searched by words alone')
    return []
  }
}

export const pageName = ({ spaceId, pageId }: NearPageAt): string => `${spaceId} ${pageId}`
