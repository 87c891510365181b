// Which test file runs when and where: one lane more than there are cores, the longest files first, so that all
// lanes end together.
import { availableParallelism } from 'node:os'
import { END_OF_FILE } from './end-of-file.ts'
import { type FileReport, LANE_BYTES_MAX, Lane } from './lanes.ts'
import { readTimes, writeTimes } from './test-times.ts'

export type TestFile = {
  readonly path: string
  /** The name of what it runs on. Files on different engines share no lane. */
  readonly engine: string
  readonly env: NodeJS.ProcessEnv
  readonly isAlone: boolean
}
export type Ran = { readonly file: TestFile; readonly report: FileReport }
export type Limits = { readonly testMsMax: number; readonly namePatterns: readonly string[] }

// Beyond the limit of a test, which ends it in an orderly way unless it never lets go of the processor.
const SILENCE_PER_TEST = 2

/** Runs them all and hands out each as it ends. */
export async function* runAll(files: readonly TestFile[], limits: Limits): AsyncGenerator<Ran> {
  const waiting = inOrder(files)
  const ended: Ran[] = []
  let wake = () => {}
  const told = (ran: Ran) => {
    ended.push(ran)
    wake()
  }
  let isOver = false
  const engines = [...new Set(waiting.map(({ engine }) => engine))]
  const slots = Array.from({ length: Math.min(countLanes(), waiting.length) }, (_, at) =>
    work(waiting, limits, told, engines[at % engines.length] as string),
  )
  const all = Promise.all(slots).finally(() => {
    isOver = true
    wake()
  })
  const times = new Map<string, number>()
  while (!isOver || ended.length > 0) {
    const ran = ended.shift()
    if (ran === undefined) await new Promise<void>(resolve => (wake = resolve))
    else {
      times.set(keyOf(ran.file), ran.report.ms)
      yield ran
    }
  }
  await all
  if (limits.namePatterns.length === 0) writeTimes(times)
}

// One more than cores: tests of the real command wait for it, and for what it waits for.
const countLanes = (): number =>
  Math.max(1, Math.min(availableParallelism() + 1, Math.floor(process.availableMemory() / LANE_BYTES_MAX)))

const keyOf = ({ path, engine }: TestFile): string => `${engine.split(' ')[0]} ${path}`

/** Those that run alone come first: they take long, and it is the short ones that fill the end. */
function inOrder(files: readonly TestFile[]): TestFile[] {
  const times = readTimes()
  const guess = ({ isAlone }: TestFile) => (isAlone ? 10_000 : 1000)
  const msOf = (file: TestFile) => times.get(keyOf(file)) ?? guess(file)
  const engines = [...new Set(files.map(({ engine }) => engine))]
  const rank = ({ isAlone, engine }: TestFile) => (isAlone ? 0 : 1 + engines.indexOf(engine))
  return files.toSorted((one, other) => rank(one) - rank(other) || msOf(other) - msOf(one))
}

/** One lane after the other; those of a slot stay with one engine as long as there are files for it. */
async function work(
  waiting: TestFile[],
  limits: Limits,
  told: (ran: Ran) => void,
  firstEngine: string,
): Promise<void> {
  let lane: Lane | undefined
  let engine = firstEngine
  let last: Ran | undefined
  // Node finds the tests of a name in the first file of a process only.
  const isAlone = (file: TestFile | undefined) => limits.namePatterns.length > 0 || file?.isAlone === true
  const endLane = async () => {
    const problems = (await lane?.end()) ?? []
    lane = undefined
    // What came after the report of the last file belongs to a report too.
    if (last !== undefined && problems.length > 0)
      told({ file: last.file, report: { events: [], output: '', ms: last.report.ms, cpuMs: 0, problems } })
  }
  for (let file = take(waiting, engine); file !== undefined; file = take(waiting, engine)) {
    if (
      lane !== undefined &&
      (lane.isSpent || isAlone(file) || isAlone(last?.file) || last?.file.engine !== file.engine)
    )
      await endLane()
    if (!file.isAlone) engine = file.engine
    lane ??= new Lane(laneOptions(file, limits))
    last = { file, report: await lane.run(file.path) }
    told(last)
  }
  await endLane()
}

/** The next file, by preference one for the engine: what a lane has compiled serves the next file in it. */
function take(waiting: TestFile[], engine: string): TestFile | undefined {
  const at = waiting[0]?.isAlone === true ? 0 : waiting.findIndex(file => file.engine === engine)
  return waiting.splice(Math.max(0, at), 1)[0]
}

const laneOptions = ({ env }: TestFile, { testMsMax, namePatterns }: Limits) => ({
  env,
  silenceMsMax: testMsMax * SILENCE_PER_TEST,
  execArgv: [
    `--test-timeout=${testMsMax}`,
    ...namesOf(namePatterns).map(pattern => `--test-name-pattern=${pattern}`),
  ],
})

const namesOf = (patterns: readonly string[]): readonly string[] =>
  patterns.length === 0 ? [] : [...patterns, `^${END_OF_FILE}$`]
