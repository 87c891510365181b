// @ts-check
// glibc keeps much of what a thread has freed: some 70 MiB of what V8 compiles with at a start, for as long as the server
// runs. With a fixed threshold it gives that back to the system (mallopt(3), M_TRIM_THRESHOLD). The setting is read when
// a program begins, so the process begins again with it, under the same number.
const SETTING = 'MALLOC_TRIM_THRESHOLD_'
const BYTES = 256 * 1024

export function returnFreedMemory() {
  const isSet = process.env[SETTING] !== undefined
  // The channel to a parent would be lost.
  if (isSet || process.platform !== 'linux' || process.send !== undefined) return
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args, { ...process.env, [SETTING]: String(BYTES) })
}
