// `node test/torture.ts <promise> [--rounds N] [--engine=…]`: a test of the suite, which tries its promise a few times
// there, for as long as one likes; or on everything, where the suite has a slice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SCREENS } from './support/circumstances.ts'

type Torture = {
  readonly file: string
  /** Where the test reads how often, or that it is to be on everything. */
  readonly variable: string
  readonly rounds: number
  /** Where it runs unless one is named; by default the embedded one. */
  readonly engine?: string
  /** What OCTAVO_TEST_SCREEN is, one after the other, on every engine unless one is named. */
  readonly screens?: readonly string[]
}

const ROOT = join(import.meta.dirname, '..')
// The longest that the runner takes as a limit: more than a week.
const NO_LIMIT_MS = 999_999_999

const TORTURES: Readonly<Record<string, Torture>> = {
  kill: { file: 'test/e2e/kill.test.ts', variable: 'OCTAVO_E2E_KILLS', rounds: 100 },
  restart: {
    file: 'test/e2e/rolling-restart.test.ts',
    variable: 'OCTAVO_TEST_REQUESTS',
    rounds: 5000,
    engine: 'postgres',
  },
  stalls: { file: 'test/e2e/stalls.test.ts', variable: 'OCTAVO_TEST_WHOLE', rounds: 1 },
  hostile: { file: 'test/e2e/hostile.test.ts', variable: 'OCTAVO_TEST_WHOLE', rounds: 1 },
  web: { file: 'test/workspace/*.test.ts', variable: 'OCTAVO_TEST_WHOLE', rounds: 1, screens: SCREENS },
  reader: { file: 'test/e2e/reader.test.ts', variable: 'OCTAVO_TEST_WHOLE', rounds: 1 },
  embedded: { file: 'src/platform/db/embedded.test.ts', variable: 'OCTAVO_TEST_KILLS', rounds: 100 },
  corpus: {
    file: 'src/{engines/markdown/**/*,site/broken-links}.test.ts',
    variable: 'OCTAVO_CORPUS_EVERY',
    rounds: 1,
  },
  shapes: { file: 'test/conformance/linear-*.test.ts', variable: 'OCTAVO_PROPERTY_RUNS', rounds: 10_000 },
  merges: { file: 'src/api/merges/concurrency.test.ts', variable: 'OCTAVO_TEST_MERGES', rounds: 20 },
  merge: { file: 'src/engines/content/merge.prop.test.ts', variable: 'OCTAVO_PROPERTY_RUNS', rounds: 3000 },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, engine: { type: 'string' }, lanes: { type: 'string' } },
})
const torture = TORTURES[positionals[0] ?? '']
const rounds = Number(values.rounds ?? torture?.rounds)

if (torture === undefined || !Number.isInteger(rounds) || rounds < 1) {
  const names = Object.entries(TORTURES).map(([name, { rounds }]) => `${name} (${rounds})`)
  console.error(
    `node test/torture.ts <promise> [--rounds N] [--engine=embedded|postgres] [--lanes N]\n${names.join('\n')}`,
  )
  process.exitCode = 2
} else if (torture.screens === undefined) process.exitCode = await run(torture, torture.engine ?? 'embedded')
else
  for (const screen of torture.screens) {
    console.log(`on a screen of ${screen}`)
    const code = await run(torture, undefined, { OCTAVO_TEST_SCREEN: screen })
    process.exitCode ||= code
  }

async function run({ file, variable }: Torture, engine?: string, also: NodeJS.ProcessEnv = {}) {
  const options = { engine: values.engine ?? engine, lanes: values.lanes, 'test-timeout': NO_LIMIT_MS }
  const args = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
  const env = { ...process.env, [variable]: String(rounds), ...also }
  const tests = spawn(process.execPath, ['tools/test.ts', file, ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  })
  const [code] = await once(tests, 'close')
  return typeof code === 'number' ? code : 1
}
