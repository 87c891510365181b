// Answers that take long to make, such as a whole space in one document: each is made once, for everybody who asks for it and
// leaves, and kept in a file under everything that it depends on. Those who ask while it is made read what is there.
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import { diskFull, isDiskFull, unavailable } from '../base/errors.ts'
import { newId, newSecret } from '../base/ids.ts'
import { ownMember } from '../base/objects.ts'
import { countFreeBytes, FREE_BYTES_MIN } from '../platform/disk-space.ts'
import { createFairSlots } from '../platform/fairness/fair-slots.ts'
import { currentParty } from '../platform/fairness/party.ts'
import { cacheFolder } from './cache-folder.ts'

export type Made = {
  /** Read by all who read the answer: the nonce of its styles. */
  readonly secret: string
  /** The next one who asks after this time gets a new one, since a part of it may be better then. */
  keepAtMost(milliseconds: number): void
}

export type MakeAnswer = (made: Made) => AsyncIterable<string>

export type OpenedAnswer = { readonly stream: Readable; readonly secret: string }

export interface KeptAnswers {
  /**
   * Resolves once there is something to read. `lane` stands for an organization where none was named. The stream
   * breaks off if the rest cannot be made.
   *
   * @throws Failure unavailable `busy` if too many wait or it waited too long; whatever `make` throws at first.
   */
  open(key: string, lane: string, make: MakeAnswer): Promise<OpenedAnswer>
  /** Ends what is being made. */
  close(): Promise<void>
}

export type KeptBounds = {
  readonly bytesMax: number
  /** For one reader: a slow one would keep a file open for ever. */
  readonly millisecondsMax: number
}

const BOUNDS: KeptBounds = { bytesMax: 512 * 1024 * 1024, millisecondsMax: 10 * 60_000 }
/** Making one is work for this process and the pool. */
const SLOTS = {
  ...{ atOnceMax: 2, ofOrganizationMax: 1 },
  ...{ personWaitingMax: 2, organizationWaitingMax: 8, waitingMax: 32, waitMillisecondsMax: 30_000 },
}
const READ_BYTES = 64 * 1024
const KEPT_MILLISECONDS_MAX = 3_600_000
/** With less room on the disk, nothing is kept: what is left is for the database. */
const FREE_BYTES_KEPT = FREE_BYTES_MIN + 128 * 1024 * 1024

