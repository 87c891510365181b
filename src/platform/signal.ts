// Tells, within this process, that there is something to do. What there is to do is in the database.

export interface Signal {
  notify(): void
  /** Calls `listener` for every notification from now on; returns a function that ends it. */
  subscribe(listener: () => void): () => void
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
