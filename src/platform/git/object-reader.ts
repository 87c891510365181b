// Reads objects of a repository through one long-running `git cat-file`: starting git takes longer than reading a
// page.
import { assert } from '../../base/assert.ts'
import { unavailable } from '../../base/errors.ts'
import { distrustCache } from './cache.ts'
import { GitExit, type ReadOptions, type Running, readOutput, startGit } from './command.ts'
import { type Commit, parseCommit } from './objects.ts'

export type Blob = {
  readonly oid: string
  readonly size: number
  /** Absent if the blob is larger than requested. */
  readonly bytes?: Buffer
}

const LINE_BYTES_MAX = 128
const COMMIT_BYTES_MAX = 1024 * 1024

/** One question at a time: git answers in order. */
export class ObjectReader {
  readonly #directory: string
  readonly #git: Running
  readonly #chunks: AsyncGenerator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  /** Answers that were requested and not read. */
  #due = 0

  constructor(directory: string, options: ReadOptions) {
    const command = { args: ['cat-file', '--batch-command', '--buffer'], directory, ...options }
    this.#directory = directory
    this.#git = startGit(command)
    this.#chunks = readOutput(this.#git, command)
  }

  /** Undefined if it is not a commit, or its message has a megabyte; `finish` has git's message about it. */
  async findCommit(name: string): Promise<Commit | undefined> {
    this.#ask([`${name}^{commit}`])
    try {
      const line = await this.#line()
      const [, size] = /^[0-9a-f]{40} commit (\d+)$/.exec(line) ?? []
      if (size === undefined) return undefined
      const body = await this.#body(Number(size), Number(size) <= COMMIT_BYTES_MAX)
      return body && parseCommit(Buffer.concat([Buffer.from(`${line}\n`), body]))
    } catch (reason) {
      if (reason instanceof GitExit) return undefined
      throw reason
    }
  }

  /** Blobs in the requested order, read as they are consumed. Leaving early closes the reader. */
  async *readBlobs(oids: Iterable<string>, bytesMax: number): AsyncGenerator<Blob> {
    const wanted = [...oids]
    this.#ask(wanted)
    try {
      for (const oid of wanted) {
        const line = await this.#line()
        const [, size] = /^[0-9a-f]{40} blob (\d+)$/.exec(line) ?? []
        if (size === undefined) throw new GitExit(0, `cat-file: ${line}`)
        const bytes = await this.#body(Number(size), Number(size) <= bytesMax)
        yield { oid, size: Number(size), ...(bytes === undefined ? {} : { bytes }) }
      }
    } catch (reason) {
      throw await explain(this.#directory, reason)
    } finally {
      if (this.#due > 0) this.close()
    }
  }

  close(): void {
    if (this.#due > 0) this.#git.stop(new Error('the answers were not read to their end'))
    else this.#end()
  }

  /** Lets git finish; answers its standard error. */
  async finish(): Promise<string> {
    this.#end()
    return (await this.#git.ended).stderr
  }

  #end(): void {
    this.#git.stdin.end()
    this.#git.deadline.run()
  }

  #ask(objects: readonly string[]): void {
    assert(this.#due === 0, 'the answers to the last question are read to their end before the next one')
    this.#due = objects.length
    if (this.#due === 0) return
    this.#git.stdin.write(`${objects.map(object => `contents ${object}\n`).join('')}flush\n`)
  }

  // An answer is a line, the number of bytes that it announces, and a line end.
  async #line(): Promise<string> {
    let line = ''
    for (;;) {
      if (this.#at >= this.#chunk.length) await this.#next()
      const end = this.#chunk.indexOf(10, this.#at)
      const stop = end === -1 ? this.#chunk.length : end
      line += this.#chunk.toString('latin1', this.#at, stop)
      this.#at = stop + 1
      if (end !== -1) return line
      if (line.length > LINE_BYTES_MAX) throw new GitExit(0, 'cat-file: a line without an end')
    }
  }

  /** Takes `size` bytes and the line end after them; keeps them only if asked to. */
  async #body(size: number, isKept: boolean): Promise<Buffer | undefined> {
    const bytes = isKept ? Buffer.allocUnsafeSlow(size) : undefined
    for (let done = 0; done < size; ) {
      if (this.#at >= this.#chunk.length) await this.#next()
      const length = Math.min(size - done, this.#chunk.length - this.#at)
      if (bytes !== undefined) this.#chunk.copy(bytes, done, this.#at, this.#at + length)
      done += length
      this.#at += length
    }
    if (this.#at >= this.#chunk.length) await this.#next()
    this.#at += 1
    this.#due -= 1
    return bytes
  }

  async #next(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done === true) throw new GitExit(0, 'cat-file broke off')
    this.#chunk = value
    this.#at = 0
  }
}

/** Reads blobs with a git process of their own. */
export async function* readBlobs(
  directory: string,
  oids: Iterable<string>,
  bytesMax: number,
  options: ReadOptions,
): AsyncGenerator<Blob> {
  const reader = new ObjectReader(directory, options)
  try {
    yield* reader.readBlobs(oids, bytesMax)
  } finally {
    reader.close()
  }
}

/** git failed on objects that were fetched completely: the cache was damaged since. */
export async function explain(directory: string, reason: unknown): Promise<unknown> {
  if (!(reason instanceof GitExit)) return reason
  await distrustCache(directory)
  const message = 'The local copy of the repository was damaged. It will be fetched again.'
  return unavailable('git_cache_damaged', message, reason)
}
