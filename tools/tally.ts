// Whether a report is whole: a file ends by saying how many tests it had, and so many have to have been told.
import { relative } from 'node:path'

type TestEvent = { readonly type: string; readonly data: unknown }
type Data = { readonly file?: string; readonly counts?: { readonly tests: number; readonly suites: number } }

export class Tally {
  readonly #told = new Map<string, number>()
  readonly #whole = new Map<string, number>()

  add({ type, data }: TestEvent): void {
    const { file, counts } = data as Data
    if (file === undefined) return
    if (type === 'test:pass' || type === 'test:fail') this.#told.set(file, (this.#told.get(file) ?? 0) + 1)
    if (type === 'test:summary' && counts !== undefined) this.#whole.set(file, counts.tests + counts.suites)
  }

  /** One line for each file of which something is missing. */
  lost(): string[] {
    return [...this.#told].flatMap(([file, told]) => {
      const whole = this.#whole.get(file)
      if (told === whole) return []
      return `${relative('', file)}: ${told} of ${whole ?? 'an unknown number of'} tests and suites are in this report`
    })
  }
}
