// One report of many lanes. Each file is reported as a whole when it has ended, so lanes do not mix, and only what was reported
// is counted. Whatever is left out, lost or failed outside of a test is named at the end. All of it fails the run, but
// for tests that say by themselves why they cannot run.
import { inspect } from 'node:util'
import type { TestEvent } from './lane.ts'
import type { Ran, TestFile } from './schedule.ts'

export type Expected = {
  /** Sentences about what does not run at all. */
  readonly leftOut: readonly string[]
  /** Whether a file without any test is a mistake: it is not when tests are chosen by name. */
  readonly areAllExpected: boolean
}

type Data = {
  readonly name: string
  readonly nesting: number
  readonly skip?: string | boolean
  readonly todo?: string | boolean
  readonly details?: {
    readonly type?: string
    readonly error?: { readonly text: string; readonly failureType?: string }
  }
}

const SLOWEST = 10
const STRAYED = 'tests of it ran outside of it: it calls `test` where the lane calls it back'

export async function* report(all: AsyncIterable<Ran>, expected: Expected): AsyncGenerator<TestEvent> {
  const started = performance.now()
  const tally = new Tally(expected.areAllExpected)
  for await (const ran of all) {
    for (const { type, data } of ran.report.events) yield { type, data: withShownError(data as Data) }
    if (ran.report.output !== '')
      yield { type: 'test:stdout', data: { file: ran.file.path, message: ran.report.output } }
    tally.add(ran)
  }
  yield* tally.reasons().map(say)
  yield say(`slowest: ${tally.slowest()}`)
  yield* tally.engines().map(say)
  yield* expected.leftOut.map(say)
  yield* tally.problems.map(problem => say(`MISSING: ${problem}`))
  if (!tally.hasPassed) process.exitCode = 1
  const lines = { ...tally.counts, duration_ms: Math.round(performance.now() - started) }
  yield* Object.entries(lines).map(([name, value]) => say(`${name} ${value}`))
}

class Tally {
  readonly counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  /** Problems outside of failed tests. */
  readonly problems: string[] = []
  readonly #areAllExpected: boolean
  readonly #engines = new Map<string, { files: number; passed: number; failed: number }>()
  readonly #skipped = new Map<string, Set<string>>()
  readonly #times: { readonly path: string; readonly ms: number; readonly cpuMs: number }[] = []

  constructor(areAllExpected: boolean) {
    this.#areAllExpected = areAllExpected
  }

  get hasPassed(): boolean {
    const { tests, fail, cancelled } = this.counts
    return tests > 0 && fail + cancelled === 0 && this.problems.length === 0
  }

  add({ file, report: { events, ms, cpuMs, problems } }: Ran): void {
    const engine = this.#engineOf(file)
    const before = { ...this.counts }
    engine.files += 1
    this.#times.push({ path: file.path, ms, cpuMs })
    const found = [...problems]
    for (const { type, data } of events)
      if (type === 'test:pass' || type === 'test:fail') found.push(...this.#count(file, data as Data, type))
    engine.passed += this.counts.pass - before.pass
    engine.failed += this.counts.fail + this.counts.cancelled - before.fail - before.cancelled
    if (this.counts.tests === before.tests && found.length === 0 && this.#areAllExpected)
      found.push('no test ran')
    for (const problem of new Set(found)) this.problems.push(`${file.path} (${file.engine}): ${problem}`)
  }

  /** Counts one test that is over, and answers what is wrong beside its failure. */
  #count({ path }: TestFile, { name, nesting, skip, todo, details }: Data, type: string): string[] {
    const { counts } = this
    const failure = type === 'test:fail' ? (details?.error?.failureType ?? 'unknown') : undefined
    // A failure of the file is one at its import or in a hook, unless it is that of its tests.
    if (nesting === 0 && name === path)
      return failure === undefined || failure === 'subtestsFailed' ? [] : ['failed outside of its tests']
    const isSkipped = skip !== undefined && skip !== false
    // The tests of a skipped suite are not reported: it counts as one.
    if (details?.type === 'suite' && !isSkipped) counts.suites += 1
    else {
      counts.tests += 1
      if (isSkipped) {
        counts.skipped += 1
        const why = typeof skip === 'string' && skip !== '' ? skip : 'without a reason'
        this.#skipped.set(why, (this.#skipped.get(why) ?? new Set()).add(`${path}: ${name}`))
      } else if (todo !== undefined && todo !== false) counts.todo += 1
      else if (failure === undefined) counts.pass += 1
      else if (failure === 'testTimeoutFailure' || failure === 'cancelledByParent') counts.cancelled += 1
      else counts.fail += 1
    }
    return nesting === 0 ? [STRAYED] : []
  }

  #engineOf({ engine }: TestFile) {
    const counts = this.#engines.get(engine) ?? { files: 0, passed: 0, failed: 0 }
    this.#engines.set(engine, counts)
    return counts
  }

  /** What was left out by tests themselves, under the reason. */
  reasons(): string[] {
    return [...this.#skipped].flatMap(([why, names]) => [
      `left out: ${why}`,
      ...[...names].map(name => `  ${name}`),
    ])
  }

  engines(): string[] {
    return [...this.#engines].map(
      ([name, { files, passed, failed }]) => `${name}: ${files} files, ${passed} passed, ${failed} failed`,
    )
  }

  /** The files that took longest, with what of it their process was at work. */
  slowest(): string {
    const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`
    return this.#times
      .sort((one, other) => other.ms - one.ms)
      .slice(0, SLOWEST)
      .map(({ path, ms, cpuMs }) => `${path} ${seconds(ms)} (${seconds(cpuMs)} of a processor)`)
      .join(', ')
  }
}

const say = (message: string): TestEvent => ({
  type: 'test:diagnostic',
  data: { nesting: 0, message, level: 'info' },
})

/** With the error as the reporter of node takes it: it prints the cause of what says that it is a failed test. */
function withShownError(data: Data): unknown {
  const { details } = data
  if (details?.error === undefined) return data
  const { text, failureType } = details.error
  const cause = { [inspect.custom]: () => text }
  return { ...data, details: { ...details, error: { code: 'ERR_TEST_FAILURE', failureType, cause } } }
}
