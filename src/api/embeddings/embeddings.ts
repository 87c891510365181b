// The embeddings service: the model, a cache of the embeddings of queries, and the vectors of spaces.
import { LRUCache } from 'lru-cache'
import { type Clock, now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { type Scale, scaleOf } from '../../engines/vectors/scale.ts'
import type { Embeddings, Services } from '../../http/context.ts'
import type { Log } from '../../platform/log.ts'
import type { Embedder } from '../../platform/model/embedder.ts'
import { KNOWN_PAIRS } from './known-pairs.ts'
import { createSectionVectors } from './vectors.ts'

// After a failure the model is not asked for this long.
const PAUSE_MS = 30_000
const QUERIES_KEPT_MAX = 1_000
// 20,000 sections in 1,536 dimensions take 31 MB.
const VECTOR_BYTES_MAX = 256 * 1024 * 1024
// No request waits for it.
const SCALE_SECONDS_MAX = 30

export function createEmbeddings(
  services: Pick<Services, 'db' | 'contents'> & { readonly log: Log },
  embedder: Embedder,
  { searchMillisecondsMax, clock = now }: { readonly searchMillisecondsMax: number; readonly clock?: Clock },
): Embeddings {
  const vectors = createSectionVectors(services, embedder.model, VECTOR_BYTES_MAX)
  const queries = new LRUCache<string, Int8Array>({ max: QUERIES_KEPT_MAX })
  const abort = new AbortController()
  /** The last failure: until then, requests with the same or a shorter timeout do not try. */
  let failed = { until: 0, secondsMax: 0 }
  let scale: { readonly measured: Scale | undefined } | undefined
  let measuring: Promise<void> | undefined

  const isPaused = (secondsMax: number): boolean =>
    clock().getTime() < failed.until && secondsMax <= failed.secondsMax

  /** Undefined for failures of the model; rethrows all others. */
  const unlessUnavailable = (error: unknown, secondsMax: number, message: string): undefined => {
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
    if (error.code === 'model_failed') {
      failed = { until: clock().getTime() + PAUSE_MS, secondsMax }
      services.log.warn({ err: error.cause }, message)
    }
    return undefined
  }

  const measure = async (organizationId: string): Promise<void> => {
    const texts = [...KNOWN_PAIRS.map(({ question }) => question), ...KNOWN_PAIRS.map(({ answer }) => answer)]
    try {
      const made = await embedder.embed({
        ...{ organizationId, texts, shareMax: 1, secondsMax: SCALE_SECONDS_MAX, signal: abort.signal },
      })
      const measured = scaleOf(made.slice(0, KNOWN_PAIRS.length), made.slice(KNOWN_PAIRS.length))
      if (measured === undefined)
        services.log.warn({ model: embedder.model }, 'the embedding model cannot tell texts apart')
      scale = { measured }
    } catch (error) {
      if (!abort.signal.aborted)
        unlessUnavailable(error, SCALE_SECONDS_MAX, 'the model of embeddings could not be measured')
    }
  }

  return {
    embedder,
    searchMillisecondsMax,
    async ofQuery({ organizationId, query, secondsMax, shareMax, signal }) {
      // By organization: one that has turned embeddings off, or used up its limit, gets none cached for another.
      const key = `${organizationId} ${query}`
      const known = queries.get(key)
      if (known !== undefined) return known
      if (isPaused(secondsMax)) return undefined
      try {
        const [vector] = await embedder.embed({
          ...{ organizationId, texts: [query], shareMax, secondsMax, signal },
        })
        if (vector !== undefined) queries.set(key, vector)
        return vector
      } catch (error) {
        signal.throwIfAborted()
        return unlessUnavailable(error, secondsMax, 'a question was looked for by its words alone')
      }
    },
    async scaleFor(organizationId) {
      if (scale === undefined && !isPaused(SCALE_SECONDS_MAX)) {
        measuring ??= measure(organizationId).finally(() => {
          measuring = undefined
        })
        await measuring
      }
      return scale?.measured
    },
    ofSpaces: vectors.get,
    async end() {
      abort.abort()
      await Promise.allSettled([measuring, vectors.end()])
    },
  }
}
