/** Runs one load for all who ask for the same key while it runs. A load that fails, fails for all of them. */
export function createSingleFlight<Value>(): (key: string, load: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, load) => {
    const joined = running.get(key)
    if (joined !== undefined) return joined
    const started = load().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}
