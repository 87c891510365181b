// The files of a request: sent as base64, or fetched from an address. Their bytes are stored before anything else is
// written; if the request is refused, they are swept like all unreferenced blobs.
import { assert } from '../../../base/assert.ts'
import { Failure, tooLarge, unavailable } from '../../../base/errors.ts'
import { inSlices, pause } from '../../../base/slices.ts'
import type { FileRecord, Hash } from '../../../engines/content/records.ts'
import type { Context, Services } from '../../../http/context.ts'
import { limitConcurrency } from '../../../platform/blobs/turns.ts'
import { createOutgoing, type Outgoing, type StreamedAnswer } from '../../../platform/fetch.ts'
import { describeFile, type FileDescription, HEAD_BYTES } from '../../../platform/images.ts'
import { readHead } from '../../../platform/stream-head.ts'
import { refuse } from './schema.ts'
import { findUploads, type UploadRow } from './uploads.ts'

const MIB = 1024 * 1024
/** Per file sent in the request. */
const SENT_BYTES_MAX = MIB
/** Per fetched file, and for all fetched files of a request. */
const FETCHED_BYTES_MAX = 10 * MIB
const FETCHED_TOGETHER_BYTES_MAX = 100 * MIB
const FETCH_MILLISECONDS_MAX = 20_000
/** For all files of one request. */
const FETCHES_MILLISECONDS_MAX = 60_000
/** In the whole process: each is a connection to another server. */
const FETCHES_AT_ONCE_MAX = 20

/** A file whose bytes are stored, before it has a path. */
export type StoredFile = Omit<FileRecord, 'file'>

/** Files whose bytes are stored already, by their refs in the request. */
export type StoredFiles = ReadonlyMap<string, StoredFile>

/** A file of a request: a new one, or new bytes for one that has a name. */
export type SentFile = {
  readonly name?: string
  readonly ref?: string
  readonly contentType?: string
  readonly url?: string
  readonly base64?: string
  readonly upload?: string
}

/** A file of the request, with what failures name it by; '' is the change itself. */
export type FileInRequest = { readonly index: number; readonly field: string; readonly file: SentFile }

const refuseFile = ({ index, field }: FileInRequest, part: string, why: string, cause?: unknown): Failure =>
  refuse(index, field === '' ? part : `${field}.${part}`, why, cause)

/** Checks everything that needs no I/O; throws the refusal. */
export function checkFile(each: FileInRequest): void {
  const { name, url, base64, upload, contentType } = each.file
  const wrong = (part: string, why: string) => refuseFile(each, part, why)
  if (name !== undefined) checkName(each, name)
  if ([url, base64, upload].filter(one => one !== undefined).length !== 1)
    throw refuse(each.index, each.field || 'upload', 'a file has exactly one of url, base64 and upload.')
  if (base64 !== undefined && contentType === undefined)
    throw wrong('contentType', 'this is required with base64, such as "image/png".')
  if (contentType !== undefined && readType(contentType) === undefined)
    throw wrong(
      'contentType',
      `${JSON.stringify(contentType.slice(0, 60))} is no media type such as "image/png".`,
    )
}

/** Throws the refusal of a name that no file can have. */
export function checkName(each: FileInRequest, name: string): void {
  if (/[\u0000-\u001f\u007f/\\]/.test(name) || !name.isWellFormed())
    throw refuseFile(
      each,
      'name',
      'a name has no slashes and no control characters. Send the name alone, without a folder.',
    )
  if (!/^[^.].*\.[^.\s]{1,20}$/u.test(name))
    throw refuseFile(each, 'name', 'a name has an ending, such as "diagram.png", and begins with no dot.')
}

/** With the uploads among them. */
export type FilesOfRequest<File> = {
  readonly files: readonly (readonly [File, StoredFile])[]
  readonly uploads: readonly UploadRow[]
}

