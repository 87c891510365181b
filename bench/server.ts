// The real command as a process of its own, as people run it: with its jobs and its log, on the embedded database unless
// DATABASE_URL names another.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, temporaryFolder } from './measure.ts'

export type BenchServer = {
  readonly url: string
  /** Of the administrator of its first start. */
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly home: string
  readonly pid: number
  /** The path of the first organization, below `/v1`. */
  readonly organization: string
  /** The answer, whatever it holds. Throws unless it is a success. */
  send(method: string, path: string, body?: unknown): Promise<Response>
  /** The JSON of the answer; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows which operation it calls, and reads a few of its fields
  call(method: string, path: string, body?: unknown): Promise<any>
  /** `octavo import <folder>`: the path of the new space, below `/v1`. */
  importFolder(folder: string): Promise<string>
  stop(): Promise<void>
}

const MAIN = join(ROOT, 'src/cli/main.js')

// A bench that is stopped ends its processes and removes its folder too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Without a token of this environment: the server makes one in its folder. */
const environmentOf = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  OCTAVO_HOME: home,
  OCTAVO_ADMIN_TOKEN: undefined,
  // Benchmarks ask as fast as they can.
  OCTAVO_RATE_LIMIT: '0',
  OCTAVO_RATE_LIMIT_ADDRESS: '0',
})

/** What `node` is given to serve. For profiles (`tools/profile.ts`) it runs the sources, whose functions have files. */
function serving(home: string): string[] {
  const folder = process.env.OCTAVO_BENCH_PROFILES
  if (folder === undefined) return [MAIN, 'serve']
  const program = join(home, 'bench.mjs')
  writeFileSync(
    program,
    `import { run } from '${join(ROOT, 'src/cli/program.ts')}'\nprocess.exitCode = await run(process.argv)\n`,
  )
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, program, 'serve']
}

/** A server on `home`, which is ready to serve. Its log goes to a file in that folder. */
export async function startServer(
  env: Readonly<Record<string, string>> = {},
  home = join(temporaryFolder(), 'home'),
): Promise<BenchServer> {
  mkdirSync(home, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = join(home, 'bench.log')
  const child = spawn(process.execPath, serving(home), {
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
    env: { ...environmentOf(home), PORT: String(port), ...env },
  })
  await untilReady(child, `${url}/readyz`).catch(cause => {
    throw new Error(readFileSync(log, 'utf8'), { cause })
  })
  const token = readFileSync(join(home, 'admin-token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send: BenchServer['send'] = async (method, path, body) => {
    const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) ?? null })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const call: BenchServer['call'] = async (method, path, body) => {
    const text = await (await send(method, path, body)).text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const { items } = await call('GET', '/orgs')
  return {
    ...{ url, token, headers, home, send, call },
    pid: child.pid ?? 0,
    organization: `/orgs/${items[0].id}`,
    async importFolder(folder) {
      const output = await outputOf([MAIN, 'import', folder], environmentOf(home))
      return `/spaces/${output.trim().split('/').pop()}`
    },
    stop: () => end(child),
  }
}

/** The folder of a server that was started once, which made its administrator and their token. */
export async function startedHome(): Promise<string> {
  const server = await startServer()
  await server.stop()
  return server.home
}

/** Waits for an address of a process to answer. The process ends with this one. */
export async function untilReady(child: ChildProcess, url: string): Promise<void> {
  // Before its folder is removed, and also where the benchmark fails.
  process.prependListener('exit', () => child.kill('SIGKILL'))
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('the process ended before it was ready')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

export async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await new Promise(resolve => child.once('exit', resolve))
}

async function outputOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout
}

export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
