// How many things happen at once.

/** Runs at most `max` of what it is given at a time; the rest wait in their order. */
export function atMost(max: number): <T>(run: () => Promise<T>) => Promise<T> {
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
