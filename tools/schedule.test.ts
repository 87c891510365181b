import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runAll } from './schedule.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-schedule-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// More on one engine than on the other, and one by itself.
const ENGINES = ['alone', 'less', 'more', 'more', 'more', 'more']

for (const lanes of [1, 3])
  test(`every file runs once on its engine, ${lanes} at once`, async () => {
    // One that never ran: how long it takes, nobody knows.
    const path = join(folder, `${lanes}.test.ts`)
    writeFileSync(path, "import { test } from 'node:test'\ntest('passes', () => {})\n")
    const files = ENGINES.map(engine => ({
      ...{ path, engine, env: process.env, isAlone: engine === 'alone' },
    }))
    const ran: string[] = []
    for await (const { file, report } of runAll(files, { lanes, testMsMax: 120_000, namePatterns: [] })) {
      assert.deepEqual(report.problems, [])
      ran.push(file.engine)
    }
    assert.deepEqual(ran.sort(), ENGINES)
  })

test('where the time may not suffice, no file runs on a second engine before every other has run on one', async () => {
  const files = ['one', 'two', 'three'].flatMap(name => {
    const path = join(folder, `${name}.test.ts`)
    writeFileSync(path, "import { test } from 'node:test'\ntest('passes', () => {})\n")
    return ['first', 'second'].map(engine => ({
      ...{ path, engine, env: process.env, isAlone: name === 'three' },
    }))
  })
  const limits = { lanes: 1, testMsMax: 120_000, namePatterns: [], endsAt: 1e12 }
  const ran: string[] = []
  for await (const { file } of runAll(files, limits)) ran.push(file.engine)
  assert.deepEqual(ran, ['first', 'first', 'first', 'second', 'second', 'second'])
})

test('no file begins after the end, and those that did not begin are returned', async () => {
  const file = { path: join(folder, 'never.test.ts'), engine: 'one', env: process.env, isAlone: false }
  const running = runAll([file], { lanes: 1, testMsMax: 120_000, namePatterns: [], endsAt: -1 })
  assert.deepEqual(await running.next(), { done: true, value: [file] })
})
