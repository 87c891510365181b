import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('./freed-memory.js', import.meta.url))
const PROGRAM = `
  import { returnFreedMemory } from ${JSON.stringify(MODULE)}
  returnFreedMemory()
  const { pid, argv, execArgv, env } = process
  console.log(JSON.stringify({ pid, args: argv.slice(1), execArgv, setting: env.MALLOC_TRIM_THRESHOLD_ }))`

async function run(env: NodeJS.ProcessEnv) {
  const args = ['--no-warnings', '--input-type=module', '--eval', PROGRAM, 'serve', 'and more']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { pid: child.pid, told: JSON.parse(printed) }
}

test('the process begins again with the setting, under its number and with its arguments', {
  skip: process.platform !== 'linux',
}, async () => {
  const { pid, told } = await run({ MALLOC_TRIM_THRESHOLD_: undefined })
  assert.equal(told.setting, '262144')
  assert.equal(told.pid, pid)
  assert.deepEqual(told.args.slice(-2), ['serve', 'and more'])
  assert.ok(told.execArgv.includes('--no-warnings'))
})

test('a setting of the operator stays', async () => {
  assert.equal((await run({ MALLOC_TRIM_THRESHOLD_: '131072' })).told.setting, '131072')
})
