// Tells, within this process, that there is something to do. What there is to do is in the database.

export interface Bell {
  ring(): void
  /** `listener` is called for every ring from now on; the answer ends that. */
  listen(listener: () => void): () => void
}

export function createBell(): Bell {
  const listeners = new Set<() => void>()
  return {
    ring() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
