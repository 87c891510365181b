// How long a started server says that its one thread was held.
import { measureSlowness } from '../../tools/slowness.ts'

type Hold = { readonly processorMs: number; readonly clockMs: number }

/** How many took turns at the processor meanwhile: each throws out of its caches what the others need. */
const crowd = ({ processorMs, clockMs }: Hold): number => Math.max(1, clockMs / processorMs)

/**
 * The longest of the holds in a log, where it is longer than this machine explains: `slowness` is that of the
 * run, and how slow and how busy it was then counts as well.
 */
export function tooLongHold(log: string, slowness: number, heldMsMax: number): string | undefined {
  const holds = log
    .split('\n')
    .filter(line => line.includes('"the server was blocked"'))
    .map(line => ({ line, ms: msOf(JSON.parse(line)) }))
    .sort((a, b) => b.ms - a.ms)
  const [longest] = holds
  if (longest === undefined || longest.ms <= heldMsMax * slowness) return undefined
  const now = measureSlowness()
  return longest.ms <= heldMsMax * now
    ? undefined
    : `${longest.line}, at most ${heldMsMax}, on a machine ${slowness.toFixed(1)} to ${now.toFixed(1)} times as slow`
}

const msOf = (hold: Hold): number => hold.processorMs / crowd(hold)
