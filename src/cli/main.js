#!/usr/bin/env node
// The command line. Answers go to standard output, everything else to standard error. JavaScript, because Node loads a
// compiler for a first file in TypeScript (30 ms of a processor); the others are compiled since the start before.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { run } = await import('./program.ts')
process.exitCode = await run(process.argv)
