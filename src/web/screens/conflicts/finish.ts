// Writes what was settled: nothing, as long as something else came up meanwhile.
import type { Place } from '../../data/change-request.ts'
import { isStatus } from '../../data/client.ts'
import {
  type Answer,
  type Conflict,
  type Conflicts,
  type Goal,
  type Settled,
  settle,
} from '../../data/conflicts.ts'

export type End =
  | { readonly kind: 'done'; readonly revision: string; readonly compared: Conflicts['compared'] }
  /** `conflicts` came up: a side moved, or what was chosen leads to them. */
  | { readonly kind: 'moved'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'revealed'; readonly conflicts: readonly Conflict[] }

// Somebody who keeps writing is not waited for.
const ATTEMPTS_MAX = 5

type Request = {
  readonly place: Place
  readonly goal: Goal
  readonly found: Conflicts
  readonly answerOf: (conflict: Conflict) => Answer | undefined
  /** The conflicts as they are now. */
  readonly readAgain: () => Promise<Conflicts>
}

export async function finish({ place, goal, found, answerOf, readAgain }: Request): Promise<End> {
  let current = found
  for (let attempt = 1; ; attempt += 1) {
    const open = current.conflicts.filter(one => answerOf(one) === undefined)
    if (open.length > 0) return { kind: 'moved', conflicts: open }
    try {
      return await write(place, goal, current, answerOf)
    } catch (error) {
      if (!isStatus(error, 409) || attempt === ATTEMPTS_MAX) throw error
      const again = await readAgain()
      // It was refused for another reason than that a side moved.
      if (isSame(again.compared, current.compared)) throw error
      current = again
    }
  }
}

async function write(
  place: Place,
  goal: Goal,
  { conflicts, compared }: Conflicts,
  answerOf: Request['answerOf'],
): Promise<End> {
  let all = conflicts
  for (;;) {
    const outcome = await settle(place, goal, settledOf(all, answerOf), compared)
    if (outcome.kind === 'done') return { ...outcome, compared }
    const known = new Set(all.map(({ address }) => address))
    const more = outcome.conflicts.filter(({ address }) => !known.has(address))
    if (more.length === 0 || more.some(one => answerOf(one) === undefined))
      return { kind: 'revealed', conflicts: [...all.slice(conflicts.length), ...more] }
    all = [...all, ...more]
  }
}

const settledOf = (conflicts: readonly Conflict[], answerOf: Request['answerOf']): Settled[] =>
  conflicts.flatMap(conflict => {
    const answer = answerOf(conflict)
    return answer === undefined ? [] : [{ conflict, answer }]
  })

const isSame = (one: Conflicts['compared'], other: Conflicts['compared']): boolean =>
  one?.ours === other?.ours && one?.theirs === other?.theirs
