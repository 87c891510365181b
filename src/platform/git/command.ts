// Runs the system's git independently of the machine and the repository: only our configuration, no hooks, no
// prompts, no helpers, http and https only. Every process has its own group, because git leaves its children
// (git-remote-http, index-pack) alive when it alone is killed.
import type { Readable, Writable } from 'node:stream'
import { unavailable } from '../../base/errors.ts'
import { currentTracer, nameOf } from '../../base/traces.ts'
import { Deadline } from './deadline.ts'
import { groupMemory } from './group-memory.ts'
import { type Launch, launch, NoLauncher, NotStarted } from './launcher.ts'

/** Where git is looked for if the composition root gives no PATH. */
export const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin'

const KILL_AFTER_MILLISECONDS = 2_000
const ABANDON_AFTER_MILLISECONDS = 3_000
const STDERR_BYTES_MAX = 32 * 1024

const CONFIG: readonly string[] = [
  ...['-c', 'http.followRedirects=false'],
  ...['-c', 'protocol.allow=never', '-c', 'protocol.http.allow=always', '-c', 'protocol.https.allow=always'],
  // A server that sends less than 1,000 bytes a second for 30 seconds counts as dead.
  ...['-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=30'],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'credential.helper=', '-c', 'gc.auto=0'],
  // The cache can be fetched again at any time, so nothing waits for the disk.
  ...['-c', 'core.fsync=none'],
]

export type Command = {
  readonly args: readonly string[]
  /** The bare repository; absent for commands that need none. */
  readonly directory?: string
  readonly searchPath: string
  /** The protocol version that the client requested: `version=2`. */
  readonly protocol?: string | undefined
  /** Configuration that must not appear in the process list: it is passed in the environment. */
  readonly secretConfig?: readonly (readonly [key: string, value: string])[]
  /** The most memory that git may allocate at once, for one untrusted object. */
  readonly allocationBytesMax?: number
  /** The most memory that git and its children may use together, if the system reports it (Linux). */
  readonly memoryBytesMax?: number | undefined
  /** The processor time of git, but not of its children, after which the system kills it. */
  readonly cpuSecondsMax?: number
  /** Standard error includes the packets between git and the host, without passwords. */
  readonly tracesPackets?: boolean
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  /** Every piece of standard error, as it arrives. */
  readonly onStderr?: (text: string) => void
}

/** How a process ended. `stderr` holds its last 32 KiB. */
export type Ended = {
  /** Null if the system killed it. */
  readonly code: number | null
  readonly stderr: string
  /** Why it was ended from outside, if it was: the deadline, or the `reason` given to `stop`. */
  readonly stopped?: unknown
}

export interface Running {
  readonly stdin: Writable
  readonly stdout: Readable
  /**
   * Resolves once git has ended and its remaining children have been killed; rejects with a Failure if git could not
   * be started.
   */
  readonly ended: Promise<Ended>
  /** Runs from the start; to be paused while nothing waits for git. */
  readonly deadline: Deadline
  /**
   * Ends the whole group, if it is running: TERM at once, KILL two seconds later. `ended` has `reason` as `stopped`.
   */
  stop(reason: unknown): void
}

/** `ended.stopped` after the deadline. */
export const DEADLINE = Symbol('deadline')
/** `ended.stopped` after git took too much memory. */
export const TOO_MUCH_MEMORY = Symbol('too much memory')

const MEMORY_EVERY_MILLISECONDS = 200

const groups = new Set<number>()
let killsAtExit = false

function endGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // The group is empty.
  }
}

function killAtExit(): void {
  if (killsAtExit) return
  killsAtExit = true
  process.on('exit', () => {
    for (const group of groups) endGroup(group, 'SIGKILL')
  })
}

