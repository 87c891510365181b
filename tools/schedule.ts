// Which test file runs when and where: the longest first, so that all lanes end together.
import { availableParallelism } from 'node:os'
import { assert } from '../src/base/assert.ts'
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
export type Limits = {
  /** How many files run at once. */
  readonly lanes: number
  readonly testMsMax: number
  readonly namePatterns: readonly string[]
}

// Beyond the limit of a test, which ends it in an orderly way unless it never lets go of the processor.
const SILENCE_PER_TEST = 2
// What a lane takes to load the program and open its database.
const LANE_START_MS = 5000

/**
 * Two more than cores, as far as there is memory. With one more, the processors have nothing to do for a sixth of the
 * time: tests wait for the real command, a git server, a browser, a job. With three more, all of it takes a tenth longer.
 */
export const countLanes = (): number =>
  Math.max(1, Math.min(availableParallelism() + 2, Math.floor(process.availableMemory() / LANE_BYTES_MAX)))

/** Runs them all and hands out each as it ends. */
export async function* runAll(files: readonly TestFile[], limits: Limits): AsyncGenerator<Ran> {
  const msOf = estimate()
  const waiting = inOrder(files, msOf)
  const ended: Ran[] = []
  let wake = () => {}
  const told = (ran: Ran) => {
    ended.push(ran)
    wake()
  }
  let isOver = false
  const slots: Slot[] = shareOut(waiting, limits.lanes, msOf).map(engine => ({ engine }))
  const all = Promise.all(
    slots.map(slot => work(() => take(waiting, slot, slots, msOf), limits, told)),
  ).finally(() => {
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

const keyOf = ({ path, engine }: TestFile): string => `${engine.split(' ')[0]} ${path}`

type Estimate = (file: TestFile) => number

/** How long each will take: as long as the last time, or a guess. */
function estimate(): Estimate {
  const times = readTimes()
  const guess = ({ isAlone }: TestFile) => (isAlone ? 10_000 : 1000)
  return file => times.get(keyOf(file)) ?? guess(file)
}

const sum = (files: readonly TestFile[], msOf: Estimate): number =>
  files.reduce((ms, file) => ms + msOf(file), 0)

/** Those that run alone come first: they take long, and it is the short ones that fill the end. */
const inOrder = (files: readonly TestFile[], msOf: Estimate): TestFile[] =>
  files.toSorted((one, other) => Number(other.isAlone) - Number(one.isAlone) || msOf(other) - msOf(one))

const enginesOf = (files: readonly TestFile[]): string[] => [...new Set(files.map(({ engine }) => engine))]

/** One that takes files; undefined: it takes no more. */
type Slot = { engine: string | undefined }

/** An engine for each lane that is worth its start: the next lane goes where those that are there have most to do. */
function shareOut(files: readonly TestFile[], lanes: number, msOf: Estimate): string[] {
  const shares = enginesOf(files).map(engine => ({
    ...{ engine, lanes: 0 },
    ms: sum(
      files.filter(file => file.engine === engine),
      msOf,
    ),
  }))
  const load = (share: { readonly ms: number; readonly lanes: number }) => share.ms / share.lanes
  const worthwhile = Math.max(1, Math.ceil(sum(files, msOf) / LANE_START_MS))
  return Array.from({ length: Math.min(lanes, worthwhile, files.length) }, () => {
    const [neediest] = shares.toSorted((one, other) => load(other) - load(one) || other.ms - one.ms)
    assert(neediest !== undefined, 'there are files')
    neediest.lanes += 1
    return neediest.engine
  })
}

/** One lane after the other. */
async function work(
  next: () => TestFile | undefined,
  limits: Limits,
  told: (ran: Ran) => void,
): Promise<void> {
  let lane: Lane | undefined
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
  for (let file = next(); file !== undefined; file = next()) {
    if (
      lane !== undefined &&
      (lane.isSpent || isAlone(file) || isAlone(last?.file) || last?.file.engine !== file.engine)
    )
      await endLane()
    lane ??= new Lane(laneOptions(file, limits))
    last = { file, report: await lane.run(file.path) }
    told(last)
  }
  await endLane()
}

/**
 * The next file. A slot stays with its engine as long as there are files for it, since what a lane has compiled serves
 * the next file in it; then it goes to another, unless those who are there will be done before it has started.
 */
function take(waiting: TestFile[], slot: Slot, slots: readonly Slot[], msOf: Estimate): TestFile | undefined {
  const isOwn = ({ engine }: TestFile) => engine === slot.engine
  const at = waiting.findIndex(isOwn)
  if (at >= 0) return waiting.splice(at, 1)[0]
  const [first] = waiting
  const lanes = slots.filter(({ engine }) => engine === first?.engine).length
  const isTooLate = lanes > 0 && sum(waiting, msOf) / lanes < 2 * LANE_START_MS
  slot.engine = isTooLate ? undefined : first?.engine
  return isTooLate ? undefined : waiting.shift()
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
