// What was taken to be sent, in the order in which it was taken: so many at once to one receiver, and so many in all.

export type Lanes<T> = {
  add(one: T): void
  /** Takes back what has not begun. */
  drop(isMeant: (one: T) => boolean): T[]
}

type Bounds = { readonly all: number; readonly each: number }

/** `run` never rejects. */
export function createLanes<T extends { readonly receiver: string }>(
  run: (one: T) => Promise<void>,
  bounds: Bounds,
): Lanes<T> {
  let waiting: T[] = []
  const running = new Map<string, number>()
  let all = 0

  const next = () => {
    const left: T[] = []
    for (const one of waiting) {
      const at = running.get(one.receiver) ?? 0
      if (all >= bounds.all || at >= bounds.each) {
        left.push(one)
        continue
      }
      all += 1
      running.set(one.receiver, at + 1)
      void run(one).then(() => end(one.receiver))
    }
    waiting = left
  }

  const end = (receiver: string) => {
    all -= 1
    const at = (running.get(receiver) ?? 1) - 1
    if (at === 0) running.delete(receiver)
    else running.set(receiver, at)
    next()
  }

  return {
    add(one) {
      waiting.push(one)
      next()
    },
    drop(isMeant) {
      const dropped = waiting.filter(isMeant)
      waiting = waiting.filter(one => !isMeant(one))
      return dropped
    },
  }
}
