// How long a started server says that its one thread was held.
import { measureSlowness } from '../../tools/slowness.ts'

// What docs/operations.md promises, on a machine that is idle.
const HELD_MS_MAX = 50

/**
 * The longest of the holds that a log tells of, where it is longer than this machine explains: `slowness` is that of the
 * run, and how slow it is now counts as well.
 */
export function tooLongHold(log: string, slowness: number, heldMsMax = HELD_MS_MAX): string | undefined {
  const holds = log
    .split('\n')
    .filter(line => line.includes('"the server was held"'))
    .map(line => ({ line, processorMs: JSON.parse(line).processorMs as number }))
    .sort((a, b) => b.processorMs - a.processorMs)
  const [longest] = holds
  if (longest === undefined || longest.processorMs <= heldMsMax * slowness) return undefined
  const now = measureSlowness()
  return longest.processorMs <= heldMsMax * now
    ? undefined
    : `${longest.line}, at most ${heldMsMax}, on a machine ${slowness.toFixed(1)} to ${now.toFixed(1)} times as slow`
}
