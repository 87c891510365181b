#!/usr/bin/env node
// @ts-check
// The command line. Answers go to standard output, everything else to standard error. JavaScript, because Node loads a
// compiler for a first file in TypeScript (30 ms of processor time); later files come from the compile cache.
// A namespace: an older Node refuses the import of a name that it lacks before anything runs.
import * as nodeModule from 'node:module'
import { findBundle } from './bundled.js'
import { applyMemorySettings } from './memory-settings.js'
import { refusalOfNode } from './node-version.js'

const refusal = refusalOfNode(process.version)
if (refusal === undefined) await start()
else {
  process.stderr.write(refusal)
  process.exitCode = 1
}

async function start() {
  if (process.argv[2] === 'serve') applyMemorySettings()
  nodeModule.enableCompileCache()
  const bundle = findBundle()
  const { run } = await (bundle === undefined ? import('./program.ts') : import(bundle))
  process.exitCode = await run(process.argv)
}
