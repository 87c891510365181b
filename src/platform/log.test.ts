import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { createLog } from './log.ts'

function written(
  level: string,
  write: (log: ReturnType<typeof createLog>) => void,
): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLog(level, { write: line => void lines.push(line) }))
  return lines.map(line => JSON.parse(line))
}

test('a line is an object with an instant, a message and its facts', () => {
  const [line] = written('info', log => log.info({ space: 'x' }, 'hello'))
  assert.equal(line?.msg, 'hello')
  assert.equal(line?.space, 'x')
  assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('what is below the level is not written', () => {
  assert.equal(written('warn', log => log.info('hello')).length, 0)
  assert.equal(written('silent', log => log.fatal('hello')).length, 0)
})

test('secrets are hidden wherever they hang', () => {
  const [line] = written('info', log =>
    log.info(
      {
        token: 'hush',
        req: { headers: { authorization: 'hush', cookie: 'hush' } },
        s3: { secretAccessKey: 'hush' },
      },
      'x',
    ),
  )
  assert.ok(!JSON.stringify(line).includes('hush'))
})

test('an error is written with its stack and cause', () => {
  const [line] = written('info', log =>
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'x'),
  )
  assert.match(JSON.stringify(line), /outer.*inner/)
})

for (const [end, messages] of [
  ['process.kill(process.pid, "SIGKILL")', ['one', 'two']],
  ['process.exit()', ['one', 'two', 'three']],
  ['', ['one', 'two', 'three']],
] as const) {
  test(`of a process that ends by ${end || 'itself'}, lines up to the last warning are written at least`, () => {
    const file = new URL('./log.ts', import.meta.url).href
    const program = `import { createLog } from '${file}'
      const log = createLog('info')
      log.info('one'), log.warn('two'), log.info('three')
      ${end}`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    const lines = stderr.trim().split('\n')
    assert.deepEqual(
      lines.map(line => JSON.parse(line).msg),
      messages,
    )
  })
}

test('lines do not wait once they are many, whatever becomes of the process', () => {
  const file = new URL('./log.ts', import.meta.url).href
  const program = `import { createLog } from '${file}'
    const log = createLog('info')
    for (let n = 0; n < 10; n += 1) log.info('a'.repeat(1_000))
    process.kill(process.pid, 'SIGKILL')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.ok(stderr.trim().split('\n').length > 5, stderr)
})

test('lines for which the disk has no room are dropped and counted, and the process goes on', {
  skip: !existsSync('/dev/full') && 'no file of this system is always full',
}, () => {
  const [log, file] = ['./log.ts', './log-file.ts'].map(name => new URL(name, import.meta.url).href)
  const program = `import { createLog } from '${log}'
    import { countDroppedLines } from '${file}'
    const log = createLog('info')
    log.info('one'), log.warn('two'), log.error('three')
    console.log(countDroppedLines())`
  const full = openSync('/dev/full', 'w')
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', full],
  })
  closeSync(full)
  assert.deepEqual([stdout.trim(), status], ['3', 0])
})
