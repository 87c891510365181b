// The sections of some spaces that have most of what a question asks for, as answers name them.
import type { ReadTerm } from '../../engines/search/search-sections.ts'
import { type Passage as FoundPassage, findPassages as findIn } from '../search/passages.ts'
import type { Searching } from '../search/scopes.ts'
import { toSearchedSpace } from '../search/search.ts'
import type { AskedSpace } from './spaces.ts'

export type Passage = Omit<FoundPassage, 'space'> & {
  readonly space: string
  readonly revision: string
  /** What its space says that it is written in. */
  readonly language: string | null
}

export type Passages = {
  readonly passages: readonly Passage[]
  /** The words of the question as search has read them. */
  readonly terms: readonly ReadTerm[]
}

/** Best first. `lane`: on whose behalf. */
export async function findPassages(
  services: Searching,
  lane: string,
  spaces: readonly AskedSpace[],
  question: string,
  limit: number,
): Promise<Passages> {
  const { passages, terms } = await findIn(services, lane, spaces.map(toSearchedSpace), question, limit)
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