function environment({
  searchPath,
  directory,
  protocol,
  allocationBytesMax,
  tracesPackets = false,
  secretConfig = [],
}: Command): Record<string, string> {
  const env: Record<string, string> = {
    PATH: searchPath,
    HOME: '/nonexistent',
    // failures.ts parses messages, and expects English.
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CONFIG_COUNT: String(secretConfig.length),
  }
  if (directory !== undefined) env.GIT_DIR = directory
  if (protocol !== undefined) env.GIT_PROTOCOL = protocol
  if (tracesPackets) env.GIT_TRACE_PACKET = '2'
  if (allocationBytesMax !== undefined) env.GIT_ALLOC_LIMIT = String(allocationBytesMax)
  secretConfig.forEach(([key, value], at) => {
    env[`GIT_CONFIG_KEY_${at}`] = key
    env[`GIT_CONFIG_VALUE_${at}`] = value
  })
  return env
}

export function startGit(command: Command): Running {
  killAtExit()
  const { stdin, stdout, stderr, started, exited, abandon } = launchGit(command)
  let group: number | undefined
  started.then(
    pid => {
      group = pid
      groups.add(pid)
    },
    () => {},
  )
  const end = (signal: NodeJS.Signals): void => {
    started.then(
      pid => endGroup(pid, signal),
      () => {},
    )
  }
  let stopped: unknown
  let isOver = false
  let killer: NodeJS.Timeout | undefined
  const stop = (reason: unknown): void => {
    if (stopped !== undefined || isOver) return
    stopped = reason ?? new Error('stopped')
    end('SIGTERM')
    killer = setTimeout(() => {
      end('SIGKILL')
      // The launcher reports the end; without a report this command would never end.
      killer = setTimeout(abandon, ABANDON_AFTER_MILLISECONDS)
    }, KILL_AFTER_MILLISECONDS)
  }
  const deadline = new Deadline(command.deadlineMs, () => stop(DEADLINE))
  deadline.run()
  const memory = watchMemory(command, () => group, stop)
  const onAbort = (): void => stop(command.signal?.reason)
  if (command.signal?.aborted) onAbort()
  else command.signal?.addEventListener('abort', onAbort, { once: true })

  const tail = keepTail(stderr, command.onStderr)
  const settle = async (): Promise<Ended> => {
    const code = await exited.catch(cause => {
      if (cause instanceof NotStarted) throw notStarted(cause)
      // The launcher can no longer end it.
      if (group !== undefined) endGroup(group, 'SIGKILL')
      if (stopped === undefined) throw cause instanceof NoLauncher ? noLauncher(cause) : interrupted(cause)
      return null
    })
    if (stopped !== undefined) {
      if (group !== undefined) endGroup(group, 'SIGKILL')
      stdout.destroy()
    } else if (!stderr.readableEnded && !stderr.closed) {
      await new Promise(resolve => stderr.once('close', resolve))
    }
    return { code, stderr: tail(), ...(stopped === undefined ? {} : { stopped }) }
  }
  const ended = settle().finally(() => {
    isOver = true
    deadline.end()
    clearInterval(memory)
    clearTimeout(killer)
    command.signal?.removeEventListener('abort', onAbort)
    if (group !== undefined) groups.delete(group)
  })
  traceRun(command, ended)
  // An unawaited rejection, because a reader of stdout gave up first, must not end the process.
  ended.catch(() => {})
  // A git that ends early closes the pipe; `ended` has the reason.
  stdout.on('error', () => {})
  return { stdin, stdout, ended, deadline, stop }
}

/** A span from the start of git to its end. */
function traceRun({ args }: Command, ended: Promise<Ended>): void {
  const span = currentTracer()?.start({ name: `git ${subcommandOf(args)}`, kind: 'client' })
  if (span === undefined) return
  ended.then(
    ({ code, stopped }) => {
      if (stopped === undefined && code === 0) span.end()
      else span.end(stopped === undefined ? 'exit' : 'stopped')
    },
    error => span.end(nameOf(error)),
  )
}

/** What follows the configuration, which is in pairs. */
function subcommandOf(args: readonly string[]): string {
  let at = 0
  while (args[at] === '-c') at += 2
  return args[at] ?? ''
}

