// One process per OCTAVO_HOME: two on one embedded database would destroy it.
import {
  closeSync,
  type FSWatcher,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../base/canonical.ts'
import { monotonicMs, now } from '../base/clock.ts'
import { conflict, type Failure, isSystemError } from '../base/errors.ts'

export interface HomeLock {
  /** Lets other processes have the folder. */
  release(): void
  /** Resolves once the lock is not that of this process any more: it was removed, or another process has it. */
  readonly lost: Promise<void>
}

interface Holder {
  readonly pid: number
  /** Distinguishes a process from a later one with the same id; null if the system does not say. */
  readonly started: string | null
  /** The scope of process ids: the host and, on Linux, the container. */
  readonly place: string
}

// The holder touches the file this often. A process that cannot look up the holder, because it runs on another
// machine or in another container, watches the file for five beats; clocks may differ, so they are not compared.
const BEAT_MILLISECONDS = 3_000
const SILENT_BEATS = 5
const LOOKS_PER_BEAT = 30
const RIGHT_CHARACTERS = 16

/**
 * Takes the folder `home` for this process, making it (0700) if it does not exist. A dead process's lock is taken
 * over: at once if it ran here, after 15 seconds of silence if it ran elsewhere.
 *
 * @throws {Failure} `conflict` naming the process that holds it.
 */
export async function lockHome(home: string, beatMs = BEAT_MILLISECONDS): Promise<HomeLock> {
  makeFolder(home)
  const path = join(home, 'lock')
  const mine = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid),
    place: PLACE,
  } satisfies Holder)
  await take(path, mine, beatMs, holder => inUse(home, holder))
  return hold(path, mine, beatMs)
}

/** One folder after the other: where `/proc` refuses one, Node's own recursion tries for ever. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile. A file in its place is reported by what is written next.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Writes `mine` to `path` if no live process holds it. A dead lock is replaced only by the process that holds the
 * right to replace that particular lock: itself a lock, whose holder may be dead too. Without it, a slow process that
 * also saw the dead lock would replace the new lock of a faster one.
 */
async function take(
  path: string,
  mine: string,
  beatMs: number,
  refusal: (holder: Holder) => Failure,
): Promise<void> {
  while (!create(path, mine)) {
    const seen = look(path)
    if (seen === undefined) continue
    const holder = parse(seen.text)
    // A file without a holder is just being written, or its writer died: its age decides in this case too.
    const isAlive = holder?.place === PLACE ? isRunning(holder) : await changes(path, seen, beatMs)
    if (isAlive && holder !== undefined) throw refusal(holder)
    if (isAlive) continue
    const right = `${path}.${sha256(`${seen.text} ${seen.modified}`).slice(0, RIGHT_CHARACTERS)}`
    await take(right, mine, beatMs, refusal)
    if (isSame(look(path), seen)) return renameSync(right, path)
    rmSync(right, { force: true })
  }
}

const inUse = (home: string, { pid, place }: Holder): Failure =>
  conflict(
    'home_in_use',
    `${home} is in use by process ${pid}${place === PLACE ? '' : ` on ${place.split(' ')[0]}`}. ` +
      'Stop that process, or give this one another folder with OCTAVO_HOME. ' +
      'The lock of a process that has ended is taken over by itself.',
  )

function create(path: string, text: string): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(file, text)
    return true
  } catch (error) {
    // Without its text, the next start would mistake it for a lock being written.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function hold(path: string, mine: string, beatMs: number): HomeLock {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  const look = () => {
    try {
      if (read(path) !== mine) lose()
    } catch {
      // A file that cannot be read now is looked at again at the next beat.
    }
  }
  const beat = setInterval(() => {
    try {
      utimesSync(path, now(), now())
    } catch {
      // Whether it was removed is seen below.
    }
    look()
  }, beatMs).unref()
  const watcher = watchRemoval(path, look)
  const release = () => {
    clearInterval(beat)
    watcher?.close()
    process.off('exit', release)
    if (read(path) === mine) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return { release, lost }
}

/** Sooner than the next beat, on file systems that can tell. */
function watchRemoval(path: string, look: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, kind => {
      if (kind === 'rename') look()
    })
    return watcher.on('error', () => watcher.close())
  } catch {
    return undefined
  }
}

/** Whether the file is touched, rewritten or removed within five beats. */
async function changes(path: string, seen: Seen, beatMs: number): Promise<boolean> {
  const end = monotonicMs() + SILENT_BEATS * beatMs
  while (monotonicMs() < end) {
    await sleep(beatMs / LOOKS_PER_BEAT)
    if (!isSame(look(path), seen)) return true
  }
  return false
}

type Seen = { readonly text: string; readonly modified: number }

function look(path: string): Seen | undefined {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const text = read(path)
  return modified === undefined || text === undefined ? undefined : { text, modified }
}

const isSame = (one: Seen | undefined, other: Seen): boolean =>
  one?.text === other.text && one.modified === other.modified

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
    // EPERM: it is running, as another user.
    if (codeOf(error) === 'ESRCH') return false
  }
  if (stateOf(pid) === 'Z') return false
  const current = startOf(pid)
  return started === null || current === null || started === current
}

// A zombie has ended; its id is taken until its parent asks for its exit status.
const stateOf = (pid: number): string | null => statFields(pid)?.[0] ?? null

// Field 22 of /proc/<pid>/stat, in ticks since boot; the name before it may contain spaces and brackets.
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
