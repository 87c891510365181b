import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleProgram } from '../../tools/program.ts'
import { findBundle, fingerprintOf, listSources } from './bundled.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the command finds the bundle of exactly these sources, and the bundle names no place of this machine', async () => {
  const folder = await bundleProgram()
  assert.equal(findBundle(), pathToFileURL(join(folder, 'cli/program.mjs')).href)
  const naming = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.mjs'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path, 'utf8').includes(ROOT))
  assert.deepEqual(naming, [])
})

test('a bundle is named by every source, migration and lock file, and by no test', () => {
  const sources = listSources()
  for (const path of [
    'package-lock.json',
    'src/cli/program.ts',
    'src/platform/db/migrations/0041_told_glossaries.sql',
  ])
    assert.ok(sources.includes(path), path)
  assert.ok(!sources.includes('src/cli/bundled.test.ts'))
  assert.notEqual(fingerprintOf(sources), fingerprintOf(sources.slice(1)))
})
