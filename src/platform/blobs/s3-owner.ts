// The owner of a bucket: an object in it names the only installation that may remove files from it. Another one would
// remove files that it does not know.
import { sha256 as hashOf } from '../../base/canonical.ts'
import { conflict, unavailable } from '../../base/errors.ts'
import { drain, readText, type S3Requests } from './s3-requests.ts'

const OWNER_BYTES_MAX = 1024

/** `signal` ends the wait for an answer. */
type OwnerObject = { readonly key: string; readonly signal?: AbortSignal | undefined }

/**
 * Makes the installation the owner of the bucket, if it has none.
 *
 * @throws Failure conflict `bucket_taken`; unavailable `blobs_unavailable`.
 */
export async function claimBucket(
  requests: S3Requests,
  place: OwnerObject,
  installation: string,
): Promise<void> {
  const { key } = place
  if ((await readOwner(requests, place)) === undefined) await writeOwner(requests, place, installation)
  // Read back after the write: of two simultaneous claims one finds the other, even if the service supports no
  // conditions.
  const owner = await readOwner(requests, place)
  if (owner === installation) return
  if (owner === undefined)
    throw unavailable('blobs_unavailable', `The file store did not keep the object ${key}. Try again later.`)
  throw conflict(
    'bucket_taken',
    `The bucket for files belongs to another installation: its object ${key} names ${JSON.stringify(owner)}, and this one is ${JSON.stringify(installation)}. Two would remove each other\u2019s files. Give this one another bucket with OCTAVO_S3_BUCKET, and restore a backup into it if it needs files. Where it takes the place of the other, which will never run again, remove the object ${key} from the bucket and start again.`,
  )
}

async function readOwner(requests: S3Requests, { key, signal }: OwnerObject): Promise<string | undefined> {
  const answer = await requests.ask({ method: 'GET', key, ...heeding(signal), expected: [200, 404] })
  const text = await readText(answer, OWNER_BYTES_MAX)
  return answer.status === 404 ? undefined : text.trim()
}

const heeding = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

async function writeOwner(
  requests: S3Requests,
  { key, signal }: OwnerObject,
  installation: string,
): Promise<void> {
  const bytes = Buffer.from(installation)
  const put = async (headers: Readonly<Record<string, string>>, expected: readonly number[]) => {
    const answer = await requests.ask({
      ...{ method: 'PUT', key, ...heeding(signal) },
      headers: { 'content-type': 'text/plain', 'content-length': String(bytes.length), ...headers },
      body: { sha256: hashOf(bytes), size: bytes.length, open: () => bytes },
      expected,
    })
    await drain(answer)
    return answer.status
  }
  // Only if absent (RFC 9110 §13.1.2). 412 and 409: another process was faster; 501 and 400: this store supports no
  // conditions.
  const status = await put({ 'if-none-match': '*' }, [200, 400, 409, 412, 501])
  if (status === 400 || status === 501) await put({}, [200])
}
