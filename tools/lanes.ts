// Test files run in lanes: processes that each take many, one after the other, since loading the program and opening a
// database costs more than most files do. A lane that dies, hangs or grows is replaced; the file it was at is reported as
// not having come to its end, and the others are not touched by it.
import { type ChildProcess, fork } from 'node:child_process'
import type { Order, TestEvent, Told } from './lane.ts'

export type LaneOptions = {
  readonly env: NodeJS.ProcessEnv
  readonly execArgv: readonly string[]
  /** A lane that is silent for so long is killed: its event loop hangs. */
  readonly silenceMsMax: number
}

/** What one file came to. */
export type FileReport = {
  readonly events: readonly TestEvent[]
  readonly output: string
  readonly ms: number
  /** Of the process of the lane, without the processes that tests start and the database server. */
  readonly cpuMs: number
  /** Why it cannot count as passed, whatever its tests say. */
  readonly problems: readonly string[]
}

/** A lane that takes more is replaced: the modules of every file stay in memory, and what its tests left in the database. */
export const LANE_BYTES_MAX = 3e9
const END_MS_MAX = 20_000
const OUTPUT_LENGTH_MAX = 100_000

const PROGRAM = new URL('lane.ts', import.meta.url)
const TEST_SCOPE = new URL('test-scope.ts', import.meta.url)

export class Lane {
  readonly #options: LaneOptions
  readonly #child: ChildProcess
  readonly #exited: Promise<string>
  #rssBytes = 0
  #exit: string | undefined
  // Between two files only an error of a test that is over can come: the next one to be heard takes it.
  #late: string[] = []
  #onTold: (told: Told) => void = told => this.#keepLate(told)
  #output = ''

  constructor(options: LaneOptions) {
    this.#options = options
    this.#child = fork(PROGRAM, {
      env: options.env,
      execArgv: [
        ...options.execArgv,
        `--import=${TEST_SCOPE.href}`,
        `--test-reporter=${PROGRAM.href}`,
        '--test-reporter-destination=stdout',
      ],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_LENGTH_MAX)
      })
    this.#child.on('message', told => this.#onTold(told as Told))
    // `close` comes when its output has been read to the end, `exit` may come before.
    this.#exited = new Promise(resolve => {
      this.#child.once('error', error => resolve(error.message))
      this.#child.once('close', (code, signal) =>
        resolve(signal === null ? `exit code ${code}` : `${signal}`),
      )
    })
    void this.#exited.then(exit => {
      this.#exit = exit
    })
  }

  /** Whether it should take no more files. */
  get isSpent(): boolean {
    return this.#exit !== undefined || this.#rssBytes > LANE_BYTES_MAX
  }

  /** Runs one file to its end, or to the end of the lane. */
  async run(file: string): Promise<FileReport> {
    const started = performance.now()
    const events: TestEvent[] = []
    const problems: string[] = []
    const ended = Promise.withResolvers<void>()
    let last = 'its import'
    let cpuMs = 0
    let silence: NodeJS.Timeout | undefined
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => {
        problems.push(
          `nothing was heard for ${Math.round(this.#options.silenceMsMax / 1000)} s, so it was ended`,
        )
        this.#child.kill('SIGKILL')
      }, this.#options.silenceMsMax)
    }
    this.#onTold = told => {
      heard()
      if ('event' in told) events.push(told.event)
      else if ('begins' in told) last = told.begins
      else if ('late' in told) this.#keepLate(told)
      else {
        this.#rssBytes = told.rssBytes
        cpuMs = told.cpuMs
        if (told.changes.length > 0) problems.push(`it left changed: ${told.changes.join(', ')}`)
        ended.resolve()
      }
    }
    heard()
    this.#send({ file })
    const died = this.#exited.then(exit => {
      problems.push(`it did not come to its end: the process ended (${exit}) at ${last}`)
    })
    await Promise.race([ended.promise, died])
    clearTimeout(silence)
    this.#onTold = told => this.#keepLate(told)
    problems.push(...this.#late.splice(0))
    const output = this.#output
    this.#output = ''
    return { events, output, ms: performance.now() - started, cpuMs, problems }
  }

  /** Ends the process, by force if it does not end by itself. Answers what was wrong with it since its last file. */
  async end(): Promise<readonly string[]> {
    const wait = setTimeout(() => this.#child.kill('SIGKILL'), END_MS_MAX)
    this.#send({ end: true })
    await this.#exited
    clearTimeout(wait)
    return this.#late
  }

  #keepLate(told: Told): void {
    if ('late' in told) this.#late.push(`an error came from a test that was over: ${told.late}`)
  }

  // The exit of the process reports its end.
  #send(order: Order): void {
    if (this.#child.connected) this.#child.send(order, () => {})
  }
}
