import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('./memory-settings.js', import.meta.url))
const PROGRAM = `
  import { applyMemorySettings } from ${JSON.stringify(MODULE)}
  applyMemorySettings()
  const { pid, argv, execArgv, env } = process
  console.log(JSON.stringify({ pid, args: argv.slice(1), execArgv, env }))`
const LINUX = { skip: process.platform !== 'linux' }
const UNSET = {
  NODE_OPTIONS: undefined,
  MALLOC_TRIM_THRESHOLD_: undefined,
  MALLOC_MMAP_THRESHOLD_: undefined,
}

async function run(env: NodeJS.ProcessEnv, options: readonly string[] = []) {
  const args = [...options, '--no-warnings', '--input-type=module', '--eval', PROGRAM, 'serve', 'and more']
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...UNSET, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { pid: child.pid, told: JSON.parse(printed) }
}

test(
  'the process begins again with the settings, under its number and with its arguments',
  LINUX,
  async () => {
    const { pid, told } = await run({})
    assert.equal(told.env.MALLOC_TRIM_THRESHOLD_, '262144')
    assert.equal(told.env.MALLOC_MMAP_THRESHOLD_, '4194304')
    assert.equal(told.env.NODE_OPTIONS, '--max-semi-space-size=8')
    assert.equal(told.pid, pid)
    assert.deepEqual(told.args.slice(-2), ['serve', 'and more'])
    assert.ok(told.execArgv.includes('--no-warnings'))
  },
)

test('settings of the operator stay', LINUX, async () => {
  const { told } = await run({
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_OPTIONS: '--max-semi-space-size=32',
  })
  assert.equal(told.env.MALLOC_TRIM_THRESHOLD_, '131072')
  assert.equal(told.env.NODE_OPTIONS, '--max-semi-space-size=8 --max-semi-space-size=32')
})

test(
  'the process does not begin again for ever where glibc takes its settings out of the environment',
  LINUX,
  async () => {
    const { told } = await run({ NODE_OPTIONS: '--max-semi-space-size=8' })
    assert.equal(told.env.MALLOC_TRIM_THRESHOLD_, undefined)
  },
)

test('a process with few permissions does not begin again', LINUX, async () => {
  const { told } = await run({}, ['--permission', '--allow-fs-read=*'])
  assert.equal(told.env.NODE_OPTIONS, undefined)
})
