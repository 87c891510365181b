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

test('a test that fails is told with its error, and the run fails', async () => {
  const { code, count, report } = await runFiles({
    one: "test('adds', () => { throw new Error('four is not five') })",
    two: PASSES,
  })
  assert.equal(code, 1)
  assert.deepEqual([count('pass'), count('fail')], [1, 1])
  assert.match(report, /Error: four is not five\n +at .*one\.test\.ts:2/)
})

test('a file that throws when it is loaded fails the run, and no other file', async () => {
  const { code, count, problems, report } = await runFiles({
    one: "throw new Error('not today')",
    two: PASSES,
  })
  assert.equal(code, 1)
  assert.equal(count('pass'), 1)
  assert.match(problems.join(), /^one\.test\.ts \(embedded\): failed outside of its tests$/)
  assert.match(report, /Error: not today/)
})

test('a file without tests fails the run, unless tests are chosen by name', async () => {
  const files = { one: '', two: PASSES }
  const { code, problems } = await runFiles(files)
  assert.deepEqual([code, problems], [1, ['one.test.ts (embedded): no test ran']])
  assert.equal((await runFiles(files, '--test-name-pattern=passes')).code, 0)
  assert.equal((await runFiles(files, '--test-name-pattern=unheard-of')).code, 1)
})

for (const [name, end, said] of [
  ['exits as if all were well', 'process.exit(0)', 'exit code 0'],
  ['is killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
  ['is out of memory', "const all = []; while (true) all.push(new Array(1e6).fill('x'))", 'SIGABRT'],
] as const)
  test(`when the process of a file ${name}, what it had left is named and the other files run`, async () => {
    const { code, count, problems, report } = await runFiles({
      a: PASSES,
      b: `${PASSES}\ntest('the end', async () => { await 1; ${end} })\ntest('never', () => {})`,
      c: PASSES,
      d: PASSES,
    })
    assert.equal(code, 1)
    assert.ok(count('pass') >= 3, report)
    assert.deepEqual(problems, [
      `b.test.ts (embedded): it did not come to its end: the process ended (${said}) at the end`,
    ])
  })

test('a test that never ends is cut off by its limit, and one that never lets go of the processor ends with its process; what comes after them runs', async () => {
  const limit = Math.round(1000 * slowness)
  const { code, count, problems, report } = await runFiles(
    {
      one: `test('waits', () => new Promise(() => {})); ${PASSES}`,
      two: "test('turns', () => { while (true); })",
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

test('an error that comes when its test is over fails the run', async () => {
  const { code, problems } = await runFiles({
    one:
      "test('leaves', () => void setTimeout(() => Promise.reject(new Error('too late')), 30))\n" +
      "test('waits', () => new Promise(resolve => setTimeout(resolve, 300)))",
  })
  assert.equal(code, 1)
  assert.match(problems.join(), /an error came from a test that was over: Error: too late/)
})

test('a file that leaves the process other than it was fails the run', async () => {
  const { code, problems } = await runFiles({
    one: "const { env } = process; test('changes', () => { env.LEFT = '1' })",
    two: PASSES,
  })
  assert.equal(code, 1)
  assert.deepEqual(problems, ['one.test.ts (embedded): it left changed: process.env.LEFT'])
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
