import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Failure } from '../../base/errors.ts'
import { type Command, runGit, SEARCH_PATH, startGit } from './command.ts'

let root: string
// A git that says its environment and then sleeps, for a time that nobody else on this machine sleeps for.
const NAP = `sleep 3${process.pid}`
let sleepy: Command

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'octavo-launcher-'))
  await writeFile(join(root, 'git'), `#!/bin/sh\nenv\necho ready\n${NAP} &\nwait\n`, { mode: 0o755 })
  sleepy = { args: ['nap'], searchPath: [root, SEARCH_PATH].join(delimiter), deadlineMs: 60_000 }
})

after(() => rm(root, { recursive: true, force: true }))

const VERSION = { args: ['version'], searchPath: SEARCH_PATH, deadlineMs: 20_000, stdoutBytesMax: 1000 }

describe('a launcher that is killed', () => {
  it('fails what runs as git_interrupted and leaves none of it; the next command starts another', async () => {
    const running = startGit(sleepy)
    await once(running.stdout, 'data')
    const [first = 0] = launchersOf(process.pid)
    process.kill(first, 'SIGKILL')
    await assert.rejects(running.ended, isInterrupted)
    await waitFor(() => !napping())
    assert.match((await runGit(VERSION)).stdout.toString(), /^git version/)
    const [second] = launchersOf(process.pid)
    assert.notEqual(second, first)
  })

  it('does not change how a command ended that was told to end', async () => {
    const running = startGit(sleepy)
    await once(running.stdout, 'data')
    const reason = new Error('no longer wanted')
    process.kill(launchersOf(process.pid)[0] ?? 0, 'SIGKILL')
    running.stop(reason)
    assert.equal((await running.ended).stopped, reason)
    await waitFor(() => !napping())
  })
})

describe('a launcher', () => {
  it('takes no notice of a signal that is sent to every process of a service', async () => {
    await runGit(VERSION)
    const [launcher = 0] = launchersOf(process.pid)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(launcher, signal)
    await runGit(VERSION)
    assert.deepEqual(launchersOf(process.pid), [launcher])
  })

  it('is there once for commands that begin together, and each has its own streams', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        runGit({ ...VERSION, args: ['hash-object', '--stdin'], input: `${at}` }),
      ),
    )
    assert.equal(new Set(answers.map(({ stdout }) => stdout.toString())).size, 20)
    assert.deepEqual(
      answers.map(({ code, stdout }) => [code, stdout.length]),
      answers.map(() => [0, 41]),
    )
    assert.equal(launchersOf(process.pid).length, 1)
  })

  it('starts none when the command cannot be', async () => {
    const failure = await runGit({ ...VERSION, searchPath: root.concat('/none') }).catch(thrown => thrown)
    assert.ok(failure instanceof Failure)
    assert.equal(failure.code, 'git_not_installed')
    await assert.rejects(runGit({ ...VERSION, args: ['nul\0'] }))
    assert.match((await runGit(VERSION)).stdout.toString(), /^git version/)
  })
})

describe('a server', () => {
  it('that is killed leaves no git, no launcher and no folder', async () => {
    const folder = await newFolder('killed')
    const server = startServer(`${SLEEP}`, folder)
    await said(server, /ready/)
    const [launcher = 0] = launchersOf(server.pid ?? 0)
    const [made = ''] = await readdir(folder)
    const { mode } = await stat(join(folder, made))
    assert.equal(mode & 0o777, 0o700, 'somebody else may connect')
    server.kill('SIGKILL')
    await waitFor(() => !napping() && !isThere(launcher))
    assert.deepEqual(await readdir(folder), [])
  })

  it('that has nothing left to do ends, and its launcher with it', async () => {
    const folder = await newFolder('idle')
    const server = startServer(`await runGit(${JSON.stringify(VERSION)})\nconsole.log('done')`, folder)
    const ended = once(server, 'exit')
    assert.deepEqual(await ended, [0, null])
    await waitFor(() => processes().every(({ args }) => !args.includes(folder)))
    assert.deepEqual(await readdir(folder), [])
  })

  it('gives git nothing of its environment, and its folder for temporary files may have a long path', async () => {
    const server = startServer(`${SLEEP}`, await newFolder('l'.repeat(120)))
    const output = await said(server, /ready/)
    assert.match(output, /GIT_CONFIG_VALUE_0=hidden/)
    assert.doesNotMatch(output, /OCTAVO_SECRET|TMPDIR/)
    // With the arguments, and, where this user may see it, the environment of each process.
    const seen = execFileSync('ps', ['eww', '-p', `${launchersOf(server.pid ?? 0)[0]}`]).toString()
    assert.match(seen, /launcher-process/)
    assert.doesNotMatch(seen, /OCTAVO_SECRET|hidden/)
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    await waitFor(() => !napping())
  })
})

// A program that runs the git that sleeps and says what it says.
const SLEEP = `
  const running = startGit({ ...SLEEPY, secretConfig: [['a.b', 'hidden']] })
  running.stdout.pipe(process.stdout)
  await running.ended`

function startServer(program: string, folder: string): ChildProcess {
  const module = JSON.stringify(new URL('./command.ts', import.meta.url).href)
  const script = `import { runGit, startGit } from ${module}\nconst SLEEPY = ${JSON.stringify(sleepy)}\n${program}`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder, OCTAVO_SECRET: 'x' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function said(server: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  for await (const text of server.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += text
    if (pattern.test(output)) return output
  }
  return assert.fail(`it ended after it said: ${output}`)
}

async function newFolder(name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder)
  return folder
}

const isInterrupted = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.kind === 'unavailable' && thrown.code === 'git_interrupted'

type Process = { readonly pid: number; readonly parent: number; readonly args: string }

/** Every process of this machine that has not ended. */
function processes(): Process[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args=']).toString().split('\n')
  return lines.flatMap(line => {
    const [pid, parent, state = '', ...args] = line.trim().split(/ +/)
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args: args.join(' ') }]
  })
}

const launchersOf = (server: number): number[] =>
  processes()
    .filter(({ parent, args }) => parent === server && args.includes('launcher-process.ts'))
    .map(({ pid }) => pid)

const napping = (): boolean => processes().some(({ args }) => args === NAP)
const isThere = (wanted: number): boolean => processes().some(({ pid }) => pid === wanted)

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 20))
}
