// Limits what runs at the same time.

/** Runs at most `max` of the given functions at a time; the rest wait in order. */
export function limitConcurrency(max: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = max
  const waiting: (() => void)[] = []
  return async run => {
    if (free > 0) free -= 1
    else await new Promise<void>(go => waiting.push(go))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Runs functions with the same key one after the other. */
export function oneByOne(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const busy = new Map<string, Promise<unknown>>()
  return async (key, run) => {
    const before = busy.get(key)
    const mine = before === undefined ? run() : before.then(run, run)
    busy.set(key, mine)
    try {
      return await mine
    } finally {
      if (busy.get(key) === mine) busy.delete(key)
    }
  }
}
