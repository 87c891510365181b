// Uploads: files that are sent ahead, as bytes, and inserted by a later request. They are streamed to the blob store,
// whatever their size. Their sender can use them for a day, in that space.
import { type Selectable, sql } from 'kysely'
import { conflict, unavailable } from '../../../base/errors.ts'
import type { Services } from '../../../http/context.ts'
import type { SignedInContext, UploadBody } from '../../../http/operation.ts'
import { blobTooLarge } from '../../../platform/blobs/store.ts'
import type { Db, Trx } from '../../../platform/db/database.ts'
import type { Uploads } from '../../../platform/db/tables.ts'
import { createUploadPlaces, UPLOADS_AT_ONCE_MAX, UPLOADS_OF_ONE_MAX } from './upload-places.ts'

/** Uploads per person and space that wait to be inserted. */
const UPLOADS_MAX = 100
/** How long an upload is kept. */
export const UPLOAD_HOURS = 24

const EXPIRED_BEFORE = sql<Date>`now() - make_interval(hours => ${UPLOAD_HOURS})`

export type UploadRow = Pick<Selectable<Uploads>, 'id' | 'blob_hash' | 'content_type' | 'created_at'>
export type Uploaded = { readonly row: UploadRow; readonly size: number }

type Owner = { readonly spaceId: string; readonly userId: string }

const places = createUploadPlaces(UPLOADS_AT_ONCE_MAX, UPLOADS_OF_ONE_MAX)

/**
 * Stores the bytes under a name chosen by their sender; an earlier upload of that name is replaced.
 *
 * @throws Failure too_large `blob_too_large`; invalid `blob_hash_wrong`; conflict `too_many_uploads`; unavailable
 * `uploads_busy`, `client_left`.
 */
export async function keepUpload(
  { db, blobs, config, principal }: SignedInContext,
  spaceId: string,
  id: string,
  { bytes, size, contentType }: UploadBody,
  sha256: string | undefined,
): Promise<Uploaded> {
  const owner = { spaceId, userId: principal.user.id }
  const bytesMax = config.fileBytesMax
  if (size !== undefined && size > bytesMax) throw blobTooLarge(bytesMax)
  await requirePlace(db, owner, id)
  if (!places.take(owner.userId))
    throw unavailable('uploads_busy', 'Too many files are sent at once. Try again in a few seconds.')
  try {
    const kept = await blobs.put(bytes, {
      contentType: 'application/octet-stream',
      bytesMax,
      ...(sha256 === undefined ? {} : { sha256 }),
    })
    const values = {
      blob_hash: Buffer.from(kept.sha256, 'hex'),
      content_type: contentType ?? null,
      created_at: sql<Date>`now()`,
      used_at: null,
    }
    const row = await db
      .insertInto('uploads')
      .values({ space_id: spaceId, user_id: owner.userId, id, ...values })
      .onConflict(known => known.columns(['user_id', 'space_id', 'id']).doUpdateSet(values))
      .returning(['id', 'blob_hash', 'content_type', 'created_at'])
      .executeTakeFirstOrThrow()
    return { row, size: kept.size }
  } finally {
    places.giveBack(owner.userId)
  }
}

async function requirePlace(db: Db, { spaceId, userId }: Owner, id: string): Promise<void> {
  const { count } = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', userId)
    .where('space_id', '=', spaceId)
    .where('id', '<>', id)
    .where('used_at', 'is', null)
    .where('created_at', '>', EXPIRED_BEFORE)
    .executeTakeFirstOrThrow()
  if (Number(count) >= UPLOADS_MAX)
    throw conflict(
      'too_many_uploads',
      `${UPLOADS_MAX} files that you sent to this space wait to be inserted. Insert them first, or use one of their names.`,
    )
}

/** A user's uploads to a space, by name. */
export async function findUploads(
  db: Db,
  { spaceId, userId }: Owner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UploadRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'blob_hash', 'content_type', 'created_at'])
    .where('user_id', '=', userId)
    .where('space_id', '=', spaceId)
    .where('id', 'in', ids)
    .where('created_at', '>', EXPIRED_BEFORE)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Records that the uploads are inserted, in the transaction that inserts them. One that was sent again after it was
 * read may have other bytes, and still waits.
 */
export async function markUploadsUsed(
  trx: Trx,
  { spaceId, userId }: Owner,
  used: readonly UploadRow[],
): Promise<void> {
  if (used.length === 0) return
  // One statement: its trigger takes the blobs in order.
  await trx
    .updateTable('uploads')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('space_id', '=', spaceId)
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('id', 'blob_hash'),
        'in',
        used.map(({ id, blob_hash }) => tuple(id, blob_hash)),
      ),
    )
    .where('used_at', 'is', null)
    .execute()
}

/** Removes expired uploads; their bytes follow a day later, if nothing else names them. */
export const removeOldUploads = ({ db }: Pick<Services, 'db'>) =>
  db.deleteFrom('uploads').where('created_at', '<', EXPIRED_BEFORE).execute()
