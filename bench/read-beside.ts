// One reader who asks for a page again and again, and what it takes while something else goes on.
import { round } from './measure.ts'
import type { BenchServer } from './server.ts'

const PAUSE_MS = 20

export type Spread = { readonly p50: number; readonly p99: number; readonly max: number }

/** How many milliseconds each answer takes until `work` is done. */
export async function readBeside<T>(
  { send }: Pick<BenchServer, 'send'>,
  page: string,
  work: Promise<T>,
): Promise<{ result: T; pageMs: Spread }> {
  const times: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now()
      await (await send('GET', page)).arrayBuffer()
      times.push(performance.now() - began)
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  })()
  const result = await work.finally(() => {
    isOver = true
  })
  await reading
  return { result, pageMs: spreadOf(times) }
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
