// The command in a process of its own, as its users run it. Whatever a test starts here is ended when its file is done,
// also when it failed. A file fails whose server says that its thread was held for too long.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after } from 'node:test'
import { tooLongHold } from './holds.ts'

export const ROOT = join(import.meta.dirname, '../..')
/** What users start. */
export const REAL = join(ROOT, 'src/cli/main.js')
// What the runner of the tests has made of it (tools/program.ts), which starts in two thirds of the time.
const MADE = process.env.OCTAVO_TEST_PROGRAM
const PROGRAM = MADE === undefined ? REAL : join(MADE, 'cli/main.mjs')
const COMPILE_CACHE = MADE === undefined ? process.env.NODE_COMPILE_CACHE : join(MADE, 'compiled')

/** How many times as long as an idle machine this one takes, as the runner of the tests has measured. */
export const slowness = Number(process.env.OCTAVO_TEST_SLOWNESS ?? 1)

// What takes longer than this does not come any more.
const WAIT_MS_MAX = Math.round(60_000 * slowness)

export type Environment = Readonly<Record<string, string | undefined>>

export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  /** What it said so far. */
  readonly stdout: string
  readonly stderr: string
  readonly ended: Promise<Ended>
  /** Resolves when what it said on the stream matches; rejects when it ended without, or does not come to it. */
  says(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>
  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void
}

export type Options = {
  readonly env?: Environment
  readonly cwd?: string
  /** Closes our end of its standard output at once, as `| head -0` does. */
  readonly deaf?: boolean
  /** What is started, by its first file. */
  readonly program?: string
}

const children = new Set<ChildProcess>()
const folders = new Set<string>()
const servers = new Set<Running>()

// Four times what one request may: stalls.test.ts is strict. Here browsers and other processes share the machine with a
// server that answers for the first time, and the time of a processor that is fought over counts up to twice.
const HELD_MS_MAX = 200

