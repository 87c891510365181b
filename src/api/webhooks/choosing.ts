// Chooses which due deliveries this process takes. The number is bounded for each receiver, lower for a failing one,
// and bounded for all troubled receivers together, so that a hanging receiver delays only its own deliveries.
import { type Candidate, FAILURES_BEFORE_REST, type Full } from './due.ts'

/** Sent concurrently, in total and to one receiver. */
export const SENT_AT_ONCE_MAX = 64
export const SENT_TO_ONE_MAX = 8
/** Taken ahead. All are sent within a lease even if each takes its full time. */
export const TAKEN_MAX = 256
export const TAKEN_FOR_ONE_MAX = 32
const TAKEN_FOR_TROUBLED_MAX = SENT_AT_ONCE_MAX / 2

export type TakenDelivery = {
  readonly webhookId: string
  /** Host and port: webhooks to the same one share its limits. */
  readonly receiver: string
  /** Its last attempt failed or was slow. */
  readonly isTroubled: boolean
}

class ReceiverCounts {
  readonly byReceiver = new Map<string, number>()
  readonly byWebhook = new Map<string, number>()
  all = 0
  troubled = 0

  constructor(taken: Iterable<TakenDelivery>) {
    for (const one of taken) this.add(one)
  }

  add({ webhookId, receiver, isTroubled }: TakenDelivery): void {
    this.byReceiver.set(receiver, this.receiver(receiver) + 1)
    this.byWebhook.set(webhookId, this.webhook(webhookId) + 1)
    this.all += 1
    if (isTroubled) this.troubled += 1
  }

  receiver = (name: string): number => this.byReceiver.get(name) ?? 0
  webhook = (id: string): number => this.byWebhook.get(id) ?? 0
}

/** After repeated failures one at a time, as a probe. */
function takenMax({ failures }: Pick<Candidate, 'failures'>, isTroubled: boolean): number {
  if (failures >= FAILURES_BEFORE_REST) return 1
  return isTroubled ? SENT_TO_ONE_MAX : TAKEN_FOR_ONE_MAX
}

/** `isSlow`: the receiver was slow lately. */
export function choose<C extends Candidate>(
  candidates: readonly C[],
  taken: Iterable<TakenDelivery>,
  isSlow: (receiver: string) => boolean,
): (C & TakenDelivery)[] {
  const counts = new ReceiverCounts(taken)
  return candidates.flatMap(candidate => {
    const { webhookId, receiver, failures } = candidate
    const isTroubled = failures > 0 || isSlow(receiver)
    const max = takenMax(candidate, isTroubled)
    const hasRoom =
      counts.all < TAKEN_MAX &&
      (!isTroubled || counts.troubled < TAKEN_FOR_TROUBLED_MAX) &&
      counts.receiver(receiver) < Math.max(max, SENT_TO_ONE_MAX) &&
      counts.webhook(webhookId) < max
    if (!hasRoom) return []
    const one = { ...candidate, isTroubled }
    counts.add(one)
    return [one]
  })
}

/**
 * The webhooks and receivers to skip in the query: those with more than half of what they may have, so that rows are
 * taken in batches. `slow`: receivers that were slow lately.
 */
export function fullOf(taken: Iterable<TakenDelivery>, slow: Iterable<string>): Full {
  const counts = new ReceiverCounts(taken)
  const isFull = counts.troubled >= TAKEN_FOR_TROUBLED_MAX
  const full = (counts: ReadonlyMap<string, number>) =>
    [...counts].filter(([, count]) => count >= TAKEN_FOR_ONE_MAX / 2).map(([name]) => name)
  return {
    webhooks: full(counts.byWebhook),
    receivers: [...full(counts.byReceiver), ...(isFull ? slow : [])],
    troubled: isFull,
  }
}
