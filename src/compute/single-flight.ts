// Callers that ask for the same computation share one run; after a run that was too costly, it is not retried for ten
// minutes. A task has no effect but its result, so its input identifies it.
import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { Outcome } from '../platform/pool/thread.ts'

/** What the answers to a task's questions depend on: texts, and values that never change. */
export type Dependencies = readonly (string | object)[]

// The reason may have been a busy machine.
const BEYOND_MILLISECONDS = 10 * 60_000
const BEYOND_MAX = 1_000

export class SingleFlight {
  readonly #underWay = new Map<string, Promise<Outcome>>()
  readonly #beyond = new LRUCache<string, Outcome>({ max: BEYOND_MAX, ttl: BEYOND_MILLISECONDS })
  readonly #numbers = new WeakMap<object, number>()
  #count = 0

  /** `given` is undefined if the dependencies of the answers are unknown: then the result is not shared. */
  async share(
    asked: readonly unknown[],
    given: Dependencies | undefined,
    make: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const name = createHash('sha256').update(serialize(asked)).digest('base64')
    const beyond = this.#beyond.get(name)
    if (beyond !== undefined) return beyond
    const key = `${name} ${given === undefined ? '' : this.#nameOf(given)}`
    const running = given === undefined ? undefined : this.#underWay.get(key)
    if (running !== undefined) return running
    const made = make()
    if (given !== undefined) this.#underWay.set(key, made)
    try {
      const outcome = await made
      if (outcome.kind === 'beyond') this.#beyond.set(name, outcome)
      return outcome
    } finally {
      if (given !== undefined) this.#underWay.delete(key)
    }
  }

  #nameOf(given: Dependencies): string {
    return JSON.stringify(given.map(part => (typeof part === 'string' ? part : this.#numberOf(part))))
  }

  #numberOf(value: object): number {
    const number = this.#numbers.get(value) ?? ++this.#count
    this.#numbers.set(value, number)
    return number
  }
}
