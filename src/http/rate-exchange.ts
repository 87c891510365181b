// Counts of requests that the processes of an installation tell each other: together, at most once a second, however
// many requests there are.
import type { Changes } from '../platform/db/changes.ts'

const EXCHANGE_MS = 1_000
// A notification of PostgreSQL takes 8,000 bytes; a key with its count takes up to 24.
const KEYS_PER_MESSAGE = 300
const MESSAGES_MAX = 10
const TOPIC = 'rates'

export class RateExchange {
  readonly #peers: Pick<Changes, 'tellPeers' | 'hearPeers'>
  readonly #untold = new Map<string, number>()
  readonly #leave: () => void
  #timer: NodeJS.Timeout | undefined

  /** `add` counts what other processes have counted. */
  constructor(peers: Pick<Changes, 'tellPeers' | 'hearPeers'>, add: (key: string, count: number) => void) {
    this.#peers = peers
    this.#leave = peers.hearPeers(message => {
      const [topic, ...counts] = message.split(' ')
      if (topic !== TOPIC) return
      for (const one of counts) {
        const [key = '', count] = one.split(':')
        if (Number(count) > 0) add(key, Number(count))
      }
    })
  }

  count(key: string): void {
    this.#untold.set(key, (this.#untold.get(key) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.#tell(), EXCHANGE_MS).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#leave()
  }

  /** Those who ask most, where there are more than fit. */
  #tell(): void {
    this.#timer = undefined
    const counts = [...this.#untold].sort(([, one], [, other]) => other - one)
    this.#untold.clear()
    const messages: string[] = []
    for (let at = 0; at < counts.length && messages.length < MESSAGES_MAX; at += KEYS_PER_MESSAGE)
      messages.push(
        [TOPIC, ...counts.slice(at, at + KEYS_PER_MESSAGE).map(([key, count]) => `${key}:${count}`)].join(
          ' ',
        ),
      )
    this.#peers.tellPeers(messages)
  }
}
