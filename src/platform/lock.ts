// One process per OCTAVO_HOME: two on one embedded database would destroy it.
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs, now } from '../base/clock.ts'
import { conflict, type Failure, isSystemError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'

export interface HomeLock {
  /** Gives the folder free. */
  release(): void
}

interface Holder {
  readonly pid: number
  /** Distinguishes a process from a later one with the same id; null where the system does not say. */
  readonly started: string | null
  /** Where process numbers mean the same thing: the host and, on Linux, the container. */
  readonly place: string
}

// The holder touches the file this often. A process that cannot look the holder up, because that runs on another machine or
// in another container, watches the file for five beats; clocks are not compared, they may differ.
const BEAT_MILLISECONDS = 3_000
const SILENT_BEATS = 5
const LOOKS_PER_BEAT = 30

/**
 * Takes the folder `home` for this process, making it (0700) if it does not exist. The lock of a dead process is taken
 * over: at once when it ran here, after 15 seconds of silence when it ran elsewhere.
 *
 * @throws {Failure} `conflict` naming the process that has it.
 */
export async function lockHome(home: string, beatMs = BEAT_MILLISECONDS): Promise<HomeLock> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const path = join(home, 'lock')
  const mine = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid),
    place: PLACE,
  } satisfies Holder)
  while (!create(path, mine)) {
    const text = read(path)
    if (text === undefined) continue
    const holder = parse(text)
    // A file without a holder is being written right now, or its writer died: its age decides here too.
    const isAlive = holder?.place === PLACE ? isRunning(holder) : await changes(path, text, beatMs)
    if (!isAlive) takeAway(path, text)
    else if (holder !== undefined) throw inUse(home, path, holder)
  }
  return hold(path, mine, beatMs)
}

const inUse = (home: string, path: string, { pid, place }: Holder): Failure =>
  conflict(
    'home_in_use',
    `${home} is in use by process ${pid}${place === PLACE ? '' : ` on ${place.split(' ')[0]}`}. ` +
      'Stop that process, or give this one another folder with OCTAVO_HOME. ' +
      `If you are sure that it is no Octavo, remove ${path}.`,
  )

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // Made, with no room for a word in it: the next start would take it for somebody's.
    rmSync(path, { force: true })
    throw error
  }
}

function hold(path: string, mine: string, beatMs: number): HomeLock {
  const beat = setInterval(() => {
    try {
      utimesSync(path, now(), now())
    } catch {
      // a removed file was somebody's decision, and is nothing this process could mend
    }
  }, beatMs).unref()
  const release = () => {
    clearInterval(beat)
    process.off('exit', release)
    if (read(path) === mine) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return { release }
}

// By renaming: of two that found the same dead lock one gets it. The other one may by then catch the new lock of the
// first; it sees so by the text and puts it back.
function takeAway(path: string, dead: string): void {
  const aside = `${path}.${newId()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (read(aside) === dead) rmSync(aside, { force: true })
  else renameSync(aside, path)
}

/** Whether the file is touched, rewritten or removed within five beats. */
async function changes(path: string, text: string, beatMs: number): Promise<boolean> {
  const before = modified(path)
  const end = monotonicMs() + SILENT_BEATS * beatMs
  while (monotonicMs() < end) {
    await sleep(beatMs / LOOKS_PER_BEAT)
    if (modified(path) !== before || read(path) !== text) return true
  }
  return false
}

const modified = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs

function parse(text: string): Holder | undefined {
  try {
    const { pid, started, place } = JSON.parse(text)
    return Number.isInteger(pid) && typeof place === 'string'
      ? { pid, started: started ?? null, place }
      : undefined
  } catch {
    return undefined
  }
}

function isRunning({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there, and somebody else's
    if (codeOf(error) === 'ESRCH') return false
  }
  if (stateOf(pid) === 'Z') return false
  const current = startOf(pid)
  return started === null || current === null || started === current
}

// A process that ended and whose parent has not asked how: its number is taken, but nothing runs any more.
const stateOf = (pid: number): string | null => statFields(pid)?.[0] ?? null

// Field 22 of /proc/<pid>/stat, in ticks since the machine started; the name before it may hold spaces and brackets.
const startOf = (pid: number): string | null => statFields(pid)?.[19] ?? null

function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

const PLACE = `${hostname()} ${namespace()}`.trim()

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

const codeOf = (error: unknown): string | undefined => (isSystemError(error) ? error.code : undefined)
