#!/usr/bin/env node
// @ts-check
// The command line. Answers go to standard output, everything else to standard error. JavaScript, because Node loads a
// compiler for a first file in TypeScript (30 ms of processor time); later files come from the compile cache.
import { existsSync } from 'node:fs'
// A namespace: an older Node refuses the import of a name that it lacks before anything runs.
import * as nodeModule from 'node:module'
import { findBundle } from './bundled.js'
import { applyMemorySettings } from './memory-settings.js'
import { refusalOfNode, refusalWithoutPackages } from './node-version.js'

const OWN_NODE = new URL('../../node_modules/.bin/node', import.meta.url)

const refusal = refusalOfNode(process.version, existsSync(OWN_NODE))
if (refusal === undefined) await start()
else refuse(refusal)

async function start() {
  if (process.argv[2] === 'serve') applyMemorySettings()
  nodeModule.enableCompileCache()
  const program = await load()
  if (program !== undefined) process.exitCode = await program.run(process.argv)
}

async function load() {
  const bundle = findBundle()
  try {
    return await (bundle === undefined ? import('./program.ts') : import(bundle))
  } catch (error) {
    const missing = refusalWithoutPackages(error)
    if (missing === undefined) throw error
    return refuse(missing)
  }
}

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(sentence)
  process.exitCode = 1
}
