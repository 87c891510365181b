// `npm test`: the tests on the embedded database, then those about SQL and concurrency again on PostgreSQL if one
// answers. Both runs are one report with one summary, which is the last thing printed.
//   npm test -- --all                     also what takes minutes, and every test with a database on both engines
//   npm test -- src/base                  only what stands there (files, folders, globs)
//   npm test -- --engine=postgres         one engine only; it fails when that engine is not there
//   npm test -- --test-name-pattern=etag  only tests with such a name
import { globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reaching } from './imports.ts'
import { findPostgres, nameOf, type Postgres } from './postgres.ts'
import { Tally } from './tally.ts'

// Where a test learns which engine it runs on: a PostgreSQL that may create databases, or absent for the embedded one.
const ENGINE_VARIABLE = 'OCTAVO_TEST_DATABASE'
const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts']
// A test that waits for ever fails after this long; a run that something holds up longer than that is ended whole.
const TEST_MS_MAX = 120_000
const ROUND_MS_MAX = 15 * 60_000
// An embedded database takes some 200 MB, so many cores do not mean as many at once.
const FILES_AT_ONCE_MAX = 4
const SQL_ITSELF =
  /^(?:src\/(?:platform|access)\/|src\/api\/(?:spaces|moves|grants|members|audit)\/|test\/conformance\/model|test\/e2e\/two-)|concurrency\.test\.ts$/
// Every file is a process that loads the whole program: what it compiles is kept for the next.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/octavo-tests', import.meta.url))
const WHOLE_REPORT = new URL('whole-report.ts', import.meta.url).href

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { values, positionals } = readArguments()
const { engine } = values

function readArguments() {
  try {
    const read = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        engine: { type: 'string' },
        'test-name-pattern': { type: 'string', multiple: true },
      },
    })
    const { engine } = read.values
    if (engine === undefined || engine === 'embedded' || engine === 'postgres') return read
    return refuse(`--engine=${engine}: there are two, embedded and postgres.`)
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0] as string)
  }
}

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

