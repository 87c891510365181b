// `npm run mutate -- <folder>`: whether the folder's own tests notice when its code is changed. Runs a bounded sample of
// mutants on the embedded database and prints those that survive. Code that runs only in threads counts as not reached.
//   npm run mutate -- src/access                             40 mutants of all files of the folder
//   npm run mutate -- src/access --mutants 100 --seed 2      more of them, and others
//   npm run mutate -- src/access --tests test/conformance    with the tests of another folder, too
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { reaching } from './imports.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MUTANTS = '40'
// What a test file takes beyond what it took without a mutant: a busy machine is slower by turns.
const TIMEOUT_MS = 60_000
const TIMEOUT_FACTOR = 3
// Tests that start the real command run its bundle, in which there is no mutant.
const PROGRAM_VARIABLE = 'OCTAVO_TEST_PROGRAM'

process.chdir(ROOT)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    mutants: { type: 'string', default: MUTANTS },
    tests: { type: 'string', multiple: true, default: [] },
  },
})
const folders = positionals.map(folder => folder.replace(/\/$/, ''))
if (folders.length === 0) refuse('npm run mutate -- <folder>: name a folder of src, or a file.')
const startsProgram = reaching((_, text) => text.includes(PROGRAM_VARIABLE), read)
const tests = [...folders, ...values.tests].flatMap(testsOf).filter(path => !startsProgram(path))
if (tests.length === 0) refuse(`${folders.join(', ')}: there is no test that runs without the bundle.`)

// The reporter of TAP is the one that Stryker reads; the project's Node comes first on the path of npm scripts.
const folder = makeTemporaryFolder()
process.env.TMPDIR = folder
process.env.OCTAVO_TEST_SLOWNESS ??= '10'
delete process.env.OCTAVO_TEST_DATABASE

const results = await new Stryker({
  ...{ testRunner: 'tap', coverageAnalysis: 'perTest', concurrency: 2, checkers: ['sample'] },
  plugins: ['@stryker-mutator/tap-runner', join(ROOT, 'tools/mutation/sample.ts')],
  ...{ sample: { seed: Number(values.seed), mutants: Number(values.mutants) } },
  mutate: folders.flatMap(sourcesOf),
  tap: { testFiles: tests, nodeArgs: ['--test-reporter=tap', '{{testFile}}'], forceBail: true },
  ...{
    tempDirName: join(folder, 'copies'),
    reporters: [],
    tsconfigFile: 'no-tsconfig.json',
    fileLogLevel: 'off',
  },
  ...{ timeoutMS: TIMEOUT_MS, timeoutFactor: TIMEOUT_FACTOR, disableTypeChecks: false },
  ...{ ignorePatterns: ['/.octavo', '/bench', '/.git'], warnings: false, logLevel: 'error' },
} as never).runMutationTest()
print(results.filter(({ status }) => status !== 'CompileError' && status !== 'Ignored'))

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function read(path: string): string | undefined {
  return isFile(path) ? readFileSync(path, 'utf8') : undefined
}

/** A file is tested by the tests beside it. */
function testsOf(path: string): string[] {
  const folder = isFile(path) ? join(path, '..') : path
  return path.endsWith('.test.ts') ? [path] : globSync(`${folder}/**/*.test.ts`).sort()
}

function sourcesOf(path: string): string[] {
  if (isFile(path)) return [path]
  return globSync(`${path}/**/*.ts`).filter(name => !/\.(?:test|conformance|arbitrary|d)\.ts$/.test(name))
}

function print(ran: readonly MutantResult[]): void {
  const survivors = ran.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  for (const { fileName, location, mutatorName, replacement, status } of survivors) {
    const { line } = location.start
    const text = read(fileName)?.split('\n')[line - 1]?.trim() ?? ''
    console.log(
      `${relative(ROOT, fileName)}:${line}:${location.start.column}  ${mutatorName}${status === 'NoCoverage' ? ', reached by no test' : ''}`,
    )
    console.log(`    ${text}\n    -> ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
  }
  console.log(`${ran.length} mutants, ${ran.length - survivors.length} noticed, ${survivors.length} survive`)
}
