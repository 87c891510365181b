// `npm run check`: everything a machine can say about the tree without running its tests. One line a step; the
// words of a step only when it failed.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { writeApiTypes } from './api-types.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BIN = `${ROOT}node_modules/.bin/`
// Enough to mend the first problems; the next run shows the rest.
const LINES_SHOWN_MAX = 60
const LINE_LENGTH_MAX = 240
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024

type Step = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly mend?: string
}

// What the compiler found the last time, kept where a clean install removes it: what nothing has changed for is not
// looked at again.
const TYPES_FOUND = 'node_modules/.cache/octavo/types.tsbuildinfo'

// The longest first, so that two cores end together.
const STEPS: readonly Step[] = [
  {
    name: 'types',
    command: `${BIN}tsc`,
    args: [
      '--noEmit',
      '--pretty',
      'false',
      '-p',
      '.',
      ...['--incremental', '--tsBuildInfoFile', TYPES_FOUND],
    ],
  },
  {
    name: 'types of the workspace',
    command: `${BIN}tsc`,
    args: ['--noEmit', '--pretty', 'false', '-p', 'src/web'],
  },
  {
    name: 'tables.ts and schema.sql are fresh',
    command: process.execPath,
    args: ['tools/tables.ts', '--check'],
    mend: 'node tools/tables.ts',
  },
  {
    name: 'openapi.json and roles.txt are fresh',
    command: process.execPath,
    args: ['tools/openapi.ts', '--check'],
    mend: 'node tools/openapi.ts',
  },
  {
    name: 'format and lint',
    command: `${BIN}biome`,
    args: ['ci', '--colors=off', '--diagnostic-level=warn', '--max-diagnostics=20', '.'],
    mend: 'npx biome check --write .',
  },
  {
    name: 'regular expressions are linear',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', 'tools/regular-expressions.ts'],
  },
  { name: 'no unused files, exports and dependencies', command: `${BIN}knip`, args: ['--no-progress'] },
  { name: 'packages for every platform, licences', command: process.execPath, args: ['tools/packages.ts'] },
  { name: 'project rules', command: process.execPath, args: ['tools/tidy.ts'] },
]

type Outcome = { readonly failed: boolean; readonly output: string; readonly seconds: number }

const run = ({ command, args }: Step): Promise<Outcome> => {
  const started = performance.now()
  return new Promise(resolve => {
    execFile(command, args, { cwd: ROOT, maxBuffer: OUTPUT_BYTES_MAX }, (error, stdout, stderr) =>
      resolve({
        failed: error !== null,
        output: relevant(stdout + stderr) || (error?.message ?? ''),
        seconds: (performance.now() - started) / 1000,
      }),
    )
  })
}

function relevant(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '' && !line.startsWith('npm warn'))
  const left = lines.length - LINES_SHOWN_MAX
  const shown = lines.slice(0, LINES_SHOWN_MAX).map(line => line.slice(0, LINE_LENGTH_MAX))
  return [...shown, ...(left > 0 ? [`… and ${left} more lines`] : [])].join('\n')
}

function report({ name, mend }: Step, { failed, output, seconds }: Outcome): void {
  console.log(`${failed ? 'FAILED' : 'ok    '}  ${name}  (${seconds.toFixed(1)} s)`)
  if (!failed) return
  console.log(output.replace(/^/gm, '        '))
  if (mend !== undefined) console.log(`        mend: ${mend}`)
  process.exitCode = 1
}

writeApiTypes()

const waiting = [...STEPS]

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) report(step, await run(step))
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), 2) }, work))