/** The test files under the given paths, or all of them. A path that holds none is a mistake of the caller. */
function listTests(paths: readonly string[]): string[] {
  const all = globSync(TESTS).map(path => path.replaceAll('\\', '/'))
  if (paths.length === 0) return all.sort()
  const chosen = paths.flatMap(path => {
    const pattern = path.replace(/^\.\//, '').replace(/\/$/, '')
    const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory() === true
    const matching = globSync(isFolder ? `${pattern}/**/*.test.ts` : pattern)
    const tests = matching.filter(name => name.endsWith('.test.ts'))
    return tests.length > 0 ? tests : refuse(`${path}: no test stands there.`)
  })
  return [...new Set(chosen)].sort()
}

function read(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined
}

type Round = { readonly name: string; readonly files: readonly string[]; readonly url?: string }
type Counts = Record<'tests' | 'suites' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>
type TestEvent = { readonly type: string; readonly data: unknown }

// What starts the real command many times takes minutes: it runs when it is named, or with everything by `--all`.
const LONG = /^test\/e2e\/(?:hostile|idempotency|kill|reader|stop|token)\.test\.ts$/
const isWhole = values.all === true || positionals.length > 0
const files = listTests(positionals).filter(file => isWhole || !LONG.test(file))
const withDatabase = files.filter(reaching(ENGINE_VARIABLE, read))
// Where engines could differ: SQL of weight, and what several do at once. Everything else runs there when it is asked
// for, by `--engine=postgres` or `--all`.
const onPostgres =
  engine === 'postgres' || isWhole ? withDatabase : withDatabase.filter(file => SQL_ITSELF.test(file))
const rounds: Round[] = []
const said: string[] = []

if (engine !== 'postgres') rounds.push({ name: 'embedded database', files })
else said.push('embedded database: left out, as asked')

if (engine === 'embedded') said.push('PostgreSQL: left out, as asked')
else if (withDatabase.length === 0) said.push('PostgreSQL: none of these tests uses a database')
else addPostgres(await findPostgres(process.env.OCTAVO_TEST_POSTGRES))

function addPostgres(postgres: Postgres): void {
  if (postgres.url !== undefined) {
    const name = `PostgreSQL ${postgres.version} (${nameOf(postgres.url)})`
    rounds.push({ name, files: onPostgres, url: postgres.url })
  } else {
    said.push(`PostgreSQL: left out, ${postgres.why}. Set OCTAVO_TEST_POSTGRES to a server that may be used.`)
    if (engine === 'postgres') process.exitCode = 1
  }
}

const say = (message: string): TestEvent => ({
  type: 'test:diagnostic',
  data: { nesting: 0, message, level: 'info' },
})

/** The events of every round as those of one run: node's own summaries are added up and told once, at the end. */
async function* report(): AsyncGenerator<TestEvent> {
  const total: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }
  const started = performance.now()
  let isComplete = true
  for (const round of rounds) {
    let empty = 0
    yield say(`${round.name}: ${round.files.length} files`)
    const tally = new Tally()
    for await (const event of runRound(round)) {
      tally.add(event)
      if (isOwnSummary(event)) continue
      if (isFileWithoutTests(event, round)) empty += 1
      const counts = wholeRun(event)
      if (counts === undefined) yield event
      else {
        counts.tests -= empty
        counts.passed -= empty
        for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key]
        const { passed, failed, cancelled, skipped } = counts
        const lost = values['test-name-pattern'] === undefined ? tally.lost(round.files) : []
        isComplete &&= lost.length === 0
        yield* lost.map(say)
        yield say(`slowest: ${tally.slowest()}`)
        said.push(`${round.name}: ${passed} passed, ${failed + cancelled} failed, ${skipped} left out`)
      }
    }
  }
  yield* said.map(say)
  if (!isComplete) yield say('tests are missing in this report: that is a failure')
  if (total.tests === 0) yield say('no test ran: that is a failure')
  if (!isComplete || total.tests === 0 || total.failed + total.cancelled > 0) process.exitCode = 1
  const { tests, suites, passed: pass, failed: fail, ...others } = total
  const lines = { tests, suites, pass, fail, ...others, duration_ms: performance.now() - started }
  for (const [key, value] of Object.entries(lines)) yield say(`${key} ${value}`)
}

function runRound({ files, url }: Round): AsyncIterable<TestEvent> {
  const { [ENGINE_VARIABLE]: _, ...env } = process.env
  return run({
    files: [...files],
    concurrency: Math.min(availableParallelism(), FILES_AT_ONCE_MAX),
    timeout: TEST_MS_MAX,
    signal: AbortSignal.timeout(ROUND_MS_MAX),
    // A file that leaves a handle open when its tests are done would otherwise never end.
    execArgv: ['--import', WHOLE_REPORT, '--test-force-exit'],
    env: { ...env, NODE_COMPILE_CACHE, ...(url === undefined ? {} : { [ENGINE_VARIABLE]: url }) },
    ...(values['test-name-pattern'] && { testNamePatterns: values['test-name-pattern'] }),
  })
}

const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

function isOwnSummary({ type, data }: TestEvent): boolean {
  const { nesting, message, file } = data as { nesting?: number; message?: string; file?: string }
  return type === 'test:diagnostic' && nesting === 0 && file === undefined && SUMMARY.test(message ?? '')
}

/** Node counts a file in which no test ran as one test that passed; here it is none. */
function isFileWithoutTests({ type, data }: TestEvent, { files }: Round): boolean {
  const { name, nesting } = data as { name?: string; nesting?: number }
  return type === 'test:pass' && nesting === 0 && name !== undefined && files.includes(name)
}

/** The counts of a whole round; every file has a summary of its own too. */
function wholeRun({ type, data }: TestEvent): Counts | undefined {
  const { file, counts } = data as { file?: string; counts?: Counts }
  return type === 'test:summary' && file === undefined ? counts : undefined
}

Readable.from(report()).compose(spec).pipe(process.stdout)
