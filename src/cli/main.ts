#!/usr/bin/env node
// The command line. Answers go to standard output, everything else to standard error.
import { enableCompileCache } from 'node:module'

// Parsing some hundred files is most of a start; the second start finds them compiled.
enableCompileCache()
const { run } = await import('./program.ts')
process.exitCode = await run(process.argv)
