// The only time of the program.

/** Wall clock. Tests that need another time pass their own Clock to what takes one. */
export type Clock = () => Date

export const now: Clock = () => new Date()

/** Milliseconds that only grow; for durations and deadlines, never for dates. */
export const monotonicMs = (): number => performance.now()

/** Milliseconds of a processor that this thread has taken. What it waited for, on a busy machine, does not count. */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
