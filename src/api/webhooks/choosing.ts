// Which of the deliveries that are due are sent now. A receiver that hangs holds what is its own and no more: so many at
// once go to one receiver, and receivers that are in trouble share a part of the room.
import { type Candidate, FAILURES_BEFORE_REST, type Full } from './due.ts'

/** On their way at the same time, from this process. */
export const UNDER_WAY_MAX = 64
export const TO_ONE_RECEIVER_MAX = 8
export const TO_TROUBLED_MAX = UNDER_WAY_MAX / 2

export type UnderWay = {
  readonly webhookId: string
  /** Webhooks to one host and port share what it can take. */
  readonly receiver: string
  /** It failed last, or took long to answer. */
  readonly isTroubled: boolean
}

type IsSlow = (receiver: string) => boolean

class Tally {
  readonly byReceiver = new Map<string, number>()
  readonly byWebhook = new Map<string, number>()
  all = 0
  troubled = 0

  constructor(underWay: Iterable<UnderWay>) {
    for (const one of underWay) this.add(one)
  }

  add({ webhookId, receiver, isTroubled }: UnderWay): void {
    this.byReceiver.set(receiver, this.receiver(receiver) + 1)
    this.byWebhook.set(webhookId, this.webhook(webhookId) + 1)
    this.all += 1
    if (isTroubled) this.troubled += 1
  }

  receiver = (name: string): number => this.byReceiver.get(name) ?? 0
  webhook = (id: string): number => this.byWebhook.get(id) ?? 0
}

/** After failures one at a time: it tells whether the others are worth it. */
const atOnceMax = ({ failures }: Pick<Candidate, 'failures'>): number =>
  failures >= FAILURES_BEFORE_REST ? 1 : TO_ONE_RECEIVER_MAX

export function choose<C extends Candidate>(
  candidates: readonly C[],
  underWay: Iterable<UnderWay>,
  isSlow: IsSlow,
): (C & UnderWay)[] {
  const tally = new Tally(underWay)
  return candidates.flatMap(candidate => {
    const { webhookId, receiver, failures } = candidate
    const isTroubled = failures > 0 || isSlow(receiver)
    const hasRoom =
      tally.all < UNDER_WAY_MAX &&
      (!isTroubled || tally.troubled < TO_TROUBLED_MAX) &&
      tally.receiver(receiver) < TO_ONE_RECEIVER_MAX &&
      tally.webhook(webhookId) < atOnceMax(candidate)
    if (!hasRoom) return []
    const one = { ...candidate, isTroubled }
    tally.add(one)
    return [one]
  })
}

/** Of what nothing would be chosen; `slow` are receivers that took long to answer. */
export function fullOf(underWay: Iterable<UnderWay>, slow: Iterable<string>): Full {
  const tally = new Tally(underWay)
  const isFull = tally.troubled >= TO_TROUBLED_MAX
  return {
    webhooks: [...tally.byWebhook].filter(([, count]) => count >= TO_ONE_RECEIVER_MAX).map(([id]) => id),
    receivers: [
      ...[...tally.byReceiver].filter(([, count]) => count >= TO_ONE_RECEIVER_MAX).map(([name]) => name),
      ...(isFull ? slow : []),
    ],
    troubled: isFull,
  }
}
