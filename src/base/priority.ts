// Who goes first where work waits: what holds a turn, or is about to hold locks in a transaction, has others waiting
// behind it. A request that only reads holds up nobody.
import { AsyncLocalStorage } from 'node:async_hooks'

const holds = new AsyncLocalStorage<{ isOver: boolean }>()

/** Runs `run` ahead of other work until it ends. Work that it leaves behind has no priority any more. */
export async function goFirst<T>(run: () => Promise<T>): Promise<T> {
  const hold = { isOver: false }
  try {
    return await holds.run(hold, run)
  } finally {
    hold.isOver = true
  }
}

/** Whether the current work goes first. */
export const goesFirst = (): boolean => holds.getStore()?.isOver === false

/** A queue with two lanes: the first lane goes first, but lets one of the others pass after a few of its own. */
export class PriorityQueue<T> {
  readonly #first: T[] = []
  readonly #others: T[] = []
  readonly #inARowMax: number
  #inARow = 0

  constructor(inARowMax: number) {
    this.#inARowMax = inARowMax
  }

  get length(): number {
    return this.#first.length + this.#others.length
  }

  push(item: T): void {
    const lane = goesFirst() ? this.#first : this.#others
    lane.push(item)
  }

  shift(): T | undefined {
    const isOthersTurn = this.#inARow >= this.#inARowMax && this.#others.length > 0
    if (this.#first.length > 0 && !isOthersTurn) {
      this.#inARow += 1
      return this.#first.shift()
    }
    this.#inARow = 0
    return this.#others.shift()
  }

  remove(item: T): void {
    for (const lane of [this.#first, this.#others]) {
      const at = lane.indexOf(item)
      if (at !== -1) lane.splice(at, 1)
    }
  }
}
