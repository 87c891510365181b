// What every benchmark needs: a server of its own on loopback, made-up content, and one line of JSON at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

export const print = (result: object): void => void process.stdout.write(`${JSON.stringify(result)}\n`)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Three significant digits: more would pretend a precision that a shared machine does not have. */
export const round = (value: number): number => Number(value.toPrecision(3))

export async function timeMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** A folder that is gone when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A token that was chosen in this one is none of the folder's, where the other is read. */
const ownEnvironment = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  OCTAVO_HOME: home,
  OCTAVO_ADMIN_TOKEN: undefined,
})

export type BenchServer = {
  readonly url: string
  readonly token: string
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** Where `tools/profile.ts` asks for profiles of the server. */
function profiling(): string[] {
  const folder = process.env.OCTAVO_BENCH_PROFILES
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/** The real command on a folder, ready to serve. */
export async function startServer(home: string, env: Record<string, string> = {}): Promise<BenchServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [...profiling(), join(ROOT, 'src/cli/main.js'), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...ownEnvironment(home), PORT: String(port), OCTAVO_LOG_LEVEL: 'error', ...env },
  })
  // Before its folder is removed, and also where the benchmark fails.
  process.prependListener('exit', () => child.kill('SIGKILL'))
  for (;;) {
    const isReady = await fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    )
    if (isReady) break
    if (child.exitCode !== null) throw new Error('the server ended before it was ready')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return {
    url,
    token: readFileSync(join(home, 'admin-token'), 'utf8').trim(),
    process: child,
    async stop() {
      child.kill('SIGTERM')
      await new Promise(resolve => child.once('exit', resolve))
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

const WORDS =
  'the reader finds a page by its words and every section of it says one thing that a writer meant to say about how this part of the product is set up used and mended when it fails'.split(
    ' ',
  )

/** Markdown of about `bytes`, the same for the same seed. */
export function proseOf(seed: number, bytes: number): string {
  let text = `# Page ${seed}\n\n`
  let state = seed * 2654435761 + 1
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state
  }
  while (text.length < bytes) {
    if (next() % 5 === 0) text += `\n## Section ${next() % 1000}\n\n`
    const words = Array.from({ length: 12 + (next() % 20) }, () => WORDS[next() % WORDS.length])
    text += `${words.join(' ')}.\n\n`
  }
  return text
}

/** A GitBook layout of `pages` pages in folders of `perFolder`, below `folder`. */
export function writeProject(folder: string, pages: number, bytes: number, perFolder = 25): void {
  const lines = ['# Table of contents', '', '* [Start](README.md)']
  writeFile(join(folder, 'README.md'), '# Start\n\nHere it begins.\n')
  for (let page = 1; page < pages; page++) {
    const group = Math.floor((page - 1) / perFolder)
    const isFirst = (page - 1) % perFolder === 0
    const file = isFirst ? `part-${group}/README.md` : `part-${group}/page-${page}.md`
    lines.push(`${isFirst ? '' : '  '}* [Page ${page}](${file})`)
    writeFile(join(folder, file), proseOf(page, bytes))
  }
  writeFile(join(folder, 'SUMMARY.md'), `${lines.join('\n')}\n`)
}

export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** `octavo import <folder>` into the running server of `home`; answers the id of the new space. */
export async function importFolder(home: string, folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/main.js'), 'import', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ownEnvironment(home),
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`octavo import ended with ${code}`)
  return output.trim().split('/').pop() as string
}
