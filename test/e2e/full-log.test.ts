// A server whose log is on a full disk, and commands that cannot begin.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../bench/server.ts'
import { startedHome } from '../support/home.ts'
import { REAL, run, start, temporaryFolder } from '../support/process.ts'

test('a server whose log and greeting have no room goes on answering, and counts what it dropped', {
  skip: !existsSync('/dev/full') && 'no file of this system is always full',
}, async () => {
  const home = await startedHome(temporaryFolder())
  // Its greeting, which would name the address, is lost.
  const port = await freePort()
  const line = `exec "${process.execPath}" "${REAL}" serve > /dev/full 2> /dev/full`
  const server = start('sh', ['-c', line], {
    env: {
      OCTAVO_HOME: home,
      PORT: String(port),
      OCTAVO_METRICS_TOKEN: 'metrics-of-a-full-log',
      OCTAVO_LOG_LEVEL: 'info',
    },
  })
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer metrics-of-a-full-log' } })
  let isOver = false
  void server.ended.then(() => {
    isOver = true
  })
  const answers = async (): Promise<boolean> => (await get('/readyz').catch(() => undefined))?.ok === true
  while (!(await answers())) {
    assert.ok(!isOver, 'the server ended')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  for (let request = 0; request < 20; request += 1) await get('/nothing-here')
  let metrics = ''
  while (!/^octavo_log_lines_dropped_total [1-9]/m.test(metrics)) {
    assert.ok(!isOver, 'the server ended')
    metrics = await (await get('/metrics')).text()
  }
  assert.match(metrics, /^octavo_wait_seconds_bucket\{queue="database",le="\+Inf"\} [1-9]/m)
  assert.equal((await server.end('SIGTERM')).signal, null)
})

test('a folder that cannot be made is refused in one line', {
  skip: !existsSync('/proc/self') && 'no folder here refuses new ones to everybody',
}, async () => {
  for (const home of ['/proc/nope', '/proc/nope/deeper', join(REAL, 'below-a-file')]) {
    const { code, stderr } = await run(['serve'], { env: { OCTAVO_HOME: home, PORT: '0' } })
    assert.equal(code, 1, stderr)
    assert.match(stderr, /^octavo: OCTAVO_HOME: the folder [^\n]* cannot be used: [^\n]*\n$/)
  }
})
