// A server of its own, filled by tools/sample.ts: for pictures of the workspace, and for the data of a release.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWeb } from './web.ts'

const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))
const SAMPLE = fileURLToPath(new URL('sample.ts', import.meta.url))

export type SampleServer = {
  readonly origin: string
  /** Where this person chooses a password, and is signed in. */
  passwordLink(email: string): string
  close(): Promise<void>
}

export async function startSampleServer(): Promise<SampleServer> {
  const home = mkdtempSync(join(tmpdir(), 'octavo-sample-'))
  const remove = () => rmSync(home, { recursive: true })
  try {
    const server = await startSampleIn(home, randomBytes(32).toString('hex'))
    return { ...server, close: () => server.close().then(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

/** In a folder that stays. `token`: of the first administrator. */
export async function startSampleIn(home: string, token: string): Promise<SampleServer> {
  await bundleWeb()
  const port = await findPort()
  const origin = `http://127.0.0.1:${port}`
  const settings = { OCTAVO_HOME: home, PORT: String(port), OCTAVO_ADMIN_TOKEN: token, OCTAVO_URL: origin }
  const env = { ...process.env, ...settings }
  const run = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8', env }).trim()
  const server = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const close = () => end(server)
  try {
    await isReady(server)
    run(SAMPLE)
  } catch (error) {
    await close()
    throw error
  }
  return {
    origin,
    passwordLink: email => /http\S+/.exec(run(MAIN, 'password-link', email))?.[0] ?? '',
    close,
  }
}

/** One that nobody listens on. */
const findPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** It says so. */
function isReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('exit', code => reject(new Error(`The server ended with ${code}.`)))
    server.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('ready at')) resolve()
    })
  })
}

function end(server: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (server.exitCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}
