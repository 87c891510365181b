// Stores a pushed pack in a separate folder, beside the repository, and checks it there; a refused pack is removed
// with the folder (`receive-pack` calls this a quarantine).
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { inTurn } from './cache.ts'
import { DEADLINE, type Ended, type Running, startGit } from './command.ts'
import { Deadline } from './deadline.ts'
import { BOUNDS } from './serve-pack.ts'

export type PackIntake = {
  /** The folder, which does not exist yet. */
  readonly directory: string
  /** The repository with the objects that the pack refers to. */
  readonly upon: string
  readonly input: AsyncIterable<Uint8Array>
  readonly bytesMax: number
  readonly objectsMax: number
  /** How long git may take, not counting its waits for bytes. */
  readonly deadlineMs: number
  /** How long everything may take, waits included. */
  readonly arrivalMsMax: number
  readonly signal?: AbortSignal | undefined
}

/** `path`: the pack, completed by the bases of its deltas; absent if nothing was sent. */
export type TakenPack = { readonly path: string | undefined; readonly objects: number }

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
// The most that git holds of one object. A few bytes of a delta can mean a gigabyte.
const OBJECT_BYTES_MAX = 256 * 1024 * 1024
// Larger objects are read in pieces, unless they are deltas.
const STREAMED = ['-c', 'core.bigFileThreshold=16m'] as const
// Bytes read from a refused body, so that its sender gets to read the reason.
const PASSED_BYTES_MAX = 1024 * 1024 * 1024
const HEADER_BYTES = 12
const STDOUT_CHARACTERS_MAX = 1000

/**
 * Reads `input` to its end, up to a bound, even if it is refused.
 *
 * @throws Failure too_large `push_too_large`; invalid `pack_invalid`; unavailable `git_timeout` and those of starting
 * git.
 */
export async function takePack(searchPath: string, intake: PackIntake): Promise<TakenPack> {
  const { directory, upon, input, bytesMax, objectsMax, deadlineMs, arrivalMsMax, signal } = intake
  await mkdir(join(directory, 'objects', 'info'), { recursive: true })
  await mkdir(join(directory, 'objects', 'pack'))
  await mkdir(join(directory, 'refs'))
  await writeFile(join(directory, 'objects', 'info', 'alternates'), `${join(upon, 'objects')}\n`)
  await writeFile(join(directory, 'config'), CONFIG)
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  const chunks = input[Symbol.asyncIterator]()
  try {
    const header = await readHeader(chunks)
    if (header === undefined) return { path: undefined, objects: 0 }
    const { objects, bytes } = header
    if (objects > objectsMax) throw tooManyObjects(objectsMax)
    if (objects === 0) return { path: undefined, objects: 0 }
    const running = startGit({
      args: [
        ...[...BOUNDS, ...STREAMED, 'index-pack', '--stdin', '--fix-thin', '--strict'],
        `--max-input-size=${bytesMax}`,
      ],
      ...{ directory, searchPath, signal, allocationBytesMax: OBJECT_BYTES_MAX },
      deadlineMs: arrivalMsMax + deadlineMs,
    })
    const { ended, stdout } = await feed(running, withFirst(bytes, chunks), bytesMax, deadlineMs)
    signal?.throwIfAborted()
    const [, hash] = /^pack\t([0-9a-f]{40})\n$/.exec(stdout) ?? []
    if (ended.code !== 0 || hash === undefined) throw refusal(ended, bytesMax)
    return { path: join(directory, 'objects', 'pack', `pack-${hash}.pack`), objects }
  } finally {
    // A client that is answered before it has sent everything reports a broken connection.
    for (let passed = 0; !signal?.aborted && passed < PASSED_BYTES_MAX; ) {
      const { value, done } = await chunks.next()
      if (done === true) break
      passed += value.length
    }
  }
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
    const { ended } = await feed(running, content, Number.POSITIVE_INFINITY, deadlineMs)
    if (ended.code === 0) return
    const message = 'Commits that were pushed could not be read. The log of this server has the details.'
    throw unavailable('git_failed', message, new Error(ended.stderr))
  })
}

/** The beginning of a pack (https://git-scm.com/docs/pack-format), and the number of objects that it announces. */
async function readHeader(
  chunks: AsyncIterator<Uint8Array>,
): Promise<{ bytes: Buffer; objects: number } | undefined> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < HEADER_BYTES) {
    const { value, done } = await chunks.next()
    if (done === true) break
    bytes = Buffer.concat([bytes, value])
  }
  if (bytes.length === 0) return undefined
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'PACK')
    throw invalid('pack_invalid', 'The pushed data is not a git pack.')
  return { bytes, objects: bytes.readUInt32BE(8) }
}

async function* withFirst(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
}

const TOO_LARGE = Symbol('too large')

/** `workMsMax`: how long git may keep us waiting, in total. */
async function feed(
  running: Running,
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
  workMsMax: number,
): Promise<{ ended: Ended; stdout: string }> {
  let stdout = ''
  running.stdout.setEncoding('latin1').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, STDOUT_CHARACTERS_MAX)
  })
  const read = new Promise<void>(resolve => running.stdout.once('close', resolve))
  // A git that has seen enough closes its end; how it ended says why.
  running.stdin.on('error', () => {})
  let bytes = 0
  const waiting = new Deadline(workMsMax, () => running.stop(DEADLINE))
  const ofGit = <T>(work: Promise<T>): Promise<T> => {
    waiting.run()
    return work.finally(() => waiting.pause())
  }
  try {
    for await (const chunk of content) {
      bytes += chunk.length
      if (bytes > bytesMax) running.stop(TOO_LARGE)
      if (running.stdin.destroyed || bytes > bytesMax) break
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

function refusal({ stderr, stopped }: Ended, bytesMax: number) {
  const said = new Error(stderr)
  if (stopped === DEADLINE) return unavailable('git_timeout', 'The push could not be read in time.')
  if (stopped === TOO_LARGE || /exceeds maximum allowed size/.test(stderr)) {
    const mebibytes = Math.round(bytesMax / 1024 / 1024)
    return tooLarge('push_too_large', `A push may have at most ${mebibytes} MiB. Push in smaller steps.`)
  }
  if (/attempting to allocate/.test(stderr))
    return tooLarge('push_too_large', 'An object of this push is too large to be read.')
  // Other sentences may name folders of this machine.
  const [, why] = /^(?:error|fatal): ((?:object [0-9a-f]{40}|Error in object): .*)$/m.exec(stderr) ?? []
  const sentence = 'Git reports that the pushed objects are broken'
  return invalid('pack_invalid', why === undefined ? `${sentence}.` : `${sentence}: ${why}.`, said)
}

const tooManyObjects = (objectsMax: number) =>
  tooLarge(
    'push_too_large',
    `A push may have at most ${objectsMax} objects: commits, folders and files. Push in smaller steps.`,
  )
