// Converts the outcome of a merge to its wire format.

import type { Context } from '../../http/context.ts'
import type { Conflict, SideName } from '../conflicts/schema.ts'
import { toConflicts } from '../conflicts/wire.ts'
import type { Outcome } from './actions.ts'
import type { Compared } from './schema.ts'

type Sides = { readonly ours: SideName; readonly theirs: SideName }
type ConflictList = { conflicts?: Conflict[]; more?: number; compared?: Compared; sides?: Sides }

/** The members about conflicts; none without conflicts. */
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

export const SIDES = {
  merge: { ours: 'space', theirs: 'change-request' },
  update: { ours: 'change-request', theirs: 'space' },
  rollback: { ours: 'space', theirs: 'previous' },
} as const satisfies Readonly<Record<string, Sides>>

export const toOutcome = async <R extends keyof typeof SIDES>(
  context: Pick<Context, 'contents' | 'urls' | 'signingKey'>,
  { space }: { readonly space: { readonly id: string } },
  result: R,
  outcome: Outcome,
) => ({
  result: outcome.conflicts.length === 0 ? result : ('conflicts' as const),
  revision: outcome.revision,
  ...(await toConflictList(context, space.id, SIDES[result], outcome)),
})
