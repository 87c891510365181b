// Everything that names a person or that they wrote, as one JSON document, written as it is read: a section in memory
// is never more than ROWS_AT_ONCE rows.
import { type RawBuilder, sql } from 'kysely'
import type { UserRow } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { isObject } from '../../base/objects.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { VERSION } from '../../platform/version.ts'
import { type Row, readEventsAbout, readEventsBy } from './events.ts'
import { findOrganizationsActedIn } from './rows.ts'
import { SECTIONS, type Section } from './sections.ts'

// A description of a change request has up to 130 KB.
const ROWS_AT_ONCE = 100

/** The pieces of the document. The person may write meanwhile: each portion is of the moment at which it is read. */
export async function* writePerson({ db }: Pick<Services, 'db'>, user: UserRow): AsyncGenerator<string> {
  const { id, email, display_name, photo_url, created_at, email_verified_at } = user
  const account = { id, email, display_name, photo_url, created_at, email_verified_at }
  const head = { object: 'person-export', version: VERSION, madeAt: now(), account: toWire(account) }
  yield JSON.stringify(head).slice(0, -1)
  for (const section of SECTIONS) yield* writeList(section.name, readSection(db, section, id))
  yield* writeList('auditEvents', readEventsBy(db, id))
  yield* writeList('eventsAbout', readEventsAbout(db, id))
  yield '}\n'
}

async function* writeList(name: string, portions: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`
  let separator = '\n'
  for await (const rows of portions) {
    let piece = ''
    for (const row of rows) {
      piece += separator + JSON.stringify(toWire(row))
      separator = ',\n'
    }
    yield piece
  }
  yield ']'
}

/** Fields as the API names them; what a JSON column holds is left as it is. */
const toWire = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]),
  )

async function* readSection(db: Db, section: Section, userId: string): AsyncGenerator<readonly Row[]> {
  const { table, by, key, where, fields } = section
  const keys = sql.join(key.map(expression => sql.raw(expression)))
  const shown = fields.map(field => {
    const [name, expression] = typeof field === 'string' ? [field, `${table}.${field}`] : field
    return sql`${sql.raw(expression)} as ${sql.id(name)}`
  })
  let after: readonly string[] | undefined
  for (;;) {
    const conditions: RawBuilder<unknown>[] = [sql`${sql.ref(`${table}.${by}`)} = ${userId}`]
    if (where !== undefined) conditions.push(sql.raw(where))
    if (after !== undefined) conditions.push(sql`(${keys}) > (${sql.join(after)})`)
    const { rows } = await sql<{ key: string[]; row: Row }>`
      select array[${keys}]::text[] as key, ${sql.join(shown)} from ${sql.table(table)}
      where ${sql.join(conditions, sql` and `)} order by ${keys} limit ${ROWS_AT_ONCE}`.execute(db)
    yield rows.map(({ key: _, ...row }) => row)
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)?.key
  }
}

/** The number of rows in each section of an export, without empty ones. */
export async function countPerson({ db }: Pick<Services, 'db'>, userId: string): Promise<Row> {
  const counts: Record<string, number> = {}
  for (const { name, table, by } of SECTIONS) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)} where ${sql.ref(by)} = ${userId}`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) counts[name] = count
  }
  let events = 0
  for (const organizationId of await findOrganizationsActedIn(db, userId)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from events
      where organization_id = ${organizationId} and actor_id = ${userId}`.execute(db)
    events += rows[0]?.count ?? 0
  }
  return isObject(counts) && events > 0 ? { ...counts, auditEvents: events } : counts
}
