// Whether a function takes time and memory in proportion to its input. Sizes grow until the time can be measured, and
// only the proportion between two of them is judged: it is the same on a slow machine. The processor time of one thread
// leaves out what others take on a busy one, but some systems count it in steps of four milliseconds. So too much is
// only what is so by the clock as well.
import assert from 'node:assert/strict'
import { monotonicMs, threadMs } from '../../src/base/clock.ts'
import { collectGarbage } from './garbage.ts'
import { type MemoryPeak, watchMemory } from './memory-peak.ts'

/** Makes an input of about so many characters, or parts; the same for the same length. */
export type Shape<Input = string> = (length: number) => Input

/** Times a part of the work by itself, so that one part cannot hide behind another. */
export type Stage = <T>(name: string, work: () => T | Promise<T>) => Promise<T>
export type Run<Input = string> = (input: Input, stage: Stage) => unknown

const FACTOR = 4
// Four times the input takes four times as long where that is linear, twice that where it no longer fits a cache, and
// sixteen times as long where it is quadratic. There twice the input takes four times as long, while what goes up by a
// step, once it no longer fits what the process has of memory, grows as the input does beyond that step.
const PROPORTION_MAX = 11
const DOUBLING_PROPORTION_MAX = 2.8
const LENGTH_MIN = 4096
// Beyond this nothing more is learned. Below the others, a collection of garbage or a step of the clock by which some
// systems count processor time is longer than what is measured.
const ENOUGH_MS = 20
const MEASURABLE_MS = 10
const JUDGED_MS = 12
const STEP_MS = 4
// A bound that is not reached by now is none.
const TOO_MUCH_MS = 500
// Twice what is in proportion. Below the step, what V8 has not collected yet is more than what is measured.
const MEMORY_PROPORTION_MAX = 8
const STEP_MEGABYTES = 32
const JUDGEMENTS = 3
const ROUNDS = 3
// Each judgement runs so many times more often than the one before.
const LONGER = 2

/**
 * Fails where `run`, or a stage of it, takes clearly more time than in proportion to its input, of at most `lengthMax`
 * characters or parts, and where `run` takes more memory so. What does so only up to a bound passes where the bound is
 * low.
 */
export async function assertLinear(name: string, run: Run, shape: Shape, lengthMax: number): Promise<void>
export async function assertLinear<Input>(
  name: string,
  run: Run<Input>,
  shape: Shape<Input>,
  lengthMax: number,
): Promise<void>
export async function assertLinear<Input>(
  name: string,
  run: Run<Input>,
  shape: Shape<Input>,
  lengthMax: number,
): Promise<void> {
  const memory = watchMemory()
  let before = 0
  for (let length = Math.min(LENGTH_MIN, lengthMax); ; length = Math.min(length * FACTOR, lengthMax)) {
    memory.begin()
    const costs = await costsOf(run, shape(length), 1)
    const took = longest(costs)
    const megabytes = memory.read()
    if (isTooMuch({ part: before, whole: megabytes })) {
      const again = await judgeMemory(run, shape, length, memory)
      assert.ok(
        again === undefined,
        `${name}: ${length} take ${again?.whole.toFixed(0)} MB, and a quarter of them ${again?.part.toFixed(0)} MB`,
      )
    }
    before = megabytes
    if (length < lengthMax && took < ENOUGH_MS) continue
    const goesOn = length < lengthMax && took < TOO_MUCH_MS
    // Where memory is dear to take, time is known before memory is.
    if (goesOn && megabytes >= STEP_MEGABYTES / 2) continue
    const judgements = goesOn ? 1 : JUDGEMENTS
    const complaint =
      took < MEASURABLE_MS ? undefined : await judge(run, shape, { length, costs, judgements })
    if (goesOn && complaint !== undefined) continue
    if (complaint === undefined) return
    assert.fail(
      `${name}: ${length} take ${complaint} times as long as a quarter of them (${took.toFixed(0)} ms)`,
    )
  }
}

type Megabytes = { readonly part: number; readonly whole: number }

const isTooMuch = ({ part, whole }: Megabytes): boolean =>
  whole > MEMORY_PROPORTION_MAX * Math.max(part, STEP_MEGABYTES)

/**
 * What a part and the whole take, where that is too much each time it is tried. Garbage is collected before each run:
 * when V8 collects by itself depends on what ran before.
 */