/** Stores the bytes of all files, in order. Throws the refusal of the first that cannot be stored. */
export async function storeFiles<File extends FileInRequest>(
  services: Pick<Context, 'blobs' | 'db' | 'guard' | 'principal'>,
  spaceId: string,
  files: readonly File[],
  given: StoredFiles,
): Promise<FilesOfRequest<File>> {
  if (files.length === 0) return { files: [], uploads: [] }
  const uploads = await uploadsOf(services, spaceId, files)
  const sent: (Uint8Array | undefined)[] = []
  for await (const each of inSlices(files))
    sent.push(each.file.base64 === undefined ? undefined : decode(each, each.file.base64))
  const fetching = new Fetching(services)
  const inTurn = limitConcurrency(FILES_AT_ONCE_MAX)
  try {
    const stored = await allOrNone(
      files.map((each, i) =>
        inTurn(async (): Promise<[File, StoredFile]> => {
          const known = given.get(each.file.ref ?? '')
          return [each, known ?? (await keepOne(services, each, uploads[i], sent[i], fetching))]
        }),
      ),
      () => fetching.stop(),
    )
    return { files: stored, uploads: uploads.filter(upload => upload !== undefined) }
  } finally {
    await fetching.close()
  }
}

// Per request, so that it leaves room for others.
const FILES_AT_ONCE_MAX = 5

function keepOne(
  services: Pick<Services, 'blobs'>,
  each: FileInRequest,
  upload: UploadRow | undefined,
  sent: Uint8Array | undefined,
  fetching: Fetching,
): Promise<StoredFile> {
  if (upload !== undefined) return describeUpload(services, each, upload)
  if (sent !== undefined) return keep(services, each, sent)
  assert(each.file.url !== undefined, 'a checked file has a source')
  return fetching.keep(each, each.file.url)
}

/** The first failure stops the rest, and is thrown once all have ended. */
async function allOrNone<T>(work: readonly Promise<T>[], stop: () => void): Promise<T[]> {
  try {
    return await Promise.all(work)
  } catch (reason) {
    stop()
    await Promise.allSettled(work)
    throw reason
  }
}

async function keep(
  { blobs }: Pick<Services, 'blobs'>,
  { file }: FileInRequest,
  bytes: Uint8Array,
): Promise<StoredFile> {
  await pause()
  const about = describe(file, bytes.subarray(0, HEAD_BYTES), undefined)
  const { sha256, size } = await blobs.put(bytes, { contentType: about.contentType })
  return { ...about, size, blob: sha256 }
}

/** Its bytes are stored already: only their beginning is read. */
async function describeUpload(
  services: Pick<Services, 'blobs'>,
  each: FileInRequest,
  { blob_hash, content_type }: UploadRow,
): Promise<StoredFile> {
  const blob = blob_hash.toString('hex')
  const found = await services.blobs.find(blob)
  if (found === undefined) throw refuseFile(each, 'upload', 'its bytes are lost. Upload it again.')
  const head = await readHeadOf(services, blob)
  return { ...describe(each.file, head, content_type ?? undefined), size: found.size, blob }
}

/** The beginning of stored bytes; empty if they are lost. */
async function readHeadOf({ blobs }: Pick<Services, 'blobs'>, blob: Hash): Promise<Uint8Array> {
  const part = await blobs.read(blob, { first: 0, last: HEAD_BYTES - 1 })
  return part === undefined ? Buffer.alloc(0) : Buffer.concat(await part.stream.toArray())
}

/** What stored bytes are under a name: its ending counts where the bytes do not tell. */
export const describeBlob = async (
  services: Pick<Services, 'blobs'>,
  blob: Hash,
  name: string,
): Promise<FileDescription> => describeFile(await readHeadOf(services, blob), name)

/** The name and type of a file. */
function describe(file: SentFile, head: Uint8Array, sentType: string | undefined) {
  // What replaces the bytes of a file has the name of that file, which is not known yet.
  const { name = '' } = file
  const described = describeFile(head, name)
  const contentType = readType(file.contentType) ?? betterOf(described.contentType, sentType)
  const { dimensions } = described
  return {
    name,
    contentType,
    ...(dimensions === undefined || !contentType.startsWith('image/') ? {} : { dimensions }),
  }
}

