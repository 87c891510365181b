#!/usr/bin/env node
// @ts-check
// The command line. Answers go to standard output, everything else to standard error. JavaScript, because Node loads a
// compiler for a first file in TypeScript (30 ms of a processor); the others come from the compile cache.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { run } = await import('./program.ts')
process.exitCode = await run(process.argv)