async function judgeMemory<Input>(
  run: Run<Input>,
  shape: Shape<Input>,
  length: number,
  memory: MemoryPeak,
): Promise<Megabytes | undefined> {
  const measure = async (input: Input): Promise<number> => {
    await collectGarbage()
    memory.begin()
    await costsOf(run, input, 1)
    return memory.read()
  }
  let last: Megabytes | undefined
  for (let judgement = 0; judgement < JUDGEMENTS; judgement++) {
    last = {
      part: await measure(shape(Math.floor(length / FACTOR))),
      whole: await measure(shape(length)),
    }
    if (!isTooMuch(last)) return undefined
  }
  return last
}

/**
 * How many times as long as a quarter it takes, where that is too much each time it is tried. `costs` are those of a
 * first run, which are too high if anything: where they are in proportion, that is enough.
 */
async function judge<Input>(
  run: Run<Input>,
  shape: Shape<Input>,
  { length, costs, judgements }: { length: number; costs: Costs; judgements: number },
): Promise<string | undefined> {
  const part = shape(Math.floor(length / FACTOR))
  const half = shape(Math.floor(length / 2))
  const whole = shape(length)
  const times = Math.ceil(JUDGED_MS / Math.max(1, longest(await costsOf(run, part, 1))))
  const first = new Map([...costs].map(([stage, cost]) => [stage, addCosts(cost, NOTHING, times)]))
  if (findExcess(await costsOf(run, part, times), first).length === 0) return undefined
  const complaints: string[] = []
  for (let judgement = 0; judgement < judgements; judgement++) {
    const slow = await findSlow(run, { part, half, whole }, times * LONGER ** judgement)
    if (slow.length === 0) return undefined
    complaints.push(slow.join(', '))
  }
  return complaints.join('; ')
}

type Sizes<Input> = { readonly part: Input; readonly half: Input; readonly whole: Input }

/** The stages that take too much, by the least of some rounds of each size, in turns. */
async function findSlow<Input>(run: Run<Input>, sizes: Sizes<Input>, times: number): Promise<string[]> {
  let part: Costs = new Map()
  let half: Costs = new Map()
  let whole: Costs = new Map()
  let slow: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    part = least(part, await costsOf(run, sizes.part, times))
    whole = least(whole, await costsOf(run, sizes.whole, times))
    slow = findExcess(part, whole)
    if (slow.length === 0) break
    half = least(half, await costsOf(run, sizes.half, times))
    const growing = findExcess(half, whole, DOUBLING_PROPORTION_MAX)
    slow = slow.filter(stage => growing.includes(stage))
    if (slow.length === 0) break
  }
  return slow.map(stage => `${stage} ${proportion(part, whole, stage).toFixed(1)}`)
}

const proportion = (little: Costs, much: Costs, stage: string): number => {
  const whole = much.get(stage) ?? NOTHING
  const part = little.get(stage) ?? whole
  const byProcessor = whole.processorMs / Math.max(part.processorMs, STEP_MS)
  return Math.min(byProcessor, whole.clockMs / Math.max(part.clockMs, STEP_MS))
}

const findExcess = (little: Costs, much: Costs, proportionMax = PROPORTION_MAX): string[] =>
  [...much.keys()].filter(stage => proportion(little, much, stage) > proportionMax)

type Cost = { readonly processorMs: number; readonly clockMs: number }
type Costs = ReadonlyMap<string, Cost>

const NOTHING: Cost = { processorMs: 0, clockMs: 0 }

const addCosts = (one: Cost, other: Cost, times = 1): Cost => ({
  processorMs: one.processorMs * times + other.processorMs,
  clockMs: one.clockMs * times + other.clockMs,
})

const longest = (costs: Costs): number =>
  Math.max(...[...costs.values()].map(({ processorMs }) => processorMs))

const least = (one: Costs, other: Costs): Costs =>
  new Map(
    [...other].map(([stage, cost]) => {
      const { processorMs, clockMs } = one.get(stage) ?? cost
      return [
        stage,
        {
          processorMs: Math.min(cost.processorMs, processorMs),
          clockMs: Math.min(cost.clockMs, clockMs),
        },
      ]
    }),
  )

/** What so many runs and their stages cost. Errors that they throw are ignored. */
async function costsOf<Input>(run: Run<Input>, input: Input, times: number): Promise<Costs> {
  const costs = new Map<string, Cost>()
  const stage: Stage = async (name, work) => {
    const began = { processorMs: threadMs(), clockMs: monotonicMs() }
    try {
      return await work()
    } finally {
      const cost = {
        processorMs: threadMs() - began.processorMs,
        clockMs: monotonicMs() - began.clockMs,
      }
      costs.set(name, addCosts(cost, costs.get(name) ?? NOTHING))
    }
  }
  for (let time = 0; time < times; time++)
    await stage('all', () => run(input, stage) as unknown).catch(() => undefined)
  return costs
}
