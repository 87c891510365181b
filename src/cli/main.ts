#!/usr/bin/env node
// The command line. Answers go to standard output, everything else to standard error.
import { enableCompileCache } from 'node:module'

// A reader may leave before the end, as in `octavo --help | head -1`; then nobody is left to write to, and nothing is
// wrong.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// Parsing some hundred files is most of a start; the second start finds them compiled.
enableCompileCache()
const { run } = await import('./program.ts')
process.exitCode = await run(process.argv)
