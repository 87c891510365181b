// SQL over webhooks.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { OLDEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { Webhooks } from '../../platform/db/tables.ts'

export type WebhookRow = Selectable<Webhooks>

/** What webhooks are for: a space, or an organization with all of its spaces. */
export type Of = { readonly organizationId: string; readonly spaceId: string | null }

const webhooksOf = (db: Db, { organizationId, spaceId }: Of) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(spaceId === null ? sql<boolean>`true` : sql<boolean>`space_id = ${spaceId}`)

export const findWebhook = (db: Db, of: Of, id: string): Promise<WebhookRow | undefined> =>
  webhooksOf(db, of).where('id', '=', id).executeTakeFirst()

export const findWebhooks = (db: Db, ids: readonly string[]): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute()

/** Oldest first. */
export const listWebhooks = (db: Db, of: Of, query: PageQuery) =>
  page(webhooksOf(db, of), {
    question: { list: 'webhooks', organization: of.organizationId, space: of.spaceId },
    by: OLDEST_FIRST,
    ...query,
  })

/** For an organization, without those of its spaces. */
export const countWebhooks = (trx: Trx, { organizationId, spaceId }: Of): Promise<number> =>
  countRows(
    trx
      .selectFrom('webhooks')
      .where('organization_id', '=', organizationId)
      .where('space_id', 'is not distinct from', spaceId),
  )

export const insertWebhook = (trx: Trx, row: Insertable<Webhooks>): Promise<WebhookRow> =>
  trx.insertInto('webhooks').values(row).returningAll().executeTakeFirstOrThrow()

/** The row, locked until the transaction ends. */
export const lockWebhook = (trx: Trx, id: string): Promise<WebhookRow | undefined> =>
  trx.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const updateWebhook = (trx: Trx, id: string, change: Updateable<Webhooks>): Promise<WebhookRow> =>
  trx.updateTable('webhooks').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const removeWebhook = (trx: Trx, id: string): Promise<WebhookRow | undefined> =>
  trx.deleteFrom('webhooks').where('id', '=', id).returningAll().executeTakeFirst()

export async function removeWebhooksOfSpaces(trx: Trx, spaceIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('webhooks')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
