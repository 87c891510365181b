// Wakes, within this process, workers whose work is in the database.

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
