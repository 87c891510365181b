// A small S3 on loopback: one bucket in memory, path-style addresses. It recomputes the signature of every request and
// the hash of every body from the documentation of Signature Version 4, so that what it lets pass is signed right.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { now } from '../../src/base/clock.ts'

type StoredObject = { readonly bytes: Buffer; readonly contentType: string; readonly putAt: Date }

/** `at`: when it was begun. */
export type Upload = { readonly key: string; readonly at: Date; readonly parts: Map<number, Buffer> }

export interface S3Server {
  readonly settings: {
    readonly endpoint: string
    readonly bucket: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  }
  readonly objects: ReadonlyMap<string, StoredObject>
  /** Those in parts that were begun and not ended, by their ids. */
  readonly uploads: Map<string, Upload>
  /** `PUT /bucket/key`, in the order they came. */
  readonly requests: readonly string[]
  remove(key: string): void
  /** From now on it answers with whole objects, as some services do. */
  ignoreRanges(): void
  /** The next requests are answered so, one after the other; 0 closes the connection, null is no failure. */
  failNext(...statuses: (number | null)[]): void
  close(): Promise<void>
}

const PAGE_KEYS = 100
const PAGE_PARTS = 2

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>()
  const requests: string[] = []
  const failures: (number | null)[] = []
  const uploads = new Map<string, Upload>()
  const keys = { region: 'eu-test-1', accessKeyId: 'TESTKEY', secretAccessKey: 'test/secret+key' }
  const bucket = 'octavo-test'
  let knowsRanges = true

  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', 'http://s3')
    requests.push(`${request.method} ${url.pathname}`)
    const status = failures.shift() ?? undefined
    const refusal = refuse(request, url, body, keys)
    if (status === 0) request.socket.destroy()
    else if (status !== undefined) sendError(response, status, 'SlowDown')
    else if (refusal !== undefined) sendError(response, 403, refusal)
    else if (url.pathname === `/${bucket}` && url.searchParams.has('uploads')) listUploads(uploads, response)
    else if (url.pathname === `/${bucket}`) list(url, objects, response)
    else if (url.pathname.startsWith(`/${bucket}/`)) answerForKey(request, url, body, response)
    else sendError(response, 404, 'NoSuchBucket')
  }

  const answerForKey = (request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse): void => {
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2))
    const found = objects.get(key)
    const uploadId = url.searchParams.get('uploadId')
    if (request.method === 'POST' && uploadId === null) {
      const id = `upload-${uploads.size + 1}&`
      uploads.set(id, { key, at: now(), parts: new Map() })
      response.writeHead(200).end(`<Result><UploadId>${escapeXml(id)}</UploadId></Result>`)
    } else if (uploadId !== null) answerForUpload(request, url, body, response)
    else if (request.method === 'PUT' && request.headers['if-none-match'] === '*' && found !== undefined)
      sendError(response, 412, 'PreconditionFailed')
    else if (request.method === 'PUT') {
      objects.set(key, { bytes: body, contentType: request.headers['content-type'] ?? '', putAt: now() })
      response.writeHead(200, { etag: '"x"' }).end()
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (found === undefined) sendError(response, 404, 'NoSuchKey')
    else sendObject(request.method, knowsRanges ? request.headers.range : undefined, found, response)
  }

  const answerForUpload = (request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse) => {
    const id = url.searchParams.get('uploadId') as string
    const upload = uploads.get(id)
    if (upload === undefined) sendError(response, 404, 'NoSuchUpload')
    else if (request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      response.writeHead(200, { etag: `"${sha256(body)}"` }).end()
    } else if (request.method === 'DELETE') {
      uploads.delete(id)
      response.writeHead(204).end()
    } else if (request.method === 'GET') sendParts(url, upload.parts, response)
    else {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"/g)]
      const parts = named.map(([, number]) => upload.parts.get(Number(number)))
      const isRight = parts.every((part, i) => part !== undefined && sha256(part) === named[i]?.[2])
      if (!isRight) response.writeHead(200).end('<Error><Code>InvalidPart</Code></Error>')
      else {
        objects.set(upload.key, { bytes: Buffer.concat(parts as Buffer[]), contentType: '', putAt: now() })
        uploads.delete(id)
        response.writeHead(200).end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
      }
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => answer(request, Buffer.concat(chunks), response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket, ...keys },
    objects,
    requests,
    uploads,
    remove: key => void objects.delete(key),
    ignoreRanges() {
      knowsRanges = false
    },
    failNext(...statuses) {
      failures.push(...statuses)
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function sendObject(
  method: string | undefined,
  range: string | undefined,
  { bytes, contentType, putAt }: StoredObject,
  response: ServerResponse,
) {
  const headers = { 'content-type': contentType, 'last-modified': putAt.toUTCString() }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '')?.map(Number) ?? []
  if (first === undefined || last === undefined) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length })
    response.end(method === 'HEAD' ? undefined : bytes)
    return
  }
  if (first >= bytes.length) {
    sendError(response, 416, 'InvalidRange')
    return
  }
  const part = bytes.subarray(first, last + 1)
  const told = `bytes ${first}-${first + part.length - 1}/${bytes.length}`
  response.writeHead(206, { ...headers, 'content-range': told, 'content-length': part.length }).end(part)
}