/** The uploads that the files name, in the same order. Throws the refusal of the first that does not exist. */
async function uploadsOf(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  spaceId: string,
  files: readonly FileInRequest[],
): Promise<(UploadRow | undefined)[]> {
  const ids = files.flatMap(({ file }) => file.upload ?? [])
  const known =
    principal.kind === 'user' ? await findUploads(db, { spaceId, userId: principal.user.id }, ids) : new Map()
  return files.map(each => {
    const { upload } = each.file
    const found = upload === undefined ? undefined : known.get(upload)
    if (upload !== undefined && found === undefined)
      throw refuseFile(
        each,
        'upload',
        `you uploaded nothing that is called ${JSON.stringify(upload)} to this space within the last day.`,
      )
    return found
  })
}

/** The type detected from the bytes, or else the one sent. */
const betterOf = (shown: string, sentType: string | undefined): string =>
  shown === 'application/octet-stream' ? (readType(sentType) ?? shown) : shown

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/

/** A media type without its parameters (RFC 6838 §4.2), or undefined for an invalid one. */
function readType(text: string | undefined): string | undefined {
  const type = text?.split(';', 1)[0]?.trim().toLowerCase()
  return type !== undefined && MEDIA_TYPE.test(type) ? type : undefined
}

function decode(each: FileInRequest, base64: string): Uint8Array {
  const wrong = (why: string) => refuseFile(each, 'base64', why)
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  if ((base64.length / 4) * 3 - padding > SENT_BYTES_MAX)
    throw wrong(`a file that is sent has at most ${SENT_BYTES_MAX} bytes. Give the url of a larger one.`)
  // RFC 4648 §4, with padding: anything else would be decoded to other bytes than intended.
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw wrong(
      'this is not base64: A to Z, a to z, 0 to 9, "+" and "/", filled up with "=", and no "data:" before it.',
    )
  return Buffer.from(base64, 'base64')
}

// For the whole process.
const inProcess = limitConcurrency(FETCHES_AT_ONCE_MAX)

/** The downloads of one request, bounded together in time and bytes, and stored as they arrive. */
class Fetching {
  readonly #blobs: Services['blobs']
  readonly #outgoing: Outgoing
  readonly #stopping = new AbortController()
  readonly #deadline = AbortSignal.timeout(FETCHES_MILLISECONDS_MAX)
  #bytes = 0

  constructor({ blobs, guard }: Pick<Services, 'blobs' | 'guard'>) {
    this.#blobs = blobs
    this.#outgoing = createOutgoing(guard)
  }

  stop(): void {
    this.#stopping.abort()
  }

  close(): Promise<void> {
    return this.#outgoing.close()
  }

  async keep(each: FileInRequest, url: string): Promise<StoredFile> {
    const signal = AbortSignal.any([this.#deadline, this.#stopping.signal])
    const wrong = (why: string, cause?: unknown) => refuseFile(each, 'url', why, cause)
    return inProcess(async () => {
      signal.throwIfAborted()
      return this.#outgoing.stream(
        url,
        { bytesMax: FETCHED_BYTES_MAX, deadlineMs: FETCH_MILLISECONDS_MAX, signal },
        answer => this.#take(each.file, answer),
      )
    }).catch(reason => {
      if (reason instanceof Failure) throw wrong(reason.message, reason)
      if (signal.aborted)
        throw wrong('the files of one request took too long altogether. Send fewer at once.')
      throw reason
    })
  }

  async #take(file: SentFile, { status, headers, body }: StreamedAnswer): Promise<StoredFile> {
    if (status !== 200)
      throw unavailable(
        'fetch_status',
        `the other server answered ${status}. Give the address of the file itself.`,
      )
    const { head, all } = await readHead(this.#counted(body), HEAD_BYTES)
    const about = describe(file, head, headers['content-type'])
    const { sha256, size } = await this.#blobs.put(all, { contentType: about.contentType })
    return { ...about, size, blob: sha256 }
  }

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#bytes += chunk.length
      if (this.#bytes > FETCHED_TOGETHER_BYTES_MAX)
        throw tooLarge(
          'fetched_too_large',
          `the files of one request have at most ${FETCHED_TOGETHER_BYTES_MAX} bytes altogether. Send fewer at once.`,
        )
      yield chunk
    }
  }
}
