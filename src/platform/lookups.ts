// Asks the system for the addresses of a name. Until the system's resolver gives up, each query occupies one of the
// few threads that also read files. So few run at once, and names that were slow before run one at a time.
import { lookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../base/clock.ts'

export type Address = { readonly address: string; readonly family: 4 | 6 }

/** All addresses of a name. Tests pass their own; the program asks the system, like every other program on it. */
export type Resolve = (host: string) => Promise<readonly Address[]>

/** libuv has four threads. */
const QUICK_AT_ONCE_MAX = 2
const SLOW_AT_ONCE_MAX = 1
const SLOW_MS = 1_000
const SLOW_NAMES_MAX = 10_000

const askSystem: Resolve = async host =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }))

/** `clock`: milliseconds that never go back. */
export function createLookups(ask: Resolve = askSystem, clock = monotonicMs): Resolve {
  const slow = new LRUCache<string, true>({ max: SLOW_NAMES_MAX })
  const asked = new Map<string, ReturnType<Resolve>>()
  const quickLane: Lane = { room: QUICK_AT_ONCE_MAX, waiting: [] }
  const slowLane: Lane = { room: SLOW_AT_ONCE_MAX, waiting: [] }

  async function askInTurn(host: string): Promise<readonly Address[]> {
    const lane = slow.has(host) ? slowLane : quickLane
    await enter(lane)
    const began = clock()
    try {
      return await ask(host)
    } finally {
      if (clock() - began > SLOW_MS) slow.set(host, true)
      else slow.delete(host)
      leave(lane)
      asked.delete(host)
    }
  }

  return host => {
    const answer = asked.get(host) ?? askInTurn(host)
    asked.set(host, answer)
    return answer
  }
}

type Lane = { room: number; readonly waiting: (() => void)[] }

async function enter(lane: Lane): Promise<void> {
  if (lane.room === 0) return new Promise(resolve => lane.waiting.push(resolve))
  lane.room -= 1
}

function leave(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next === undefined) lane.room += 1
  else next()
}
