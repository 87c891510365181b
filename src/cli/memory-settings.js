// @ts-check
// Settings by which a server holds less memory. They are read when a program begins, so the process begins again with
// them, under the same process id.
const OF_V8 = '--max-semi-space-size=8'
/** Of glibc, in bytes: see mallopt(3). */
const OF_GLIBC = {
  // What a thread has freed goes back to the system. By default much of it stays with the thread: some 70 MiB of what V8
  // compiles with at a start.
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024),
  // With the first set, this is 128 KiB for good, and each larger buffer would be mapped and unmapped.
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
}

/** Values that the operator has set stay. */
export function applyMemorySettings() {
  const { NODE_OPTIONS = '' } = process.env
  const isApplied = NODE_OPTIONS.includes(OF_V8)
  // The channel to a parent would be lost, and a process with few permissions may not begin again.
  const mayNot = process.send !== undefined || process.permission !== undefined
  if (isApplied || mayNot || process.platform !== 'linux') return
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  // Of two values of an option, the last counts.
  const env = { ...OF_GLIBC, ...process.env, NODE_OPTIONS: `${OF_V8} ${NODE_OPTIONS}`.trim() }
  process.execve?.(process.execPath, args, env)
}
