import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const parent = mkdtempSync(join(tmpdir(), 'octavo-temporary-'))
after(() => rmSync(parent, { recursive: true, force: true }))

const MODULE = new URL('temporary-folder.ts', import.meta.url).href

/** Makes a folder in a process that ends then, and returns what was beside it. */
function makeAndEnd(): string[] {
  const script = `
    import { readdirSync } from 'node:fs'
    import { makeTemporaryFolder } from '${MODULE}'
    makeTemporaryFolder(process.argv[1])
    console.log(readdirSync(process.argv[1]).join())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, parent])
  return stdout.toString().trim().split(',').sort()
}

test('a temporary folder is removed with its process, and what a killed one has left by the next', () => {
  const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
  const running = `octavo-tests-${process.pid}-a`
  for (const name of [`octavo-tests-${ended}-a`, running, 'of-somebody-else']) mkdirSync(join(parent, name))
  const beside = makeAndEnd()
  assert.equal(beside.length, 3)
  assert.ok(!beside.includes(`octavo-tests-${ended}-a`))
  assert.deepEqual(readdirSync(parent).sort(), [running, 'of-somebody-else'].sort())
})