function watchMemory(
  { memoryBytesMax }: Command,
  groupOf: () => number | undefined,
  stop: (reason: unknown) => void,
): NodeJS.Timeout | undefined {
  if (memoryBytesMax === undefined) return undefined
  return setInterval(async () => {
    const group = groupOf()
    if (group !== undefined && (await groupMemory(group)) > memoryBytesMax) stop(TOO_MUCH_MEMORY)
  }, MEMORY_EVERY_MILLISECONDS)
}

function launchGit(command: Command): Launch {
  try {
    return launch({
      args: [...CONFIG, ...command.args],
      env: environment(command),
      cpuSecondsMax: command.cpuSecondsMax,
    })
  } catch (error) {
    throw error instanceof NoLauncher ? noLauncher(error) : error
  }
}

function keepTail(stderr: Readable, onStderr: ((text: string) => void) | undefined): () => string {
  let tail = ''
  stderr.setEncoding('utf8')
  stderr.on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_BYTES_MAX)
    onStderr?.(text)
  })
  stderr.on('error', () => {})
  return () => tail
}

const interrupted = (cause: unknown): Error =>
  unavailable(
    'git_interrupted',
    'The process that starts git ended, or could not be reached. Try again.',
    cause,
  )

const noLauncher = (cause: unknown): Error =>
  unavailable(
    'git_not_started',
    'This server could not start git. Its log has the reason, for the operator.',
    cause,
  )

const notStarted = (cause: unknown): Error =>
  unavailable(
    'git_not_installed',
    'Repositories need git, and this server finds none on its PATH. The operator has to install git 2.37 or newer.',
    cause,
  )

/** git exited with an error. */
export class GitExit extends Error {
  override readonly name = 'GitExit'
  readonly stderr: string

  constructor(code: number | null, stderr: string) {
    super(`git ended with ${code}: ${stderr}`)
    this.stderr = stderr
  }
}

/** For a command that reads a repository. */
export type ReadOptions = Pick<Command, 'searchPath' | 'deadlineMs' | 'signal'>

/** Runs git and reads its output, with the failures of `readOutput`. */
export async function* readGit(command: Command & { readonly input?: string }): AsyncGenerator<Buffer> {
  const running = startGit(command)
  running.stdin.end(command.input ?? '')
  yield* readOutput(running, command)
}

/**
 * Standard output as it arrives; leaving early ends git. The deadline is paused while the consumer works.
 *
 * @throws GitExit when git fails; Failure `git_timeout` after the deadline; the reason of an aborted signal.
 */
export async function* readOutput(
  running: Running,
  { signal }: Pick<Command, 'signal'>,
): AsyncGenerator<Buffer> {
  let isRead = false
  let broken: unknown
  let ended: Ended | undefined
  try {
    for await (const chunk of running.stdout) {
      running.deadline.pause()
      // Without an encoding, a pipe yields buffers.
      yield chunk as Buffer
      running.deadline.run()
    }
    isRead = true
  } catch (reason) {
    // The stream of a stopped git: how it ended says more.
    broken = reason
  } finally {
    if (!isRead) running.stop(new Error('the output was not read to its end'))
    ended = await running.ended
  }
  signal?.throwIfAborted()
  if (ended.stopped === DEADLINE) {
    throw unavailable('git_timeout', 'The repository could not be read in time.')
  }
  if (ended.code !== 0) throw new GitExit(ended.code, ended.stderr)
  if (broken !== undefined) throw broken
}

/** Runs git to the end; more than `stdoutBytesMax` of standard output stops it. */
export async function runGit(
  command: Command & { readonly input?: string; readonly stdoutBytesMax: number },
): Promise<Ended & { readonly stdout: Buffer }> {
  const running = startGit(command)
  running.stdin.end(command.input ?? '')
  const chunks: Buffer[] = []
  let size = 0
  running.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > command.stdoutBytesMax) running.stop(new Error('too much output'))
    else chunks.push(chunk)
  })
  const read = new Promise<void>(resolve => running.stdout.once('close', resolve))
  const ended = await running.ended
  await read
  return { ...ended, stdout: Buffer.concat(chunks) }
}
