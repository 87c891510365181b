// SQL over reviews.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { page } from '../../platform/db/page.ts'
import type { Reviews } from '../../platform/db/tables.ts'
import type { Person } from '../accounts/wire.ts'
import { personJson } from '../change-requests/rows.ts'
import type { ListReviews } from './schema.ts'

/** A review with its people. */
export type ReviewRow = Selectable<Reviews> & { readonly reviewer: Person; readonly requester: Person | null }

const selectReviews = (db: Db | Trx, changeRequestId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('users as reviewers', 'reviewers.id', 'reviews.reviewer_id')
    .leftJoin('users as requesters', 'requesters.id', 'reviews.requested_by')
    .selectAll('reviews')
    .select(personJson('reviewers').as('reviewer'))
    .select(
      sql<Person | null>`case when requesters.id is null then null else ${personJson('requesters')} end`.as(
        'requester',
      ),
    )
    .where('reviews.change_request_id', '=', changeRequestId)

/** Newest first. */
export function listReviews(db: Db, changeRequestId: string, { outdated, format: _, ...query }: ListReviews) {
  const reviews = selectReviews(db, changeRequestId)
  return page(outdated === undefined ? reviews : reviews.where('reviews.outdated', '=', outdated), {
    question: { list: 'reviews', changeRequest: changeRequestId, outdated: outdated ?? null },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })
}

export const findReview = (
  db: Db | Trx,
  changeRequestId: string,
  id: string,
): Promise<ReviewRow | undefined> =>
  selectReviews(db, changeRequestId).where('reviews.id', '=', id).executeTakeFirst()

/** Those of these reviews that the change request has. */
export const findReviews = (
  db: Db | Trx,
  changeRequestId: string,
  ids: readonly string[],
): Promise<ReviewRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : selectReviews(db, changeRequestId)
        .where(sql<boolean>`reviews.id = any(${[...ids]}::text[])`)
        .execute()

/** The database sets both times, at the moment of the insert: see `insertRevision`. */
export const insertReview = (trx: Trx, row: Omit<Insertable<Reviews>, 'created_at' | 'updated_at'>) =>
  trx
    .insertInto('reviews')
    .values({ ...row, created_at: sql<Date>`clock_timestamp()`, updated_at: sql<Date>`clock_timestamp()` })
    .execute()

/** Marks the current reviews of these people as outdated by a newer review or request. */
export const updateToOutdated = (trx: Trx, changeRequestId: string, reviewerIds: readonly string[]) =>
  trx
    .updateTable('reviews')
    .set({ outdated: true, updated_at: sql<Date>`clock_timestamp()` })
    .where('change_request_id', '=', changeRequestId)
    .where(sql<boolean>`reviewer_id = any(${[...reviewerIds]}::text[])`)
    .where('outdated', '=', false)
    .execute()
