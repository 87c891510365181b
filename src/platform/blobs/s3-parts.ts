// A large object in parts (multipart upload): no request is larger than a part, a failed part is sent again alone,
// and an interrupted put resumes. An object is named by the hash of its bytes, so equally sized parts under its name
// are parts of the same bytes, whichever process sent them: the bucket has checked the hash of each.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { sha256 as hashOf } from '../../base/canonical.ts'
import { unavailable } from '../../base/errors.ts'
import { drain, element, readText, type S3Requests } from './s3-requests.ts'

/** Per object, by the protocol. */
const PARTS_MAX = 10_000
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
// Per cleanup, so that it ends; the next one handles the others.
const ABANDONED_MAX = 1_000

type File = { readonly path: string; readonly size: number; readonly contentType: string }
type KnownParts = ReadonlyMap<number, { readonly etag: string; readonly size: number }>
type Part = { readonly number: number; readonly etag: string }

/** The bytes of a file under `key`, which has to name them. @throws Failure unavailable `blobs_unavailable` */
export async function putInParts(
  requests: S3Requests,
  key: string,
  file: File,
  partBytes: number,
): Promise<void> {
  const size = Math.max(partBytes, Math.ceil(file.size / PARTS_MAX))
  const begun = await findUpload(requests, key)
  const uploadId = begun ?? (await beginUpload(requests, key, file))
  const known: KnownParts = begun === undefined ? new Map() : await listParts(requests, key, begun)
  const parts: Part[] = []
  for (let start = 0, number = 1; start < file.size; start += size, number += 1) {
    const length = Math.min(size, file.size - start)
    const there = known.get(number)
    const etag =
      there?.size === length
        ? there.etag
        : await putPart(requests, { key, uploadId, number }, { path: file.path, start, length })
    parts.push({ number, etag })
  }
  await complete(requests, key, uploadId, parts)
}

/**
 * The answers of a service that lists no uploads, or not to this key (403: a key may have rights to objects alone).
 * Then each put starts from the beginning.
 */
const UNLISTED = [400, 403, 405, 501]

/** The latest unfinished upload. */
async function findUpload(requests: S3Requests, key: string): Promise<string | undefined> {
  const query = { uploads: '', prefix: key }
  const answer = await requests.ask({ method: 'GET', query, expected: [200, ...UNLISTED] })
  const uploads = (await readText(answer, ANSWER_BYTES_MAX)).split('<Upload>').slice(1)
  return uploads
    .filter(upload => element(upload, 'Key') === key)
    .sort((a, b) => (element(a, 'Initiated') < element(b, 'Initiated') ? 1 : -1))
    .map(upload => element(upload, 'UploadId'))[0]
}

async function beginUpload(requests: S3Requests, key: string, { contentType }: File): Promise<string> {
  const headers = { 'content-type': contentType }
  const answer = await requests.ask({ method: 'POST', key, query: { uploads: '' }, headers, expected: [200] })
  return element(await readText(answer, ANSWER_BYTES_MAX), 'UploadId')
}

async function listParts(requests: S3Requests, key: string, uploadId: string): Promise<KnownParts> {
  const parts = new Map<number, { readonly etag: string; readonly size: number }>()
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const query = { uploadId, 'part-number-marker': after }
    const answer = await requests.ask({ method: 'GET', key, query, expected: [200, 404, ...UNLISTED] })
    const text = await readText(answer, ANSWER_BYTES_MAX)
    // If another process has ended it, completing it fails and says so.
    if (answer.status !== 200) return parts
    for (const part of text.split('<Part>').slice(1))
      parts.set(Number(element(part, 'PartNumber')), {
        etag: element(part, 'ETag'),
        size: Number(element(part, 'Size')),
      })
    const isCut = element(text, 'IsTruncated') === 'true'
    after = isCut ? element(text, 'NextPartNumberMarker') || undefined : undefined
  }
  return parts
}

async function putPart(
  requests: S3Requests,
  { key, uploadId, number }: { key: string; uploadId: string; number: number },
  { path, start, length }: { path: string; start: number; length: number },
): Promise<string> {
  const read = () => createReadStream(path, { start, end: start + length - 1 })
  const hash = createHash('sha256')
  for await (const chunk of read()) hash.update(chunk)
  const answer = await requests.ask({
    ...{ method: 'PUT', key, query: { partNumber: String(number), uploadId } },
    headers: { 'content-length': String(length) },
    body: { sha256: hash.digest('hex'), size: length, open: read },
    expected: [200],
  })
  await drain(answer)
  return answer.headers.etag ?? ''
}

async function complete(
  requests: S3Requests,
  key: string,
  uploadId: string,
  parts: readonly Part[],
): Promise<void> {
  const list = parts.map(
    ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  )
  const xml = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  const answer = await requests.ask({
    ...{ method: 'POST', key, query: { uploadId } },
    headers: { 'content-type': 'application/xml', 'content-length': String(xml.length) },
    body: { sha256: hashOf(xml), size: xml.length, open: () => xml },
    expected: [200, 404],
  })
  const text = await readText(answer, ANSWER_BYTES_MAX)
  // S3 answers 200 before it knows the result, and 404 if another put of the same bytes was faster.
  const isDone = answer.status === 200 && !text.includes('<Error>')
  if (isDone || (answer.status === 404 && (await isThere(requests, key)))) return
  const message = 'The file store could not assemble a large file. Send it again.'
  throw unavailable('blobs_unavailable', message, new Error(`S3 answered ${answer.status}: ${text}`))
}

async function isThere(requests: S3Requests, key: string): Promise<boolean> {
  const answer = await requests.ask({ method: 'HEAD', key, expected: [200, 404] })
  await drain(answer)
  return answer.status === 200
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Removes the parts of abandoned puts that began before `before`: a bucket keeps and counts them. */
export async function abandonParts(requests: S3Requests, prefix: string, before: Date): Promise<void> {
  const query = { uploads: '', prefix, 'max-uploads': String(ABANDONED_MAX) }
  const answer = await requests.ask({ method: 'GET', query, expected: [200, ...UNLISTED] })
  const text = await readText(answer, ANSWER_BYTES_MAX)
  for (const upload of text.split('<Upload>').slice(1)) {
    const key = element(upload, 'Key')
    // An upload without a date may be under way.
    const isOld = new Date(element(upload, 'Initiated')) < before
    if (!key.startsWith(prefix) || !isOld) continue
    const uploadId = element(upload, 'UploadId')
    // A key without the right to end uploads does not stop the sweep.
    const expected = [204, 200, 404, 403]
    await drain(await requests.ask({ method: 'DELETE', key, query: { uploadId }, expected }))
  }
}
