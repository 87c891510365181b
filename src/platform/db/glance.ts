// A question to the database for somebody who would rather have no answer than wait, such as a scrape of metrics.

const MILLISECONDS_MAX = 1_000

/** Undefined if the database does not answer at once, or refuses. One question runs at a time; others take its answer. */
export function createGlance<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asking: Promise<T | undefined> | undefined
  return () => {
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
      })
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), MILLISECONDS_MAX)
    return Promise.race([asking, late]).finally(() => clearTimeout(timer))
  }
}
