// The process of a lane: it is sent test files, one at a time, imports each inside a test of the file's name and reports
// every event. So what a file hooks at its top level (`after`, `beforeEach`) is its own, and the next file begins when
// that has run. The other end is in lanes.ts.
//
// Node loads this file twice over: as the program, and as its reporter of tests.
import { subscribe } from 'node:diagnostics_channel'
import { resolve } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { beginLane, endLane } from '../test/support/lane.ts'
import { END_OF_FILE } from './end-of-file.ts'
import { changesSince, lookAtProcess } from './process-state.ts'

export type TestEvent = { readonly type: string; readonly data: unknown }

/** What a lane is sent. */
export type Order = { readonly file: string } | { readonly end: true }

/** Its messages. `late` is an error that no running test can be blamed for. */
export type Told =
  | { readonly event: TestEvent }
  | { readonly begins: string }
  | { readonly late: string }
  | {
      readonly ended: string
      readonly changes: readonly string[]
      readonly rssBytes: number
      readonly cpuMs: number
    }

type Failure = Error & { code?: string; failureType?: string; cause?: unknown }
type Data = {
  readonly name?: string
  readonly nesting?: number
  readonly details?: { readonly error?: Failure }
}

// No limit: for what has none the runner takes that of one test.
const TIMER_MS_MAX = 2 ** 31 - 1
const TOLD = /^test:(?:start|pass|fail|diagnostic)$/

let running:
  | { readonly file: string; readonly before: ReturnType<typeof lookAtProcess>; readonly cpuMs: number }
  | undefined

/** Processor time of this process so far. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const tell = (told: Told): void => void process.send?.(told)

// A test of the file's name, in which its own are, refuses those that node takes for another file's: a suite would lose
// them without a word. Only a suite can ask for the names of its tests before it decides whether to run them.
const isByName = process.execArgv.some(argument => argument.startsWith('--test-name-pattern'))
const enclose: typeof test = isByName ? (suite as typeof test) : test

function run(file: string): void {
  running = { file, before: lookAtProcess(), cpuMs: cpuMs() }
  const imported = Promise.withResolvers<void>()
  void enclose(file, { timeout: TIMER_MS_MAX }, async () => {
    try {
      await import(pathToFileURL(resolve(file)).href)
    } finally {
      imported.resolve()
    }
  })
  // The suite itself is not reported when no test in it is chosen.
  void imported.promise.then(() => test(END_OF_FILE, () => {}))
}

/** The reporter: hands on what happens, until the suite of the file is over. */
export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (!TOLD.test(event.type)) continue
    const data = event.data as Data
    if (data.name !== END_OF_FILE) tell({ event: { type: event.type, data: withTextOfError(data) } })
    else if (event.type !== 'test:start' && running !== undefined) {
      const { file, before, cpuMs: began } = running
      running = undefined
      const changes = changesSince(before)
      tell({ ended: file, changes, rssBytes: process.memoryUsage.rss(), cpuMs: cpuMs() - began })
    }
  }
  yield ''
}

/** An error does not survive the way between processes, so it goes as the words that would be printed. */
function withTextOfError(data: Data): unknown {
  const error = data.details?.error
  if (error === undefined) return data
  const shown = error.code === 'ERR_TEST_FAILURE' && error.cause !== undefined ? error.cause : error
  const text = typeof shown === 'string' ? shown : inspect(shown, { depth: 6 })
  return { ...data, details: { ...data.details, error: { failureType: error.failureType, text } } }
}

// Sent the instant it begins: the reporter gets it only when the event loop turns, which a test that never ends may
// keep from happening.
subscribe('tracing:node.test:start', message => tell({ begins: (message as { name: string }).name }))

// The test runner marks the process as failed, and says no more, when an error comes from a test that is over.
for (const name of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(name, (error: unknown) => {
    setImmediate(() => {
      if (!process.exitCode) return
      process.exitCode = 0
      tell({ late: inspect(error) })
    })
  })
}

beginLane()
process.on('message', (order: Order) => {
  if ('file' in order) run(order.file)
  else void endLane().finally(() => process.exit(0))
})
process.on('disconnect', () => process.exit(1))
