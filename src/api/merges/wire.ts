// What came of a merge, as the wire knows it.
import type { Context } from '../../http/context.ts'
import type { Outcome } from './actions.ts'
import { type Sides, toConflicts } from './conflicts.ts'
import type { Compared, Conflict } from './schema.ts'

type ConflictList = { conflicts?: Conflict[]; more?: number; compared?: Compared; sides?: Sides }

/** The members about conflicts; none where there are none. */
export async function toConflictList(
  { contents, urls, signingKey }: Pick<Context, 'contents' | 'urls' | 'signingKey'>,
  spaceId: string,
  sides: Sides,
  { comparison, conflicts }: Pick<Outcome, 'comparison' | 'conflicts'>,
): Promise<ConflictList> {
  if (conflicts.length === 0 || comparison === null) return {}
  const { base, ours, theirs } = comparison.versions
  const views = [
    await contents.get(ours.root),
    await contents.get(theirs.root),
    await contents.get(base.root),
  ]
  return {
    ...toConflicts({ urls, signingKey, spaceId, sides, contents: views }, conflicts),
    compared: { base: base.revisionId, ours: ours.revisionId, theirs: theirs.revisionId },
    sides,
  }
}

export const toOutcome = async <const R extends string>(
  context: Pick<Context, 'contents' | 'urls' | 'signingKey'>,
  spaceId: string,
  result: R,
  sides: Sides,
  outcome: Outcome,
) => ({
  result: outcome.conflicts.length === 0 ? result : ('conflicts' as const),
  revision: outcome.revision,
  ...(await toConflictList(context, spaceId, sides, outcome)),
})
