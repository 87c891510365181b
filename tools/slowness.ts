// How slow this machine is at the moment, for limits on what never ends otherwise.
import { createHash } from 'node:crypto'

// A processor of 2020 that has nothing else to do needs as much for the work below.
const IDLE_MS = 60
const ROUNDS = 5
const BYTES = new Uint8Array(20 * 1024 * 1024)

/** 1 on a machine that is idle and not old, more on a slower or busier one. */
export function measureSlowness(): number {
  const started = performance.now()
  for (let round = 0; round < ROUNDS; round++) createHash('sha1').update(BYTES).digest()
  return Math.max(1, (performance.now() - started) / IDLE_MS)
}