function endAll(): void {
  for (const { pid } of children) {
    // A group of its own each, so that what a shell started ends with it.
    if (pid !== undefined) endGroup(pid)
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}

process.on('exit', endAll)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
after(async () => {
  const ends = [...children].map(child => new Promise(resolve => child.once('close', resolve)))
  endAll()
  await Promise.all(ends)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  for (const { stderr } of servers) {
    const hold = tooLongHold(stderr, slowness, HELD_MS_MAX)
    if (hold !== undefined) throw new Error(`a server was held for longer than it may be: ${hold}`)
  }
})

/** A folder of this test file, gone when it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-e2e-'))
  folders.add(folder)
  return folder
}

/** Resolves once the folder has an entry: of this name, or as wanted. */
export async function appears(folder: string, wanted: string | ((name: string) => boolean)): Promise<void> {
  const isWanted = typeof wanted === 'string' ? (name: string) => name === wanted : wanted
  const isThere = () => readdirSync(folder).some(isWanted)
  const watcher = watch(folder)
  const late = setTimeout(() => watcher.close(), WAIT_MS_MAX)
  await new Promise<void>(resolve => {
    watcher.once('close', resolve)
    const look = () => {
      if (isThere()) watcher.close()
    }
    watcher.on('change', look)
    look()
  })
  clearTimeout(late)
  if (!isThere()) throw new Error(`${wanted} does not appear in ${folder}`)
}

/** Nothing of the environment of who runs the tests, so that everybody's tests test the same. */
const environment = (own: Environment): NodeJS.ProcessEnv => ({
  PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  TMPDIR: tmpdir(),
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  HOME: tmpdir(),
  LANG: 'C.UTF-8',
  ...own,
})

/** Starts any program. */
export function start(command: string, args: readonly string[], options: Options = {}): Running {
  const child = spawn(command, args, {
    cwd: options.cwd ?? tmpdir(),
    env: environment(options.env ?? {}),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  children.add(child)
  const said = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      for (const listener of listeners) listener()
    })
  }
  if (options.deaf === true) child.stdout.destroy()
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, ...said })
    })
  })
  ended.catch(() => children.delete(child))
  const line = [command, ...args].join(' ')
  const inTime = <T>(wanted: Promise<T>, what: string): Promise<T> => {
    let timer: NodeJS.Timeout
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${line}: ${what}\n${said.stdout}\n${said.stderr}`)),
        WAIT_MS_MAX,
      )
    })
    return Promise.race([wanted, late]).finally(() => clearTimeout(timer))
  }
  return {
    pid: child.pid as number,
    get stdout() {
      return said.stdout
    },
    get stderr() {
      return said.stderr
    },
    get ended() {
      return inTime(ended, 'it does not end')
    },
    says(pattern, stream = 'stdout') {
      let listener = () => {}
      const said_ = new Promise<RegExpExecArray>((resolve, reject) => {
        listener = () => {
          const found = pattern.exec(said[stream])
          if (found !== null) resolve(found)
        }
        listeners.add(listener)
        listener()
        ended.then(
          ({ code, signal }) =>
            reject(
              new Error(
                `${line}: ended (${code ?? signal}) and never said ${pattern}\n${said.stdout}\n${said.stderr}`,
              ),
            ),
          reject,
        )
      })
      return inTime(said_, `it does not say ${pattern}`).finally(() => listeners.delete(listener))
    },
    signal: signal => void child.kill(signal),
    end(signal) {
      child.kill(signal)
      return inTime(ended, `it does not end after ${signal}`)
    },
  }
}

// The embedded database is compiled quickly instead of well: a process lives for seconds here, and to compile it well
// takes longer than to start it.
const NODE = [process.execPath, '--liftoff-only'] as const

/** Starts `octavo <args>`. */
export function octavo(args: readonly string[], options: Options = {}): Running {
  const [node, ...flags] = NODE
  return start(node, [...flags, options.program ?? PROGRAM, ...args], options)
}

/** How `octavo <args>` is started, for clients that start it themselves. */
export const commandOf = (args: readonly string[], env: Environment) => {
  const [command, ...flags] = NODE
  const given = Object.entries(environment(env)).filter(([, value]) => value !== undefined)
  return {
    command,
    args: [...flags, PROGRAM, ...args],
    env: Object.fromEntries(given) as Record<string, string>,
  }
}

/** Runs `octavo <args>` to its end. */
export const run = (args: readonly string[], options: Options = {}): Promise<Ended> =>
  octavo(args, options).ended

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
  readonly body: any
}

export type Call = {
  readonly token?: string | null
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly payload?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Server extends Running, Calls {
  readonly url: string
  readonly home: string
  /** Of the administrator: what `serve` was given, or printed. */
  readonly token: string
}

export interface Calls {
  /** Calls `<url>/v1<path>`, as the administrator by default; `token: null` sends none. */
  call(method: string, path: string, call?: Call): Promise<Reply>
  /** Fetches `<url><path>` without a token. */
  get(path: string): Promise<Reply>
}

export const ADMIN_TOKEN = 'octv_the-token-of-the-first-administrator'

/** Starts `octavo serve` on a free port and waits until it is ready. */
export async function serve(home: string, options: Options = {}): Promise<Server> {
  const env: Environment = {
    OCTAVO_HOME: home,
    PORT: '0',
    OCTAVO_ADMIN_TOKEN: ADMIN_TOKEN,
    OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    // Tests ask as fast as they can.
    OCTAVO_RATE_LIMIT: '0',
    OCTAVO_RATE_LIMIT_ADDRESS: '0',
    ...options.env,
  }
  const running = octavo(['serve'], { ...options, env })
  servers.add(running)
  const [, url = ''] = await running.says(/Octavo is ready at (\S+)\n/)
  const token = env.OCTAVO_ADMIN_TOKEN ?? ''
  return Object.assign(running, { url, home, token, ...callsTo(url, token) })
}

export const callsTo = (url: string, token: string): Calls => ({
  call: (method, path, call = {}) => fetchReply(method, `${url}/v1${path}`, { token, ...call }),
  get: path => fetchReply('GET', url + path, {}),
})

async function fetchReply(
  method: string,
  address: string,
  { token, body, payload, headers, signal }: Call,
): Promise<Reply> {
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    signal: signal ?? AbortSignal.timeout(WAIT_MS_MAX),
    headers: {
      ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
