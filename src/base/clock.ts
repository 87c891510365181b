// The only time of the program.

/** Wall clock. Tests that need another time pass their own Clock. */
export type Clock = () => Date

export const now: Clock = () => new Date()

/** Milliseconds from a clock that never goes back; for durations and deadlines, never for dates. */
export const monotonicMs = (): number => performance.now()

/** Processor milliseconds that this thread has used. Waiting, as on a busy machine, does not count. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
