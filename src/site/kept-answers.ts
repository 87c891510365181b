// Answers that take long to make, such as a whole space in one document: each is made once, whoever asks for it and
// leaves, and kept in a file under everything that it depends on. Those who ask while it is made read what is there.
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/canonical.ts'
import { diskFull, isDiskFull, unavailable } from '../base/errors.ts'
import { newId, newSecret } from '../base/ids.ts'
import { ownMember } from '../base/objects.ts'
import { createFairSlots } from '../platform/fairness/fair-slots.ts'
import { currentParty } from '../platform/fairness/party.ts'

/** `secret` is made with the answer and read by all who read it: the nonce of its styles. */
export type MakeAnswer = (secret: string) => AsyncIterable<string>

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

/** `folder` is emptied: its files were left by an earlier process. */
export function createKeptAnswers(folder: string, { bytesMax, millisecondsMax } = BOUNDS): KeptAnswers {
  const slots = createFairSlots(SLOTS, busy)
  const whole = new LRUCache<string, Answer>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: ({ path }) => void rm(path, { force: true }).catch(() => {}),
  })
  const making = new Map<string, Answer>()
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  let isReady: Promise<unknown> | undefined

  const write = async (answer: Answer, make: MakeAnswer): Promise<void> => {
    isReady ??= rm(folder, { recursive: true, force: true }).then(() =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    )
    await isReady
    const file = await open(answer.path, 'wx', 0o600)
    try {
      for await (const piece of make(answer.secret)) {
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
          if (answer.bytes <= bytesMax) whole.set(name, answer)
          answer.end()
        },
        error => answer.end(isDiskFull(error) ? diskFull(error) : error),
      )
      .finally(async () => {
        making.delete(name)
        running.delete(work)
        // Whoever reads it has it open.
        if (!whole.has(name)) await rm(answer.path, { force: true })
      })
    running.add(work)
    work.catch(() => {})
    return answer
  }

  return {
    async open(key, lane, make) {
      const name = sha256(key)
      const findOrBegin = async () => {
        const answer = whole.get(name) ?? making.get(name) ?? begin(name, lane, make)
        await answer.begun
        return { answer, file: await open(answer.path, 'r').catch(undefinedIfGone) }
      }
      let { answer, file } = await findOrBegin()
      // It made room for others at this moment.
      if (file === undefined) ({ answer, file } = await findOrBegin())
      if (file === undefined) throw busy()
      const stream = answer.streamFrom(file)
      const cut = setTimeout(() => stream.destroy(), millisecondsMax)
      stream.once('close', () => clearTimeout(cut))
      return { stream, secret: answer.secret }
    },
    async close() {
      isClosed = true
      await Promise.all(running)
    },
  }
}

const undefinedIfGone = (error: unknown): undefined => {
  if (ownMember(error, 'code') !== 'ENOENT') throw error
}

const busy = () =>
  unavailable('busy', 'Other long documents are being prepared right now. Try again in half a minute.')

const stopping = () => unavailable('stopping', 'The server is stopping. Try again in a few seconds.')

class Answer {
  readonly path: string
  readonly secret = newSecret()
  /** As many as there are in the file. */
  bytes = 0
  #isWhole = false
  #failure: unknown
  readonly #begun = Promise.withResolvers<void>()
  #changed = Promise.withResolvers<void>()
  readonly begun = this.#begun.promise

  constructor(path: string) {
    this.path = path
    this.begun.catch(() => {})
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
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at)
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
