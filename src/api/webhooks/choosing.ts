// Which of the deliveries that are due this process takes. A receiver that hangs holds what is its own and no more: so
// many are taken for one receiver, few for a failing one, and a bounded number for all in trouble together.
import { type Candidate, FAILURES_BEFORE_REST, type Full } from './due.ts'

/** On their way at the same time, in all and to one receiver. */
export const SENT_AT_ONCE_MAX = 64
export const SENT_TO_ONE_MAX = 8
/** Taken, so that the next is at hand when one has arrived; sent within a lease even where each takes its full time. */
export const TAKEN_MAX = 256
export const TAKEN_FOR_ONE_MAX = 32
const TAKEN_FOR_TROUBLED_MAX = SENT_AT_ONCE_MAX / 2

export type Taken = {
  readonly webhookId: string
  /** Webhooks to one host and port share what it can take. */
  readonly receiver: string
  /** It failed last, or took long to answer. */
  readonly isTroubled: boolean
}

class Tally {
  readonly byReceiver = new Map<string, number>()
  readonly byWebhook = new Map<string, number>()
  all = 0
  troubled = 0

  constructor(taken: Iterable<Taken>) {
    for (const one of taken) this.add(one)
  }

  add({ webhookId, receiver, isTroubled }: Taken): void {
    this.byReceiver.set(receiver, this.receiver(receiver) + 1)
    this.byWebhook.set(webhookId, this.webhook(webhookId) + 1)
    this.all += 1
    if (isTroubled) this.troubled += 1
  }

  receiver = (name: string): number => this.byReceiver.get(name) ?? 0
  webhook = (id: string): number => this.byWebhook.get(id) ?? 0
}

/** After failures one at a time: it tells whether the others are worth it. */
function takenMax({ failures }: Pick<Candidate, 'failures'>, isTroubled: boolean): number {
  if (failures >= FAILURES_BEFORE_REST) return 1
  return isTroubled ? SENT_TO_ONE_MAX : TAKEN_FOR_ONE_MAX
}

/** `isSlow`: it lately took long to answer. */
export function choose<C extends Candidate>(
  candidates: readonly C[],
  taken: Iterable<Taken>,
  isSlow: (receiver: string) => boolean,
): (C & Taken)[] {
  const tally = new Tally(taken)
  return candidates.flatMap(candidate => {
    const { webhookId, receiver, failures } = candidate
    const isTroubled = failures > 0 || isSlow(receiver)
    const max = takenMax(candidate, isTroubled)
    const hasRoom =
      tally.all < TAKEN_MAX &&
      (!isTroubled || tally.troubled < TAKEN_FOR_TROUBLED_MAX) &&
      tally.receiver(receiver) < Math.max(max, SENT_TO_ONE_MAX) &&
      tally.webhook(webhookId) < max
    if (!hasRoom) return []
    const one = { ...candidate, isTroubled }
    tally.add(one)
    return [one]
  })
}

/**
 * Of what nothing is worth being looked for: it has no room, or more than half of what it may have, so that rows are
 * taken by the handful. `slow`: receivers that lately took long to answer.
 */
export function fullOf(taken: Iterable<Taken>, slow: Iterable<string>): Full {
  const tally = new Tally(taken)
  const isFull = tally.troubled >= TAKEN_FOR_TROUBLED_MAX
  const full = (counts: ReadonlyMap<string, number>) =>
    [...counts].filter(([, count]) => count >= TAKEN_FOR_ONE_MAX / 2).map(([name]) => name)
  return {
    webhooks: full(tally.byWebhook),
    receivers: [...full(tally.byReceiver), ...(isFull ? slow : [])],
    troubled: isFull,
  }
}
