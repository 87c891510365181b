// Checks a pushed pack in a folder of its own, beside the repository; a refused pack is removed with the folder
// (`receive-pack` calls this a quarantine).
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { inTurn } from './cache.ts'
import { DEADLINE, type Ended, type Running, startGit, TOO_MUCH_MEMORY } from './command.ts'
import { Deadline } from './deadline.ts'
import type { ReceivedPack } from './receive-pack.ts'
import { BOUNDS } from './serve-pack.ts'

export type PackIntake = {
  readonly received: ReceivedPack
  /** The repository with the objects that the pack refers to. */
  readonly upon: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** `path`: the pack, completed by the bases of its deltas; absent if nothing was sent. */
export type TakenPack = { readonly path: string | undefined; readonly objects: number }

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
// The most that git holds of one object. A few bytes of a delta can mean a gigabyte.
const OBJECT_BYTES_MAX = 256 * 1024 * 1024
// The largest object, its base, and what is kept of other bases.
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024
// Checking two gigabytes takes ten seconds; bases that are made again and again take longer.
const CPU_SECONDS_MAX = 60
// Larger objects are read in pieces, unless they are deltas.
const STREAMED = ['-c', 'core.bigFileThreshold=16m'] as const
const STDOUT_CHARACTERS_MAX = 1000

/**
 * @throws Failure too_large `push_too_large`; invalid `pack_invalid`; unavailable `git_timeout` and those of starting
 * git.
 */
export async function takePack(
  searchPath: string,
  { received, upon, deadlineMs, signal }: PackIntake,
): Promise<TakenPack> {
  const { directory, path, objects } = received
  await mkdir(join(directory, 'objects', 'info'), { recursive: true })
  await mkdir(join(directory, 'objects', 'pack'))
  await mkdir(join(directory, 'refs'))
  await writeFile(join(directory, 'objects', 'info', 'alternates'), `${join(upon, 'objects')}\n`)
  await writeFile(join(directory, 'config'), CONFIG)
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  if (objects === 0) return { path: undefined, objects }
  const running = startGit({
    args: [...BOUNDS, ...STREAMED, 'index-pack', '--stdin', '--fix-thin', '--strict'],
    ...{ directory, searchPath, signal, deadlineMs },
    ...{ allocationBytesMax: OBJECT_BYTES_MAX, memoryBytesMax: MEMORY_BYTES_MAX },
    cpuSecondsMax: CPU_SECONDS_MAX,
  })
  const { ended, stdout } = await feed(running, createReadStream(path), deadlineMs)
  signal?.throwIfAborted()
  const [, hash] = /^pack\t([0-9a-f]{40})\n$/.exec(stdout) ?? []
  if (ended.code !== 0 || hash === undefined) throw refusal(ended)
  return { path: join(directory, 'objects', 'pack', `pack-${hash}.pack`), objects }
}

/** Adds a taken, complete pack to a repository. Throws Failure unavailable `git_failed`. */
export function addPack(
  searchPath: string,
  request: {
    readonly directory: string
    readonly content: AsyncIterable<Uint8Array>
    readonly deadlineMs: number
  },
): Promise<void> {
  const { directory, content, deadlineMs } = request
  return inTurn(directory, async () => {
    const running = startGit({
      args: [...BOUNDS, ...STREAMED, 'index-pack', '--stdin'],
      ...{ directory, searchPath, deadlineMs },
    })
    const { ended } = await feed(running, content, deadlineMs)
    if (ended.code === 0) return
    const message = 'Commits that were pushed could not be read. The log of this server has the details.'
    throw unavailable('git_failed', message, new Error(ended.stderr))
  })
}

/** `workMsMax`: how long git may keep us waiting, in total. */
async function feed(
  running: Running,
  content: AsyncIterable<Uint8Array>,
  workMsMax: number,
): Promise<{ ended: Ended; stdout: string }> {
  let stdout = ''
  running.stdout.setEncoding('latin1').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, STDOUT_CHARACTERS_MAX)
  })
  const read = new Promise<void>(resolve => running.stdout.once('close', resolve))
  // A git that has seen enough closes its end; how it ended says why.
  running.stdin.on('error', () => {})
  const waiting = new Deadline(workMsMax, () => running.stop(DEADLINE))
  const ofGit = <T>(work: Promise<T>): Promise<T> => {
    waiting.run()
    return work.finally(() => waiting.pause())
  }
  try {
    for await (const chunk of content) {
      if (running.stdin.destroyed) break
      if (!running.stdin.write(chunk))
        await ofGit(Promise.race([once(running.stdin, 'drain'), running.ended]))
    }
    running.stdin.end()
  } catch (error) {
    running.stop(error)
    await running.ended
    throw error
  }
  const ended = await ofGit(running.ended)
  await read
  return { ended, stdout }
}

function refusal({ code, stderr, stopped }: Ended) {
  const said = new Error(stderr)
  if (stopped === DEADLINE) return unavailable('git_timeout', 'The push could not be read in time.')
  if (stopped === TOO_MUCH_MEMORY || (code === null && stopped === undefined))
    return tooLarge('push_too_large', 'This push takes too much work to be read. Push in smaller steps.')
  if (/attempting to allocate/.test(stderr))
    return tooLarge('push_too_large', 'An object of this push is too large to be read.')
  // Other sentences may name folders of this machine.
  const [, why] = /^(?:error|fatal): ((?:object [0-9a-f]{40}|Error in object): .*)$/m.exec(stderr) ?? []
  const sentence = 'Git reports that the pushed objects are broken'
  return invalid('pack_invalid', why === undefined ? `${sentence}.` : `${sentence}: ${why}.`, said)
}
