// `npm test`: every test, on the embedded database and on PostgreSQL if one answers, in one report whose summary is the
// last thing printed.
//   npm test -- src/base                  only these tests (files, folders, globs)
//   npm test -- --engine=postgres         one engine only; it fails when that engine is not there
//   npm test -- --test-name-pattern=etag  only tests with such a name
//   npm test -- --test-timeout=5000       a limit on one test, in milliseconds, instead of the one below
//   npm test -- --seconds=600             begins no file after so long, and names those that it leaves out
//   npm test -- --lanes=1                 so many files at once, instead of two more than there are cores
//   npm test -- --watch src/base          again after every change of a source file
import { globSync, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reaching } from './imports.ts'
import { needingOwnProcess } from './own-process.ts'
import { findPostgres, nameOf } from './postgres.ts'
import { bundleProgram } from './program.ts'
import { report } from './report.ts'
import { countLanes, runAll, type TestFile } from './schedule.ts'
import { measureSlowness } from './slowness.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { watchTests } from './watch-tests.ts'

// Where a test learns which engine it runs on: a PostgreSQL that may create databases, or absent for the embedded one.
const ENGINE_VARIABLE = 'OCTAVO_TEST_DATABASE'
// How much slower this machine is now than an idle one, for tests that wait for a process.
const SLOWNESS_VARIABLE = 'OCTAVO_TEST_SLOWNESS'
// Where the program is that tests start, and what asks for it.
const PROGRAM_VARIABLE = 'OCTAVO_TEST_PROGRAM'
const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts']
// The longest test takes a tenth of it on an idle machine: what needs longer does not end.
const TEST_MS_MAX = 120_000
// What a process compiles is kept for the next.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/octavo-tests', import.meta.url))

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { values, positionals } = readArguments()
const { engine } = values
if (values.watch === true) {
  watchTests(
    fileURLToPath(import.meta.url),
    process.argv.slice(2).filter(arg => arg !== '--watch'),
  )
  // The runs are processes of their own; this one ends by a signal.
  await new Promise(() => {})
}
const namePatterns = values['test-name-pattern'] ?? []

function readArguments() {
  try {
    const read = parseArgs({
      allowPositionals: true,
      options: {
        engine: { type: 'string' },
        lanes: { type: 'string' },
        seconds: { type: 'string' },
        'test-name-pattern': { type: 'string', multiple: true },
        'test-timeout': { type: 'string' },
        watch: { type: 'boolean' },
      },
    })
    const { engine, lanes = '1', seconds = '1', 'test-timeout': timeout = '1' } = read.values
    if (!/^[1-9]\d{0,2}$/.test(lanes)) return refuse(`--lanes=${lanes}: write how many.`)
    if (!/^[1-9]\d{0,8}$/.test(seconds)) return refuse(`--seconds=${seconds}: write how many.`)
    if (!/^[1-9]\d{0,8}$/.test(timeout)) return refuse(`--test-timeout=${timeout}: write milliseconds.`)
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
    return tests.length > 0 ? tests : refuse(`${path}: there is no test.`)
  })
  return [...new Set(chosen)].sort()
}

const read = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined

const paths = listTests(positionals)
const usesDatabase = reaching((_, text) => text.includes(ENGINE_VARIABLE), read)
const startsProgram = reaching((_, text) => text.includes(PROGRAM_VARIABLE), read)
const needsOwnProcess = needingOwnProcess(read)
const leftOut: string[] = []
const files: TestFile[] = []
const slowness = measureSlowness()
const { [ENGINE_VARIABLE]: _, ...environment } = process.env
const env = {
  ...environment,
  NODE_COMPILE_CACHE,
  TMPDIR: makeTemporaryFolder(),
  [SLOWNESS_VARIABLE]: String(slowness),
  ...(paths.some(startsProgram) ? { [PROGRAM_VARIABLE]: await bundleProgram() } : {}),
}

function add(name: string, paths: readonly string[], env: NodeJS.ProcessEnv): void {
  files.push(...paths.map(path => ({ path, engine: name, env, isAlone: needsOwnProcess(path) })))
}

if (engine !== 'postgres') add('embedded', paths, env)
else leftOut.push('embedded database: left out, as asked')

const withDatabase = paths.filter(usesDatabase)
if (engine === 'embedded') leftOut.push('PostgreSQL: left out, as asked')
else if (withDatabase.length === 0) leftOut.push('PostgreSQL: none of these tests uses a database')
else {
  const postgres = await findPostgres(process.env.OCTAVO_TEST_POSTGRES)
  if (postgres.url !== undefined) {
    add(`PostgreSQL ${postgres.version} (${nameOf(postgres.url)})`, withDatabase, {
      ...env,
      [ENGINE_VARIABLE]: postgres.url,
    })
  } else {
    leftOut.push(
      `PostgreSQL: left out, ${postgres.why}. Set OCTAVO_TEST_POSTGRES to a server that may be used.`,
    )
    if (engine === 'postgres') process.exitCode = 1
  }
}

const testMsMax = Number(values['test-timeout'] ?? Math.round(TEST_MS_MAX * slowness))
const lanes = values.lanes === undefined ? countLanes() : Number(values.lanes)
const endsAt = values.seconds === undefined ? Number.POSITIVE_INFINITY : Number(values.seconds) * 1000
const reports = runInTime()
const events = report(reports, { leftOut, areAllExpected: namePatterns.length === 0 })
Readable.from(events).compose(spec).pipe(process.stdout)

/** On a machine that is too slow for all of them. */
async function* runInTime() {
  const late = yield* runAll(files, { lanes, testMsMax, namePatterns, endsAt })
  if (late.length > 0)
    leftOut.push(
      `${late.length} of ${files.length} files: left out, since ${values.seconds} s were over before they could begin:`,
      ...late.map(({ engine, path }) => `  ${path} (${engine.split(' ')[0]})`),
    )
}
