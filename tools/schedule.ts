// Which test file runs when and where. Neighbours share a lane, since they run the same code, which is compiled once for
// each lane. Those that run alone come last, the longest first, so that all lanes end together.
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
export type Limits = {
  /** How many files run at once. */
  readonly lanes: number
  readonly testMsMax: number
  readonly namePatterns: readonly string[]
  /** Of `performance.now`: no file is begun after it, and none a second time before all have begun once. */
  readonly endsAt?: number
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

/** Runs them all and hands out each as it ends. Returns those that there was no time to begin. */
export async function* runAll(
  files: readonly TestFile[],
  limits: Limits,
): AsyncGenerator<Ran, readonly TestFile[]> {
  const msOf = estimate(files)
  const rounds = roundsOf(files, limits).map(round => {
    const waiting = round.toSorted((one, other) => order(one, other, msOf))
    return { waiting, slots: openSlots(waiting, limits.lanes, msOf) }
  })
  const ended: Ran[] = []
  let wake = () => {}
  const told = (ran: Ran) => {
    ended.push(ran)
    wake()
  }
  let isOver = false
  const isLate = () => limits.endsAt !== undefined && performance.now() > limits.endsAt
  const next = (at: number): TestFile | undefined => {
    if (isLate()) return undefined
    for (const { waiting, slots } of rounds) {
      const slot = slots[at]
      const file = slot === undefined ? undefined : take(waiting, slot, slots, msOf)
      if (file !== undefined) return file
    }
    return undefined
  }
  const count = Math.max(...rounds.map(({ slots }) => slots.length))
  const all = Promise.all(
    Array.from({ length: count }, (_, at) => work(() => next(at), limits, told)),
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
  return rounds.flatMap(({ waiting }) => waiting)
}

/**
 * All at once where there is time for all, which starts the fewest lanes. Where there may not be, what a file finds on
 * its second engine matters less than a file that runs on none.
 */
function roundsOf(files: readonly TestFile[], { endsAt }: Limits): readonly (readonly TestFile[])[] {
  if (endsAt === undefined || endsAt === Number.POSITIVE_INFINITY) return [files]
  const begun = new Set<string>()
  const [first, again] = [[], []] as [TestFile[], TestFile[]]
  for (const file of files) {
    ;(begun.has(file.path) ? again : first).push(file)
    begun.add(file.path)
  }
  return [first, again]
}

const keyOf = ({ path, engine }: TestFile): string => `${engine.split(' ')[0]} ${path}`

type Estimate = (file: TestFile) => number

/** How long each will take: as long as the last time, or a guess. What runs on every engine uses a database. */
function estimate(files: readonly TestFile[]): Estimate {
  const times = readTimes()
  const engines = Map.groupBy(files, ({ path }) => path)
  const guess = ({ path, isAlone }: TestFile) =>
    isAlone ? 10_000 : engines.get(path)?.length === 1 ? 1000 : 3000
  return file => times.get(keyOf(file)) ?? guess(file)
}

const sum = (files: readonly TestFile[], msOf: Estimate): number =>
  files.reduce((ms, file) => ms + msOf(file), 0)

/** By path, and then those that run alone, of which the short ones fill the end. */
const order = (one: TestFile, other: TestFile, msOf: Estimate): number =>
  Number(one.isAlone) - Number(other.isAlone) ||
  (one.isAlone ? msOf(other) - msOf(one) : 0) ||
  (one.path < other.path ? -1 : 1)

const isShared = ({ isAlone }: TestFile): boolean => !isAlone

/** One that takes files; without an engine, those that run alone. It goes on after the path that it took last. */
type Slot = { engine: string | undefined; path: string }

/** As many as are worth their start. */
function openSlots(files: readonly TestFile[], lanes: number, msOf: Estimate): readonly Slot[] {
  const worthwhile = Math.max(1, Math.ceil(sum(files, msOf) / LANE_START_MS))
  const slots = Array.from(
    { length: Math.min(lanes, worthwhile, files.length) },
    (): Slot => ({ engine: undefined, path: '' }),
  )
  for (const slot of slots) slot.engine = neediest(files, slots, msOf)?.engine
  for (const engine of new Set(slots.map(slot => slot.engine)))
    spread(
      slots.filter(slot => slot.engine === engine),
      files.filter(file => isShared(file) && file.engine === engine),
      msOf,
    )
  return slots
}

/** The slots of an engine begin as far from each other as they can. */
function spread(slots: readonly Slot[], files: readonly TestFile[], msOf: Estimate): void {
  const share = sum(files, msOf) / slots.length
  let ms = 0
  let begun = 0
  for (const file of files) {
    ms += msOf(file)
    if (ms < share * (begun + 1)) continue
    begun += 1
    const slot = slots[begun]
    if (slot !== undefined) slot.path = file.path
  }
}

/** The engine whose slots have most left to do each. */
function neediest(
  waiting: readonly TestFile[],
  slots: readonly Slot[],
  msOf: Estimate,
): { readonly engine: string; readonly slots: number; readonly ms: number } | undefined {
  const shared = waiting.filter(isShared)
  const loads = [...new Set(shared.map(({ engine }) => engine))].map(engine => {
    const own = shared.filter(file => file.engine === engine)
    return { engine, slots: slots.filter(slot => slot.engine === engine).length, ms: sum(own, msOf) }
  })
  const [first] = loads.toSorted(
    (one, other) => other.ms / other.slots - one.ms / one.slots || other.ms - one.ms,
  )
  return first
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
 * the next file in it. Then it takes those that run alone, whatever their engine: they have a process each, and mostly
 * wait for a server, a browser or git while the other lanes compute. At last it goes to another engine, unless the slots
 * there will be done before it has started.
 */
function take(waiting: TestFile[], slot: Slot, slots: readonly Slot[], msOf: Estimate): TestFile | undefined {
  const next = () => {
    const isOwn = (file: TestFile) => isShared(file) && file.engine === slot.engine
    const at = waiting.findIndex(file => isOwn(file) && file.path > slot.path)
    if (at >= 0) return at
    const first = waiting.findIndex(isOwn)
    return first >= 0 ? first : waiting.findIndex(({ isAlone }) => isAlone)
  }
  if (next() < 0) {
    const needy = neediest(waiting, slots, msOf)
    if (needy === undefined) return undefined
    if (needy.slots > 0 && needy.ms / needy.slots < 2 * LANE_START_MS) return undefined
    slot.engine = needy.engine
  }
  const [file] = waiting.splice(next(), 1)
  slot.path = file?.path ?? slot.path
  return file
}

// A process of one file lives for seconds: to compile the embedded database well takes longer than it is used.
const BRIEF = '--liftoff-only'
// In MB. Nearly all that a lane keeps is modules and what is compiled of them, so to look through it again and again
// for what could be freed takes a tenth of its processor time and frees little.
const NO_COLLECTION_BELOW = '--initial-old-space-size=1000'
// Tests of memory collect garbage (test/support/garbage.ts). A flag that is set later than at the start of a process would
// give its threads another compile cache.
const COLLECTABLE = '--expose-gc'

const laneOptions = ({ env, isAlone }: TestFile, { testMsMax, namePatterns }: Limits) => ({
  env,
  silenceMsMax: testMsMax * SILENCE_PER_TEST,
  execArgv: [
    isAlone ? BRIEF : NO_COLLECTION_BELOW,
    COLLECTABLE,
    `--test-timeout=${testMsMax}`,
    ...namesOf(namePatterns).map(pattern => `--test-name-pattern=${pattern}`),
  ],
})

const namesOf = (patterns: readonly string[]): readonly string[] =>
  patterns.length === 0 ? [] : [...patterns, `^${END_OF_FILE}$`]
