// What every bench needs: medians, times, a folder of its own, and one line of JSON at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

export const DATABASE = process.env.DATABASE_URL === undefined ? 'embedded' : 'postgres'

/** The one line that a bench prints. */
export const report = (bench: string, result: object): void =>
  void process.stdout.write(`${JSON.stringify({ bench, ...result })}\n`)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Three significant digits: more would pretend a precision that a shared machine does not have. */
export const round = (value: number): number => Number(value.toPrecision(3))

export async function timeMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Times of several things by their names. */
export class Times {
  readonly #values = new Map<string, number[]>()

  async take(name: string, run: () => Promise<unknown>): Promise<void> {
    this.#values.set(name, [...(this.#values.get(name) ?? []), await timeMs(run)])
  }

  median(name: string): number {
    return median(this.#values.get(name) ?? [])
  }

  /** Rounded, in the order in which they were first taken. */
  medians(): Record<string, number> {
    return Object.fromEntries([...this.#values.keys()].map(name => [name, round(this.median(name))]))
  }
}
