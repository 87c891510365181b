// Profiles the server of a bench: `npm run profile -- bench/reads.ts` writes a .cpuprofile of each of its threads and
// processes to node_modules/.cache/octavo/profiles and prints the functions that took the most time of a processor.
// Chrome's developer tools and editors open the files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = `${ROOT}node_modules/.cache/octavo/profiles`
const FUNCTIONS_SHOWN_MAX = 15
const NO_WORK = new Set(['(idle)', '(root)'])

export type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export type FunctionTime = { readonly name: string; readonly ms: number }

/** The time spent in each function itself, without those that it calls, the longest first. */
export function timeByFunction({ nodes, samples, timeDeltas }: Profile): FunctionTime[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      NO_WORK.has(functionName)
        ? undefined
        : `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`,
    ]),
  )
  const times = new Map<string, number>()
  for (const [at, id] of samples.entries()) {
    const name = names.get(id)
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1_000)
  }
  return Array.from(times, ([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms)
}

if (import.meta.main) {
  const [bench, ...args] = process.argv.slice(2)
  if (bench === undefined) throw new Error('Name a bench: npm run profile -- bench/reads.ts')
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const { status } = spawnSync(process.execPath, [bench, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, OCTAVO_BENCH_PROFILES: FOLDER },
  })
  for (const name of readdirSync(FOLDER).filter(file => file.endsWith('.cpuprofile'))) {
    const times = timeByFunction(JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')))
    const ms = times.reduce((sum, time) => sum + time.ms, 0)
    console.log(`\n${FOLDER}/${name}: ${Math.round(ms)} ms`)
    for (const time of times.slice(0, FUNCTIONS_SHOWN_MAX))
      console.log(`${String(Math.round(time.ms)).padStart(8)} ms  ${time.name}`)
  }
  process.exitCode = status ?? 1
}