function list(url: URL, objects: ReadonlyMap<string, StoredObject>, response: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const from = Buffer.from(url.searchParams.get('continuation-token') ?? '', 'base64').toString()
  const keys = [...objects.keys()].filter(key => key.startsWith(prefix) && key > from).sort()
  const page = keys.slice(0, PAGE_KEYS)
  const contents = page.map(key => {
    const { bytes, putAt } = objects.get(key) as StoredObject
    const modified = putAt.toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  // Tokens of real services hold characters that XML and query strings escape.
  const token = Buffer.from(page.at(-1) ?? '').toString('base64')
  const next = keys.length > page.length ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListBucketResult>${next}${contents.join('')}</ListBucketResult>`)
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;')

function listUploads(uploads: ReadonlyMap<string, Upload>, response: ServerResponse) {
  const all = [...uploads].map(
    ([id, { key, at }]) =>
      `<Upload><Key>${key}</Key><UploadId>${escapeXml(id)}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
  )
  response.writeHead(200).end(`<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`)
}

function sendParts(url: URL, parts: ReadonlyMap<number, Buffer>, response: ServerResponse) {
  const after = Number(url.searchParams.get('part-number-marker') ?? 0)
  const rest = [...parts].filter(([number]) => number > after).sort(([a], [b]) => a - b)
  const page = rest.slice(0, PAGE_PARTS)
  const items = page.map(
    ([number, bytes]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>"${sha256(bytes)}"</ETag><Size>${bytes.length}</Size></Part>`,
  )
  const last = page.at(-1)?.[0] ?? 0
  const more = `<IsTruncated>${rest.length > page.length}</IsTruncated><NextPartNumberMarker>${last}</NextPartNumberMarker>`
  response.writeHead(200).end(`<ListPartsResult>${more}${items.join('')}</ListPartsResult>`)
}

function sendError(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
}

type Keys = { readonly region: string; readonly accessKeyId: string; readonly secretAccessKey: string }

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The error code for a request that is not signed with these keys, or whose body is not the signed one. */
function refuse(
  { method, headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  keys: Keys,
): string | undefined {
  const [, accessKeyId, day = '', region, signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== keys.region) return 'AuthorizationHeaderMalformed'
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date']) {
    if (!signedHeaders.split(';').includes(needed)) return 'AccessDenied'
  }
  const query = [...url.searchParams]
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .sort()
  const canonical = [
    method,
    url.pathname,
    query.join('&'),
    ...signedHeaders.split(';').map(name => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${keys.secretAccessKey}`, day))
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
