// @ts-check
// Settings that reduce a server's memory. They are read when a program starts, so the process starts again with them,
// under the same process id.
const OF_V8 = '--max-semi-space-size=8'
/** glibc settings in bytes: see mallopt(3). */
const OF_GLIBC = {
  // Returns memory that a thread has freed to the system. By default much of it stays with the thread: some 70 MiB of
  // the memory that V8 uses for compiling at a start.
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024),
  // Setting the first fixes this at 128 KiB, and each larger buffer would be mapped and unmapped.
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
}

/** Keeps values that the operator has set. */
export function applyMemorySettings() {
  const { NODE_OPTIONS = '' } = process.env
  const isApplied = NODE_OPTIONS.includes(OF_V8)
  // The channel to a parent would be lost, and a process with few permissions may be unable to start again.
  const mayNot = process.send !== undefined || process.permission !== undefined
  if (isApplied || mayNot || process.platform !== 'linux') return
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  // If an option is repeated, the last value counts.
  const env = { ...OF_GLIBC, ...process.env, NODE_OPTIONS: `${OF_V8} ${NODE_OPTIONS}`.trim() }
  process.execve?.(process.execPath, args, env)
}
