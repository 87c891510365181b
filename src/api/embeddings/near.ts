// The sections that mean about the same as a question, by their embeddings. Only vectors of the spaces that are given are
// looked at.
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

export type NearAsked = {
  /** Whose limit it counts to. */
  readonly organizationId: string
  readonly spaces: readonly SearchedHead[]
  readonly query: string
  readonly limit: number
  readonly secondsMax: number
  /** Of the organization's limit: beyond it, what is left is for others. */
  readonly shareMax: number
  readonly signal: AbortSignal
}

type Looking = Pick<Services, 'embeddings' | 'compute'>

/** Nearest first. None where no model of embeddings is set up, or it does not answer in time. */
export async function findNear(services: Looking, asked: NearAsked): Promise<NearSection[]> {
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
    const { space, sections } = parts[part] as (typeof parts)[number]
    const { pageIds, document, ordinal } = sections[row] as (typeof sections)[number]
    return pageIds.map(pageId => ({ spaceId: space.id, pageId, document, ordinal, score }))
  })
}
