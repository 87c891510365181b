// What embeddings are asked of: the model, with what it lately said about questions, and the vectors of spaces.
import { LRUCache } from 'lru-cache'
import { now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import type { Embeddings, Services } from '../../http/context.ts'
import type { Log } from '../../platform/log.ts'
import type { Embedder } from '../../platform/model/embedder.ts'
import { createSectionVectors } from './vectors.ts'

// An answer waits for it; without it, words find what there is.
const QUERY_SECONDS_MAX = 2
// After a failure nobody waits for the next one.
const PAUSE_MS = 30_000
const QUERIES_KEPT_MAX = 1_000
// 20,000 sections in 1,536 dimensions take 31 MB.
const VECTOR_BYTES_MAX = 256 * 1024 * 1024

export function createEmbeddings(
  services: Pick<Services, 'db' | 'contents'> & { readonly log: Log },
  embedder: Embedder,
): Embeddings {
  const vectors = createSectionVectors(services, embedder.model, VECTOR_BYTES_MAX)
  const queries = new LRUCache<string, Int8Array>({ max: QUERIES_KEPT_MAX })
  let pausedUntil = 0
  return {
    embedder,
    async ofQuery({ organizationId, query, signal }) {
      // What an organization has turned off, or used up, is not given it from what another one asked.
      const key = `${organizationId} ${query}`
      const known = queries.get(key)
      if (known !== undefined) return known
      if (now().getTime() < pausedUntil) return undefined
      try {
        const [vector] = await embedder.embed({
          ...{ organizationId, texts: [query], shareMax: 1, secondsMax: QUERY_SECONDS_MAX, signal },
        })
        if (vector !== undefined) queries.set(key, vector)
        return vector
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
        if (error.code === 'model_failed') {
          pausedUntil = now().getTime() + PAUSE_MS
          services.log.warn({ err: error.cause }, 'a question was looked for by its words alone')
        }
        return undefined
      }
    },
    ofSpace: vectors.get,
    end: vectors.end,
  }
}
