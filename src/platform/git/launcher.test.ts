import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../base/errors.ts'
import { type Command, DEADLINE, runGit, SEARCH_PATH, startGit } from './command.ts'

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
    const first = launcherOf(process.pid)
    process.kill(first, 'SIGKILL')
    await assert.rejects(running.ended, isInterrupted)
    await waitFor(() => !napping())
    assert.match((await runGit(VERSION)).stdout.toString(), /^git version/)
    assert.notEqual(launcherOf(process.pid), first)
  })

  it('does not change how a command ended that was told to end', async () => {
    const running = startGit(sleepy)
    await once(running.stdout, 'data')
    const reason = new Error('no longer wanted')
    process.kill(launcherOf(process.pid), 'SIGKILL')
    running.stop(reason)
    assert.equal((await running.ended).stopped, reason)
    await waitFor(() => !napping())
  })
})

describe('a launcher that does not answer', () => {
  it('is ended once a command had to be, which has its deadline all the same', async () => {
    await runGit(VERSION)
    const launcher = launcherOf(process.pid)
    process.kill(launcher, 'SIGSTOP')
    assert.equal((await runGit({ ...VERSION, deadlineMs: 100 })).stopped, DEADLINE)
    await waitFor(() => !isThere(launcher))
    // That it has ended is heard in the next turn of the event loop.
    await sleep(20)
    assert.match((await runGit(VERSION)).stdout.toString(), /^git version/)
  })
})

describe('a launcher that cannot start', () => {
  const program = `
    const { code, message } = await runGit(${JSON.stringify(VERSION)}).catch(thrown => thrown)
    console.log(JSON.stringify({ code, message }))`

  it('is told as such where there is no folder for its socket', async () => {
    const server = startServer(program, join(root, 'nowhere'))
    assert.match(await said(server, /\}/), /"git_not_started"/)
  })

  it('is told as such where the machine has no room for it, and the server goes on', async () => {
    const server = startServer(
      `import { openSync } from 'node:fs'
       try { for (;;) openSync('/dev/null') } catch {}
       ${program}`,
      await newFolder('full'),
      'ulimit -n 100; ',
    )
    assert.match(await said(server, /\}/), /"git_not_started"/)
  })
})

describe('a launcher', () => {
  it('takes no notice of a signal that is sent to every process of a service', async () => {
    await runGit(VERSION)
    const launcher = launcherOf(process.pid)
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
    const launcher = launcherOf(process.pid)
    await assert.rejects(runGit({ ...VERSION, args: ['nul\0'] }))
    assert.match((await runGit(VERSION)).stdout.toString(), /^git version/)
    assert.equal(launcherOf(process.pid), launcher)
  })
})

describe('a server', () => {
  it('removes the folder of a launcher that was killed, and goes on', async () => {
    const folder = await newFolder('lost')
    const server = startServer(`${SLEEP}.catch(() => {})\nsetInterval(() => {}, 1000)`, folder)
    await said(server, /ready/)
    process.kill(launcherOf(server.pid), 'SIGKILL')
    await waitFor(() => readdirSync(folder).length === 0)
    assert.equal(server.exitCode, null)
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  })

  it('fails a command alone whose streams cannot be opened; the next one has another launcher', async () => {
    const program = `
      import { readdirSync, rmSync } from 'node:fs'
      const running = startGit(SLEEPY)
      await new Promise(resolve => running.stdout.once('data', resolve))
      for (const made of readdirSync(process.env.TMPDIR)) rmSync(process.env.TMPDIR + '/' + made + '/socket')
      const { code } = await runGit(${JSON.stringify(VERSION)}).catch(thrown => thrown)
      const { stdout } = await runGit(${JSON.stringify(VERSION)})
      running.stop('no longer wanted')
      console.log(JSON.stringify([code, String(stdout).slice(0, 11), (await running.ended).stopped]))`
    const server = startServer(program, await newFolder('blocked'))
    assert.match(await said(server, /\]/), /\["git_interrupted","git version","no longer wanted"\]/)
    await waitFor(() => !napping())
  })

  it('that is killed leaves no git, no launcher and no folder', async () => {
    const folder = await newFolder('killed')
    const server = startServer(`${SLEEP}`, folder)
    await said(server, /ready/)
    const launcher = launcherOf(server.pid)
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
    const seen = execFileSync('ps', ['eww', '-p', `${launcherOf(server.pid)}`]).toString()
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

function startServer(program: string, folder: string, before = ''): ChildProcess {
  const module = JSON.stringify(new URL('./command.ts', import.meta.url).href)
  const script = `import { runGit, startGit } from ${module}\nconst SLEEPY = ${JSON.stringify(sleepy)}\n${program}`
  const command = `${before}exec "$0" --input-type=module -e "$1"`
  return spawn('sh', ['-c', command, process.execPath, script], {
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

/** The one launcher of a server. */
function launcherOf(server: number | undefined): number {
  const [launcher] = launchersOf(server ?? -1)
  return launcher ?? assert.fail('no launcher runs')
}

const launchersOf = (server: number): number[] =>
  processes()
    .filter(({ parent, args }) => parent === server && args.includes('launcher-process.js'))
    .map(({ pid }) => pid)

const napping = (): boolean => processes().some(({ args }) => args === NAP)
const isThere = (wanted: number): boolean => processes().some(({ pid }) => pid === wanted)

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}
