// What the server counts while it works, for `/metrics`: counts by label, and durations as histograms. Each is memory of
// the process; nothing is written.

/** A histogram of durations in milliseconds. */
export type DurationCounts = {
  /** How many took at most that many milliseconds. */
  readonly atMost: ReadonlyMap<number, number>
  readonly count: number
  readonly sumMs: number
  readonly longestMs: number
}

/** Durations in milliseconds, counted by bounds, which ascend. */
export class Durations {
  readonly #bounds: readonly number[]
  readonly #within: number[]
  #count = 0
  #sumMs = 0
  #longestMs = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#within = bounds.map(() => 0)
  }

  add(ms: number): void {
    const bucket = this.#bounds.findIndex(most => ms <= most)
    if (bucket !== -1) this.#within[bucket] = (this.#within[bucket] ?? 0) + 1
    this.#count += 1
    this.#sumMs += ms
    this.#longestMs = Math.max(this.#longestMs, ms)
  }

  counts(): DurationCounts {
    let sum = 0
    const atMost = new Map<number, number>()
    for (const [bucket, ms] of this.#bounds.entries()) {
      sum += this.#within[bucket] ?? 0
      atMost.set(ms, sum)
    }
    return { atMost, count: this.#count, sumMs: this.#sumMs, longestMs: this.#longestMs }
  }
}

/** Durations by the name of what took them. Names are few and our own: each is kept. */
export class NamedDurations {
  readonly #bounds: readonly number[]
  readonly #named = new Map<string, Durations>()

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  add(name: string, ms: number): void {
    let durations = this.#named.get(name)
    if (durations === undefined) {
      durations = new Durations(this.#bounds)
      this.#named.set(name, durations)
    }
    durations.add(ms)
  }

  counts(): ReadonlyMap<string, DurationCounts> {
    return new Map([...this.#named].map(([name, durations]) => [name, durations.counts()]))
  }
}

/**
 * Counts by label. A label of several words has one for each label of its metric: `put done`. Labels are few and our
 * own: each is kept.
 */
export class Tally<Label extends string = string> {
  readonly #counts = new Map<Label, number>()

  /** `labels` begin with 0, so that a rate is known from their first event on. */
  constructor(labels: Iterable<Label> = []) {
    for (const label of labels) this.#counts.set(label, 0)
  }

  add(label: Label, by = 1): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + by)
  }

  counts(): ReadonlyMap<Label, number> {
    return this.#counts
  }
}