/** `folder` is emptied: its files were left by an earlier process. */
export function createKeptAnswers(
  folder: string,
  { bytesMax, millisecondsMax } = BOUNDS,
  freeBytes = countFreeBytes,
): KeptAnswers {
  const slots = createFairSlots(SLOTS, busy)
  const whole = new LRUCache<string, Answer>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: ({ path }) => void rm(path, { force: true }).catch(() => {}),
  })
  const making = new Map<string, Answer>()
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  const ready = cacheFolder(folder)

  const write = async (answer: Answer, make: MakeAnswer): Promise<void> => {
    await ready()
    const file = await open(answer.path, 'wx', 0o600)
    try {
      for await (const piece of make(answer)) {
        if (isClosed) throw stopping()
        await answer.append(file, piece)
      }
    } finally {
      await file.close()
    }
  }

  const begin = (name: string, lane: string, make: MakeAnswer): Answer => {
    const answer = new Answer(join(folder, newId()))
    making.set(name, answer)
    const work = slots
      .run(currentParty(lane), () => write(answer, make))
      .then(
        () => {
          if (answer.bytes <= bytesMax) whole.set(name, answer, { ttl: answer.milliseconds })
          answer.end()
        },
        error => answer.end(isDiskFull(error) ? diskFull(error) : error),
      )
      .finally(async () => {
        making.delete(name)
        running.delete(work)
        // Its readers have it open.
        if (!whole.has(name)) await rm(answer.path, { force: true })
      })
    running.add(work)
    work.catch(() => {})
    return answer
  }

  // Where it is unknown, the write itself fails.
  const isDiskShort = async (): Promise<boolean> =>
    (await freeBytes(dirname(folder)).catch(() => Number.POSITIVE_INFINITY)) < FREE_BYTES_KEPT

  const cutOff = (stream: Readable): Readable => {
    const cut = setTimeout(() => stream.destroy(), millisecondsMax)
    return stream.once('close', () => clearTimeout(cut))
  }

  /** Read as it is made, in a slot until the reader has all of it. */
  const openUnkept = async (lane: string, make: MakeAnswer): Promise<OpenedAnswer> => {
    const giveBack = await slots.take(currentParty(lane))
    try {
      const secret = newSecret()
      const pieces = make({ secret, keepAtMost() {} })
      const stream = Readable.from(await begun(pieces), { objectMode: false })
      return { stream: cutOff(stream).once('close', giveBack), secret }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  return {
    async open(key, lane, make) {
      const name = sha256(key)
      const isMade = whole.has(name) || making.has(name)
      if (!isMade && (await isDiskShort())) return openUnkept(lane, make)
      const findOrBegin = async () => {
        const answer = whole.get(name) ?? making.get(name) ?? begin(name, lane, make)
        await answer.begun
        return { answer, file: await open(answer.path, 'r').catch(undefinedIfGone) }
      }
      let { answer, file } = await findOrBegin()
      if (file === undefined) {
        // It made room for others at this moment, or somebody removed the file.
        if (whole.get(name) === answer) whole.delete(name)
        ;({ answer, file } = await findOrBegin())
      }
      if (file === undefined) throw busy()
      return { stream: cutOff(answer.streamFrom(file)), secret: answer.secret }
    },
    async close() {
      isClosed = true
      await Promise.all(running)
    },
  }
}

/** The pieces, once the first is there: what fails before it is refused as a whole. */
async function begun(pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* { [Symbol.asyncIterator]: () => rest }
  })()
}

const undefinedIfGone = (error: unknown): undefined => {
  if (ownMember(error, 'code') !== 'ENOENT') throw error
}

const busy = () =>
  unavailable('busy', 'Other long documents are being prepared right now. Try again in half a minute.')

const stopping = () => unavailable('stopping', 'The server is stopping. Try again in a few seconds.')

class Answer implements Made {
  readonly path: string
  readonly secret = newSecret()
  /** As many as there are in the file. */
  bytes = 0
  /** How long it may be kept. */
  milliseconds = KEPT_MILLISECONDS_MAX
  #isWhole = false
  #failure: unknown
  readonly #begun = Promise.withResolvers<void>()
  #changed = Promise.withResolvers<void>()
  readonly begun = this.#begun.promise

  constructor(path: string) {
    this.path = path
    this.begun.catch(() => {})
  }

  keepAtMost(milliseconds: number): void {
    this.milliseconds = Math.min(this.milliseconds, milliseconds)
  }

  async append(file: FileHandle, piece: string): Promise<void> {
    const bytes = Buffer.from(piece)
    await file.writeFile(bytes)
    this.bytes += bytes.length
    this.#begun.resolve()
    this.#tell()
  }

  end(failure?: unknown): void {
    this.#isWhole = failure === undefined
    this.#failure = failure
    if (this.#isWhole) this.#begun.resolve()
    else this.#begun.reject(failure)
    this.#tell()
  }

  /** Closes the file. A generator could not be left while it waits for the next piece. */
  streamFrom(file: FileHandle): Readable {
    let at = 0
    const read = async (stream: Readable): Promise<void> => {
      while (at === this.bytes && !this.#isWhole && this.#failure === undefined) await this.#changed.promise
      if (stream.destroyed) return
      if (at < this.bytes) {
        // The file may have more already than is counted.
        const most = Math.min(READ_BYTES, this.bytes - at)
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, at)
        at += bytesRead
        stream.push(buffer.subarray(0, bytesRead))
      } else if (this.#isWhole) stream.push(null)
      else throw this.#failure
    }
    return new Readable({
      read() {
        read(this).catch(error => this.destroy(error))
      },
      destroy(error, callback) {
        file.close().then(
          () => callback(error),
          failure => callback(error ?? failure),
        )
      },
    })
  }

  #tell(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
