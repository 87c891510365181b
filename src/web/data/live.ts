// Keeps what is shown up to date. One tab of the browser holds the stream and tells the others; as long as nothing is
// heard of it, everything is read again at intervals.
import type { Query, QueryClient } from '@tanstack/react-query'
import { type Heard, readLive } from './live-events.ts'

const CHANNEL = 'octavo.live.'
// The stream says something twice as often.
const POLL_MS = 30_000
// A burst of events is one reading.
const SETTLE_MS = 300

/** Follows the stream of this person until the function that it returns is called. */
export function followLive(cache: QueryClient, userId: string): () => void {
  const end = new AbortController()
  const due = new Due(cache)
  const channel = new BroadcastChannel(CHANNEL + userId)
  channel.onmessage = ({ data }: MessageEvent<Heard>) => due.add(data)
  void holdStream(CHANNEL + userId, end.signal, async () => {
    for await (const heard of readLive(end.signal)) {
      due.add(heard)
      channel.postMessage(heard)
    }
  })
  return () => {
    end.abort()
    channel.close()
    due.close()
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
  #timer: ReturnType<typeof setTimeout> | undefined
  #poll: ReturnType<typeof setInterval> | undefined

  constructor(cache: QueryClient) {
    this.#cache = cache
    this.#pollWhileQuiet()
  }

  add(heard: Heard): void {
    this.#pollWhileQuiet()
    for (const key of keysOf(heard)) this.#keys.add(key)
    if (this.#keys.size > 0) this.#timer ??= setTimeout(() => this.#read(), SETTLE_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
  }

  /** From now on: there may be no stream. */
  #pollWhileQuiet(): void {
    clearInterval(this.#poll)
    this.#poll = setInterval(() => readAgain(this.#cache, query => query.isActive()), POLL_MS)
  }

  #read(): void {
    this.#timer = undefined
    const keys = [...this.#keys]
    this.#keys.clear()
    readAgain(
      this.#cache,
      ({ queryKey }) =>
        keys.includes(EVERYTHING) ||
        keys.includes(String(queryKey[0])) ||
        keys.includes(`${queryKey[0]} ${queryKey[1]}`),
    )
  }
}

/** A list that is reading more of itself is read again afterwards: reading it at once would end that. */
function readAgain(cache: QueryClient, isOld: (query: Query) => boolean): void {
  const growing = cache.getQueryCache().findAll({ predicate: query => isOld(query) && isGrowing(query) })
  void cache.invalidateQueries({ predicate: query => isOld(query) && !growing.includes(query) })
  for (const query of growing) {
    const again = () => cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
    void query.promise?.then(again, again)
  }
}

const isGrowing = ({ state }: Query): boolean =>
  state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore !== undefined

const EVERYTHING = '*'

/** The beginnings of the keys of queries that an event makes old: see the keys of this folder's queries. */
function keysOf(heard: Heard): string[] {
  switch (heard.type) {
    case 'quiet':
      return []
    case 'hello':
      return [EVERYTHING]
    case 'notification':
      return ['notifications']
    case 'spaces':
      return ['spaces', 'collections', 'organizations', 'space']
    case 'organization':
      // The role of its members in spaces may be another.
      return ['organizations', 'organization', 'me', 'spaces', 'collections', 'space']
    default: {
      const { space, organization } = heard
      return [`space ${space}`, `organization ${organization}`, `spaces ${organization}`]
    }
  }
}
