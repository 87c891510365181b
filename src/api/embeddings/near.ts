// The sections of some spaces that are nearest to a query by their embeddings.
import type { Hash } from '../../engines/content/records.ts'
import type { SearchedHead, Services } from '../../http/context.ts'

export type NearSection = {
  readonly spaceId: string
  readonly pageId: string
  readonly document: Hash
  readonly ordinal: number
  /** The cosine of the angle between the two, from -1 to 1. */
  readonly score: number
}

export type NearSectionsQuery = {
  /** Its limit is charged. */
  readonly organizationId: string
  readonly spaces: readonly SearchedHead[]
  readonly query: string
  readonly limit: number
  readonly secondsMax: number
  /** The share of the organization's limit that this may use. */
  readonly shareMax: number
  readonly signal: AbortSignal
}

type EmbeddingServices = Pick<Services, 'embeddings' | 'compute'>

/** Nearest first. Empty without an embedding model, or if it does not answer in time. */
export async function findNear(
  services: EmbeddingServices,
  asked: NearSectionsQuery,
): Promise<NearSection[]> {
  const { embeddings, compute } = services
  if (embeddings === undefined || asked.spaces.length === 0) return []
  const vector = await embeddings.ofQuery(asked)
  if (vector === undefined) return []
  const found = await embeddings.ofSpaces(asked.spaces)
  const parts = asked.spaces.flatMap((space, at) => {
    const vectors = found[at]
    return vectors === undefined || vectors.sections.length === 0 ? [] : [{ space, ...vectors }]
  })
  if (parts.length === 0) return []
  const outcome = await compute.run('nearestVectors', asked.organizationId, {
    parts: parts.map(({ buffer, dimensions }) => ({ buffer, dimensions })),
    vector,
    limit: asked.limit,
  })
  if (outcome.kind !== 'done') return []
  return outcome.value.flatMap(({ part, row, score }) => {
    const { space, sections } = parts[part] ?? {}
    const section = sections?.[row]
    if (space === undefined || section === undefined) return []
    const { pageIds, document, ordinal } = section
    return pageIds.map(pageId => ({ spaceId: space.id, pageId, document, ordinal, score }))
  })
}
