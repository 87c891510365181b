// Runs what was taken, in order, with bounded concurrency in total and for each receiver.

export type Lanes<T> = {
  add(one: T): void
  /** Removes and returns those that have not begun. */
  drop(matches: (one: T) => boolean): T[]
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
    drop(matches) {
      const dropped = waiting.filter(matches)
      waiting = waiting.filter(one => !matches(one))
      return dropped
    },
  }
}
