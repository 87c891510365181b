// Whether a report is whole: every file ends by saying how many tests it had, and so many have to have been told. Tests
// of a suite that several files run are told under the file that defines it, so the numbers are compared over all.
import { relative } from 'node:path'

type TestEvent = { readonly type: string; readonly data: unknown }
type Data = {
  readonly file?: string
  readonly counts?: { readonly tests: number; readonly suites: number }
  readonly duration_ms?: number
}

const SLOW_FILES = 10

export class Tally {
  readonly #told = new Map<string, number>()
  readonly #whole = new Map<string, number>()
  readonly #ms = new Map<string, number>()

  add({ type, data }: TestEvent): void {
    const { file, counts, duration_ms = 0 } = data as Data
    if (file === undefined) return
    if (type === 'test:pass' || type === 'test:fail') this.#told.set(file, (this.#told.get(file) ?? 0) + 1)
    if (type !== 'test:summary' || counts === undefined) return
    this.#whole.set(file, counts.tests + counts.suites)
    this.#ms.set(file, duration_ms)
  }

  /** What is missing, if anything: files that never came to their end, and how many tests were told of how many. */
  lost(files: readonly string[]): string[] {
    const ended = new Set([...this.#whole.keys()].map(file => relative('', file)))
    const unended = files.filter(file => !ended.has(file))
    const [told, whole] = [sum(this.#told.values()), sum(this.#whole.values())]
    return [
      ...unended.map(file => `${file} did not come to its end`),
      ...(told === whole ? [] : [`${told} of ${whole} tests and suites are in this report`]),
    ]
  }

  /** The files that took longest, in seconds. */
  slowest(): string {
    const sorted = [...this.#ms].sort(([, one], [, other]) => other - one).slice(0, SLOW_FILES)
    return sorted.map(([file, ms]) => `${relative('', file)} ${(ms / 1000).toFixed(0)} s`).join(', ')
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0)
