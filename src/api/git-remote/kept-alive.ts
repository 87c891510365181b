// Sends lines that clients ignore during a long answer: proxies and clients close silent connections.

// As often as git's own servers do (receive.keepAlive).
const QUIET_MS_MAX = 5_000
/** An empty pkt-line on the data band. */
const NOTHING = Buffer.from('0005\u0001', 'latin1')

export async function* keptAlive(answer: Promise<Buffer>, quietMsMax = QUIET_MS_MAX): AsyncGenerator<Buffer> {
  for (;;) {
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), quietMsMax)
    try {
      const bytes = await Promise.race([answer, late])
      if (bytes !== undefined) return yield bytes
    } finally {
      clearTimeout(timer)
    }
    yield NOTHING
  }
}
