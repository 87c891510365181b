// Keeps what is shown up to date. One tab of the browser holds the stream and tells the others; without a stream, and in
// the first moment after it was lost, everything is read again at intervals.
import type { QueryClient } from '@tanstack/react-query'
import { type LiveEvent, readLive } from './live-events.ts'

const CHANNEL = 'octavo.live.'
const POLL_MS = 30_000
// A burst of events is one reading.
const SETTLE_MS = 300

/** Follows the stream of this person until the function that it returns is called. */
export function followLive(cache: QueryClient, userId: string): () => void {
  const end = new AbortController()
  const due = new Due(cache)
  const channel = new BroadcastChannel(CHANNEL + userId)
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => due.add(data)
  void holdStream(CHANNEL + userId, end.signal, async () => {
    for await (const event of readLive(end.signal)) {
      due.add(event)
      channel.postMessage(event)
    }
  })
  const timer = setInterval(() => due.poll(), POLL_MS)
  return () => {
    end.abort()
    channel.close()
    clearInterval(timer)
  }
}

/** In one tab at a time, where the browser has locks: a local network without https is no secure context. */
function holdStream(name: string, signal: AbortSignal, run: () => Promise<void>): Promise<unknown> {
  const { locks } = navigator as Partial<Navigator>
  if (locks === undefined) return run()
  return locks.request(name, { signal }, run).catch(() => undefined)
}

/** What moved and is to be read again. */
class Due {
  readonly #cache: QueryClient
  readonly #keys = new Set<string>()
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(cache: QueryClient) {
    this.#cache = cache
  }

  add(event: LiveEvent): void {
    this.#heardAt = performance.now()
    for (const key of keysOf(event)) this.#keys.add(key)
    this.#timer ??= setTimeout(() => this.#read(), SETTLE_MS)
  }

  /** Where nothing was heard for an interval, there may be no stream. */
  poll(): void {
    if (performance.now() - this.#heardAt > POLL_MS) void this.#cache.invalidateQueries({ type: 'active' })
  }

  #read(): void {
    this.#timer = undefined
    const keys = [...this.#keys]
    this.#keys.clear()
    if (keys.includes(EVERYTHING)) return void this.#cache.invalidateQueries()
    void this.#cache.invalidateQueries({
      predicate: ({ queryKey }) =>
        keys.includes(String(queryKey[0])) || keys.includes(`${queryKey[0]} ${queryKey[1]}`),
    })
  }
}

const EVERYTHING = '*'

/** The beginnings of the keys of queries that an event makes old: see the keys of this folder's queries. */
function keysOf({ type, organization, space }: LiveEvent): string[] {
  switch (type) {
    case 'hello':
      return [EVERYTHING]
    case 'spaces':
      return ['spaces', 'collections', 'organizations', 'space']
    case 'organization':
      return ['organizations', 'organization', 'me']
    default:
      return [`space ${space}`, `organization ${organization}`, `spaces ${organization}`]
  }
}
