// The sections of spaces that match a question best.
import type { Services } from '../../http/context.ts'
import { findNear } from '../embeddings/near.ts'
import {
  type Passage as FoundPassage,
  type Passages as FoundPassages,
  findPassages as findIn,
} from '../search/passages.ts'
import type { SearchServices } from '../search/scopes.ts'
import { toSearchedSpace } from '../search/search.ts'
import type { AskedSpace } from './spaces.ts'

export type Passage = Omit<FoundPassage, 'space'> & {
  readonly space: string
  readonly revision: string
  /** Of its space. */
  readonly language: string | null
}

export type Passages = Pick<FoundPassages, 'terms'> & { readonly passages: readonly Passage[] }

/** `words`: for the text search; `question`: for the embeddings. */
export type PassageRequest = {
  readonly organizationId: string
  readonly spaces: readonly AskedSpace[]
  readonly words: string
  readonly question: string
  readonly limit: number
  readonly signal: AbortSignal
}

export type PassageServices = SearchServices & Pick<Services, 'embeddings'>

// The answer waits this long for embeddings, then uses words alone.
const QUESTION_SECONDS_MAX = 2

/** Best first. */
export async function findPassages(services: PassageServices, wanted: PassageRequest): Promise<Passages> {
  const { organizationId, words, question, limit, signal } = wanted
  const spaces = wanted.spaces.map(toSearchedSpace)
  const near = await findNear(services, {
    ...{ organizationId, spaces, query: question, limit, signal },
    ...{ secondsMax: QUESTION_SECONDS_MAX, shareMax: 1 },
  })
  const { passages, terms } = await findIn(services, organizationId, spaces, { question: words, near, limit })
  return {
    passages: passages.map(({ space, ...passage }) => ({
      ...passage,
      space: space.id,
      revision: space.revisionId,
      language: space.language,
    })),
    terms,
  }
}
