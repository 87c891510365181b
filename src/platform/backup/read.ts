// Reads a backup from beginning to end, and refuses files that are not a whole backup.
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Failure, invalid } from '../../base/errors.ts'
import { hashed } from '../../base/hashed.ts'
import { type Entry, readArchive } from './archive.ts'
import {
  type BackupEnd,
  type BackupHeader,
  damaged,
  FORMAT,
  foreign,
  JSON_BYTES_MAX,
  newerFormat,
  PORTION_BYTES_MAX,
  parseEnd,
  parseHeader,
  parseName,
  truncated,
} from './format.ts'

/** Receives the parts of a backup, in order. Nothing is known to be whole before the end. */
export type Take = {
  header?(header: BackupHeader): Promise<void>
  rows?(table: string, json: string): Promise<void>
  /** `content` has to be read to its end. */
  blob?(sha256: string, size: number, content: AsyncIterable<Uint8Array>): Promise<void>
}

export type Backup = { readonly header: BackupHeader; readonly end: BackupEnd }

/**
 * @throws {Failure} invalid: `file_unreadable`, `backup_foreign`, `backup_newer`, `backup_truncated`,
 * `backup_damaged`; and what `take` throws.
 */
export async function readBackup(
  path: string,
  take: Take,
  signal: AbortSignal,
  report: (entries: number) => void = () => {},
): Promise<Backup> {
  await checkFile(path)
  const reader = new Reader(path, take)
  try {
    for await (const entry of readArchive(path, signal)) {
      signal.throwIfAborted()
      await reader.read(entry)
      report(reader.entries)
    }
    return reader.finish()
  } catch (error) {
    throw reader.explain(error)
  }
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((reason: NodeJS.ErrnoException) => {
    throw invalid('file_unreadable', `${path} cannot be read: ${reason.message}`, reason)
  })
  if (!found.isFile()) throw invalid('file_unreadable', `${path} is not a file.`)
}

class Reader {
  entries = 0
  readonly #path: string
  readonly #take: Take
  #header: BackupHeader | undefined
  #end: BackupEnd | undefined
  #blobs = 0
  readonly #wrong: string[] = []
  /** An error of the consumer of the parts says nothing about the file. */
  #taken: unknown

  constructor(path: string, take: Take) {
    this.#path = path
    this.#take = take
  }

  async read(entry: Entry): Promise<void> {
    const name = parseName(entry.name)
    if (this.#header === undefined) {
      if (name?.kind !== 'header' || entry.size > JSON_BYTES_MAX) throw foreign(this.#path)
      this.#header = this.#checked(parseHeader(await textOf(entry)))
      await this.#give(this.#take.header?.(this.#header))
    } else if (this.#end !== undefined) throw damaged(this.#path, 'something comes after its end.')
    else if (name?.kind === 'rows') await this.#readRows(entry, name.table)
    else if (name?.kind === 'blob') await this.#readBlob(entry, name.sha256)
    else if (name?.kind === 'end') await this.#readEnd(entry)
    else throw damaged(this.#path, `it has an entry ${JSON.stringify(entry.name)}, which no backup has.`)
    this.entries += 1
  }

  #checked(header: BackupHeader | undefined): BackupHeader {
    if (header === undefined) throw foreign(this.#path)
    if (header.format > FORMAT)
      throw newerFormat(this.#path, `its format is ${header.format}, and this one knows ${FORMAT}.`)
    if (header.format < FORMAT) throw foreign(this.#path)
    return header
  }

  async #readRows(entry: Entry, table: string): Promise<void> {
    if (entry.size > PORTION_BYTES_MAX) throw damaged(this.#path, `${entry.name} is too large.`)
    if (this.#take.rows === undefined) await drain(entry.body)
    else {
      const json = await textOf(entry)
      await this.#give(this.#take.rows(table, json))
    }
  }

  async #readBlob(entry: Entry, sha256: string): Promise<void> {
    const hash = createHash('sha256')
    const body = hashed(entry.body, hash)
    if (this.#take.blob === undefined) await drain(body)
    else await this.#give(this.#take.blob(sha256, entry.size, body))
    if (hash.digest('hex') !== sha256) this.#wrong.push(sha256)
    this.#blobs += 1
  }

  async #readEnd(entry: Entry): Promise<void> {
    if (entry.size > JSON_BYTES_MAX) throw damaged(this.#path, 'its end is too large.')
    const end = parseEnd(await textOf(entry))
    if (end === undefined) throw damaged(this.#path, 'its end cannot be read.')
    if (end.sha256 !== entry.hashBefore)
      throw damaged(this.#path, 'its bytes are not those that were written.')
    if (end.blobs !== this.#blobs || end.damaged.join() !== this.#wrong.join())
      throw damaged(this.#path, 'its files are not those that were written.')
    this.#end = end
  }

  async #give(taken: Promise<void> | undefined): Promise<void> {
    await taken?.catch(error => {
      this.#taken = error
      throw error
    })
  }

  finish(): Backup {
    if (this.#header === undefined) throw foreign(this.#path)
    if (this.#end === undefined) throw truncated(this.#path)
    return { header: this.#header, end: this.#end }
  }

  explain(error: unknown): unknown {
    if (error instanceof Failure || error === this.#taken) return error
    if (!(error instanceof Error) || error.name === 'AbortError') return error
    if (this.#header === undefined) return foreign(this.#path, error)
    const { message } = error
    return ('code' in error && error.code === 'Z_BUF_ERROR') || message.includes('truncated')
      ? truncated(this.#path, error)
      : damaged(this.#path, message, error)
  }
}

async function textOf({ body }: Entry): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}
