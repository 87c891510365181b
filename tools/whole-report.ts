// Loaded before every test file. Its report goes through a pipe, and `--test-force-exit` ends the process as soon as the
// last test is done: what a busy reader has not taken by then would be lost, failed tests among it. A write that waits
// for its reader loses nothing.
type Blocking = { readonly _handle?: { setBlocking?(isBlocking: boolean): number } }
;(process.stdout as unknown as Blocking)._handle?.setBlocking?.(true)
