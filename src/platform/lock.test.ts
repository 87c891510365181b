import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

/** Where a lock of this process says that it runs. */
async function placeHere(): Promise<string> {
  const home = newHome()
  const lock = await lockHome(home)
  const { place } = JSON.parse(readFileSync(lockOf(home), 'utf8'))
  lock.release()
  return place
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
    assert.match(error.message, new RegExp(`in use by process ${child.pid}\\b.*OCTAVO_HOME`))
    assert.doesNotMatch(error.message, /remove/)
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

const RACERS = 4
const ROUNDS = 100
const PAUSE_MS_MAX = 3

// Takes the lock of each home that it is told, says what came of it, and releases it when told the next.
// Before each call of the file system it pauses, so that the calls of several are in every order.
const RACER = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import { createInterface } from 'node:readline'
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  for (const name of ['openSync', 'readFileSync', 'renameSync', 'rmSync', 'statSync', 'writeFileSync']) {
    const call = fs[name]
    fs[name] = (...input) => {
      Atomics.wait(nothing, 0, 0, Math.random() * ${PAUSE_MS_MAX})
      return call(...input)
    }
  }
  syncBuiltinESMExports()
  const { lockHome } = await import('${import.meta.resolve('./lock.ts')}')
  let lock
  for await (const home of createInterface({ input: process.stdin })) {
    lock?.release()
    lock = await lockHome(home).catch(() => undefined)
    console.log(lock === undefined ? 'refused' : 'held')
  }`

function startRacer() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', RACER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    async race(home: string): Promise<string | undefined> {
      child.stdin.write(`${home}\n`)
      return (await said.next()).value
    },
  }
}

test('of several that find one dead lock at the same time, exactly one gets it', async () => {
  const { child } = await startHolder(newHome())
  await end(child, 'SIGKILL')
  const dead = JSON.stringify({ pid: child.pid, started: '1', place: await placeHere() })
  const racers = Array.from({ length: RACERS }, startRacer)
  await Promise.all(racers.map(({ race }) => race(newHome())))
  for (let round = 0; round < ROUNDS; round++) {
    const home = newHome()
    mkdirSync(home, { recursive: true })
    writeFileSync(lockOf(home), dead)
    const said = await Promise.all(racers.map(({ race }) => race(home)))
    assert.deepEqual(said.sort(), ['held', 'refused', 'refused', 'refused'], `round ${round}`)
  }
  await Promise.all(racers.map(one => end(one.child)))
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

test('a process whose lock is removed is told, and so is one whose lock another process has', async () => {
  for (const take of [
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, JSON.stringify({ pid: 1, started: null, place: 'elsewhere' })),
  ]) {
    const home = newHome()
    const lock = await lockHome(home, 20)
    take(lockOf(home))
    await lock.lost
    lock.release()
  }
})

test('a process that releases its lock is told nothing', async () => {
  const lock = await lockHome(newHome(), 1)
  let isLost = false
  void lock.lost.then(() => {
    isLost = true
  })
  lock.release()
  await new Promise(resolve => setTimeout(resolve, 20))
  assert.equal(isLost, false)
})
