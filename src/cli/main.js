#!/usr/bin/env node
// @ts-check
// The command line. Answers go to standard output, everything else to standard error. JavaScript, because Node loads a
// compiler for a first file in TypeScript (30 ms of processor time); later files come from the compile cache.
import { enableCompileCache } from 'node:module'
import { findBundle } from './bundled.js'
import { applyMemorySettings } from './memory-settings.js'

if (process.argv[2] === 'serve') applyMemorySettings()
enableCompileCache()
const bundle = findBundle()
const { run } = await (bundle === undefined ? import('./program.ts') : import(bundle))
process.exitCode = await run(process.argv)
