// Everything that a person watches and may see. A role that was taken away hides what they watch there.
import { sql } from 'kysely'
import { type Person, RANK_ON_SPACE, spacesWithEffectiveRole } from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { WatchedThing } from './schema.ts'

type WatchedRow = {
  readonly id: string
  readonly space_id: string
  readonly page_id: string | null
  readonly change_request_id: string | null
  readonly watched_at: Date
  readonly organization_id: string
  readonly space_title: string
  readonly page_title: string | null
  readonly number: number | null
  readonly subject: string | null
}

/** The spaces as an array, because PostgreSQL runs a subquery for each row as long as it has no statistics. */
const accessible = (db: Db, person: Person) => {
  const spaces = spacesWithEffectiveRole(db, person)
    .select('spaces.id')
    .where(
      sql<boolean>`spaces.id = any(array(select distinct space_id from watches where user_id = ${person.userId}))`,
    )
    .where(sql<boolean>`${RANK_ON_SPACE} > 0`)
  return sql<boolean>`watches.space_id = any(array(${spaces}))`
}

/** Newest first. */
export const listWatched = (db: Db, person: Person, query: PageQuery) =>
  page(
    db
      .selectFrom('watches')
      .select(['space_id', 'page_id', 'change_request_id', 'watched_at'])
      .select([
        sql<string>`concat_ws('/', watches.space_id, watches.page_id, watches.change_request_id)`.as('id'),
        sql<string>`(select organization_id from spaces where spaces.id = watches.space_id)`.as(
          'organization_id',
        ),
        sql<string>`(select title from spaces where spaces.id = watches.space_id)`.as('space_title'),
        sql<string | null>`(select live_pages.title from live_pages where live_pages.page_id = watches.page_id
          and live_pages.projection_id = (select projection_id from spaces where spaces.id = watches.space_id))`.as(
          'page_title',
        ),
        sql<number | null>`(select number from change_requests as one
          where one.id = watches.change_request_id)`.as('number'),
        sql<string | null>`(select subject from change_requests as one
          where one.id = watches.change_request_id)`.as('subject'),
      ])
      .where('watches.user_id', '=', person.userId)
      .where(accessible(db, person)),
    {
      question: { list: 'watched', user: person.userId },
      by: [
        ['watched_at', 'desc'],
        ['id', 'desc'],
      ],
      ...query,
    },
  )

export const toWatchedThing = (row: WatchedRow): WatchedThing => ({
  object: 'watched-thing',
  id: row.id,
  organization: row.organization_id,
  space: { id: row.space_id, title: row.space_title },
  ...(row.page_id === null
    ? {}
    : { page: { id: row.page_id, ...(row.page_title === null ? {} : { title: row.page_title }) } }),
  ...(row.change_request_id === null || row.number === null
    ? {}
    : { changeRequest: { id: row.change_request_id, number: row.number, subject: row.subject ?? '' } }),
  watchedAt: row.watched_at.toISOString(),
})
