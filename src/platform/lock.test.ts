import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '../base/ids.ts'
import { lockHome } from './lock.ts'

const root = mkdtempSync(join(tmpdir(), 'octavo-lock-'))
after(() => rmSync(root, { recursive: true, force: true }))
const newHome = () => join(root, newId(), 'home')
const lockOf = (home: string) => join(home, 'lock')

// Takes the lock, says so (or why not), and holds it until it is killed or its input ends.
const HOLDER = `
  import { lockHome } from '${import.meta.resolve('./lock.ts')}'
  try {
    await lockHome(process.argv[1])
    console.log('held')
    process.stdin.resume()
  } catch (error) {
    console.log(error.code + ': ' + error.message)
  }`

async function startHolder(home: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  if (signal === undefined) child.stdin?.end()
  else child.kill(signal)
  await exited
}

test('the folder is made for its owner alone, and given free again', async () => {
  const home = newHome()
  const lock = await lockHome(home)
  assert.equal(statSync(home).mode & 0o777, 0o700)
  assert.equal(statSync(lockOf(home)).mode & 0o777, 0o600)
  lock.release()
  assert.ok(!existsSync(lockOf(home)))
  ;(await lockHome(home)).release()
})

test('a second process is refused with the process that has the folder and what to do', async () => {
  const home = newHome()
  const { child, said } = await startHolder(home)
  assert.equal(said, 'held')
  await assert.rejects(lockHome(home), error => {
    assert.ok(error instanceof Error)
    assert.match(error.message, new RegExp(`in use by process ${child.pid}\\b.*OCTAVO_HOME.*${lockOf(home)}`))
    return true
  })
  assert.match((await startHolder(home)).said, /^home_in_use: /)
  await end(child)
  ;(await lockHome(home)).release()
})

test('the same process is refused too', async () => {
  const home = newHome()
  const lock = await lockHome(home)
  await assert.rejects(lockHome(home), { kind: 'conflict', code: 'home_in_use' })
  lock.release()
})

test('the lock of a process that was killed is taken over', async () => {
  const home = newHome()
  const { child } = await startHolder(home)
  await end(child, 'SIGKILL')
  assert.ok(existsSync(lockOf(home)))
  const lock = await lockHome(home)
  assert.equal(JSON.parse(readFileSync(lockOf(home), 'utf8')).pid, process.pid)
  lock.release()
})

const onLinux = { skip: !existsSync('/proc/self/stat') && 'only /proc says when a process was started' }

test('the lock of a process whose number belongs to another one now is taken over', onLinux, async () => {
  const home = newHome()
  const { child } = await startHolder(home)
  const text = readFileSync(lockOf(home), 'utf8')
  await end(child, 'SIGKILL')
  // this very process runs, but it was not started when that one was
  writeFileSync(lockOf(home), JSON.stringify({ ...JSON.parse(text), pid: process.pid, started: '1' }))
  ;(await lockHome(home)).release()
})

test('of several that find one dead lock at the same time, one gets it', async () => {
  const home = newHome()
  const dead = await startHolder(home)
  await end(dead.child, 'SIGKILL')
  const all = await Promise.all([1, 2, 3, 4].map(() => startHolder(home)))
  assert.equal(all.filter(({ said }) => said === 'held').length, 1)
  await Promise.all(all.map(({ child, said }) => (said === 'held' ? end(child) : undefined)))
})

const BEAT_MS = 30

/** The lock of a home as if it had been taken elsewhere. */
function moveElsewhere(home: string): void {
  const mine = JSON.parse(readFileSync(lockOf(home), 'utf8'))
  writeFileSync(lockOf(home), JSON.stringify({ ...mine, place: 'elsewhere pid:[1]' }))
}

test('a lock held from another machine counts as long as it is touched', async () => {
  const home = newHome()
  const lock = await lockHome(home, BEAT_MS)
  // its holder, here, goes on touching it
  moveElsewhere(home)
  await assert.rejects(lockHome(home, BEAT_MS), { kind: 'conflict', message: /on elsewhere\b/ })
  lock.release()
})

test('a lock held from another machine is taken over when nobody touches it any more', async () => {
  const home = newHome()
  const { child } = await startHolder(home)
  await end(child, 'SIGKILL')
  moveElsewhere(home)
  ;(await lockHome(home, BEAT_MS)).release()
})
