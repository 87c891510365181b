import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'octavo-watch-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('tests run at once, and again after a change of a source file', async () => {
  for (const name of ['src', 'test', 'tools', 'bench']) mkdirSync(join(folder, name))
  const runner = join(folder, 'runner.js')
  writeFileSync(runner, `console.log('ran ' + process.argv.slice(2))`)
  const module = new URL('watch-tests.ts', import.meta.url).href
  const program = `import { watchTests } from '${module}'\nwatchTests('${runner}', ['src/a'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  const saysWaiting = async (times: number) => {
    while (output.split('waiting for a change').length <= times) await once(child.stdout, 'data')
  }
  try {
    await saysWaiting(1)
    writeFileSync(join(folder, 'src/a.md'), 'no source file')
    writeFileSync(join(folder, 'src/a.ts'), '')
    await saysWaiting(2)
    assert.equal(output.split('ran src/a\n').length - 1, 2)
  } finally {
    child.kill()
  }
})
