// The runner of the tests, on test files made for it: whatever happens to a file, the report says so, and the run fails.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, slowness, start, temporaryFolder } from '../test/support/process.ts'

/** Runs test files of the given names and texts, one after the other, and answers what was reported. */
async function runFiles(files: Record<string, string>, ...options: string[]) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files))
    writeFileSync(
      join(folder, `${name}.test.ts`),
      `import { test, suite, after } from 'node:test'\n${text}\n`,
    )
  const own = ['--engine=embedded', '--lanes=1', '--test-timeout=2000']
  const args = [join(ROOT, 'tools/test.ts'), folder, ...own, ...options]
  // So little memory that a test which wants all of it has it soon.
  const env = { NODE_OPTIONS: '--max-old-space-size=100' }
  const { code, stdout, stderr } = await start(process.execPath, args, { env }).ended
  const problems = stdout
    .split('\n')
    .flatMap(line => /MISSING: (.*)/.exec(line)?.[1]?.replace(`${folder}/`, '') ?? [])
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(stdout)?.[1])
  return { code, report: stdout + stderr, problems, count }
}

const PASSES = "test('passes', () => {})"

test('tests that pass, and nothing else, make a run that passes', async () => {
  const { code, count, problems, report } = await runFiles({
    one: `${PASSES}; suite('several', () => { test('inner', () => {}) })`,
    two: `${PASSES}; test('asked of a neighbour', { skip: 'there is no neighbour' }, () => {})`,
    three: "suite('on a server', { skip: 'there is no server' }, () => { test('inner', () => {}) })",
  })
  assert.deepEqual([code, problems], [0, []], report)
  assert.deepEqual([count('tests'), count('pass'), count('skipped'), count('suites')], [5, 3, 2, 1])
  assert.match(report, /left out: there is no neighbour\n.*two\.test\.ts: asked of a neighbour/)
  assert.match(report, /left out: there is no server\n.*three\.test\.ts: on a server/)
})

test('a failing test is reported with its error, and the run fails', async () => {
  const { code, count, report } = await runFiles({
    one: "test('adds', () => { throw new Error('four is not five') })",
    two: PASSES,
  })
  assert.equal(code, 1)
  assert.deepEqual([count('pass'), count('fail')], [1, 1])
  assert.match(report, /Error: four is not five\n +at .*one\.test\.ts:2/)
})

test('an error outside of tests is reported for its file and fails the run, and no other file', async () => {
  const { code, count, problems, report } = await runFiles({
    a: PASSES,
    changes: "const { env } = process; test('changes', () => { env.LEFT = '1' })",
    empty: '',
    late:
      "test('leaves', () => void setTimeout(() => Promise.reject(new Error('too late')), 30))\n" +
      "test('waits', () => new Promise(resolve => setTimeout(resolve, 300)))",
    throws: "throw new Error('not today')",
    z: PASSES,
  })
  assert.equal(code, 1)
  assert.equal(count('pass'), 5)
  assert.match(report, /Error: not today/)
  const expected = [
    /^changes\.test\.ts \(embedded\): it left changed: process\.env\.LEFT$/,
    /^empty\.test\.ts \(embedded\): no test ran$/,
    /^late\.test\.ts \(embedded\): an error came from a test that was over: Error: too late/,
    /^throws\.test\.ts \(embedded\): failed outside of its tests$/,
  ]
  assert.equal(problems.length, expected.length, problems.join('\n'))
  for (const [at, pattern] of expected.entries()) assert.match(problems.sort()[at] ?? '', pattern)
})

test('a file without a test of a name that is chosen is none that fails; a run without any fails', async () => {
  const files = { one: '', two: PASSES }
  assert.equal((await runFiles(files, '--test-name-pattern=passes')).code, 0)
  assert.equal((await runFiles(files, '--test-name-pattern=unheard-of')).code, 1)
})

test('when the process of a file exits as if all were well, is killed or is out of memory, what it had left is named and the other files run', async () => {
  const ending = (end: string) =>
    `${PASSES}\ntest('the end', async () => { await 1; ${end} })\ntest('never', () => {})`
  const { code, count, problems, report } = await runFiles({
    a: PASSES,
    b: ending('process.exit(0)'),
    c: PASSES,
    d: ending("process.kill(process.pid, 'SIGKILL')"),
    e: PASSES,
    f: ending("const all = []; while (true) all.push(new Array(1e6).fill('x'))"),
    g: PASSES,
  })
  assert.equal(code, 1)
  assert.ok(count('pass') >= 4, report)
  const ended = 'it did not come to its end: the process ended'
  assert.deepEqual(problems.sort(), [
    `b.test.ts (embedded): ${ended} (exit code 0) at the end`,
    `d.test.ts (embedded): ${ended} (SIGKILL) at the end`,
    `f.test.ts (embedded): ${ended} (SIGABRT) at the end`,
  ])
})

// What keeps the event loop from turning: a loop does as well, and takes a processor for all the time of the limit.
const KEEPS = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

test('a test that never ends is cut off by its limit, and one that never lets go of the processor ends with its process; what comes after them runs', async () => {
  const limit = Math.round(1000 * slowness)
  const { code, count, problems, report } = await runFiles(
    {
      one: `test('waits', () => new Promise(() => {})); ${PASSES}`,
      two: `test('turns', () => void ${KEEPS})`,
      three: PASSES,
    },
    `--test-timeout=${limit}`,
  )
  assert.equal(code, 1)
  assert.deepEqual([count('pass'), count('cancelled')], [2, 1])
  assert.match(report, new RegExp(`test timed out after ${limit}ms`))
  assert.deepEqual(problems, [
    `two.test.ts (embedded): nothing was heard for ${Math.round((2 * limit) / 1000)} s, so it was ended`,
    'two.test.ts (embedded): it did not come to its end: the process ended (SIGKILL) at turns',
  ])
})

test('hooks at the top of a file are for its tests alone, and close before the next file', async () => {
  const { code, report } = await runFiles({
    one: `import { writeFileSync } from 'node:fs'\n${PASSES}\nafter(() => writeFileSync(import.meta.dirname + '/closed', ''))`,
    two: `import { existsSync } from 'node:fs'\nimport { beforeEach } from 'node:test'
      beforeEach(() => { throw new Error('not mine') }); test('fails', () => {})`,
    three: PASSES,
  })
  assert.equal(code, 1)
  assert.equal(report.match(/^✖ .*\.test\.ts/gm)?.length, 1, report)
})

test('tests of a file are its own when it awaits, at its top, what an earlier file made', async () => {
  const made = '(globalThis.made ??= new Promise(resolve => setTimeout(resolve, 20)))'
  const { code, count, report } = await runFiles({
    one: `void ${made}; await import('node:timers/promises').then(timers => timers.setTimeout(50)); ${PASSES}`,
    two: `await ${made}; ${PASSES}`,
  })
  assert.deepEqual([code, count('pass')], [0, 2], report)
})

test('a test that belongs to no file fails the run', async () => {
  const file = `const { once } = process; once.call(process, 'message', () => test('stray', () => {})); ${PASSES}`
  const { code, problems } = await runFiles({ one: file, two: file })
  assert.equal(code, 1)
  assert.match(problems.join('\n'), /tests of it ran outside of it/)
})
