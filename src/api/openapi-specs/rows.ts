// SQL over OpenAPI specifications and their versions.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type KeptPart, OUTLINE_KEY } from '../../compute/specification-parts.ts'
import type { Db, Trx } from '../../platform/db/open.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { OpenapiSpecs, OpenapiVersions } from '../../platform/db/tables.ts'

/** Without its text, which may be long. */
const SPEC_COLUMNS = [
  ...(['id', 'organization_id', 'slug', 'source_url', 'visibility', 'state', 'last_version'] as const),
  ...(['last_processed_at', 'last_error_code', 'last_errors', 'created_at', 'updated_at'] as const),
  'source_number',
] as const
export type SpecRow = Pick<Selectable<OpenapiSpecs>, (typeof SPEC_COLUMNS)[number]>

/** Without what it says. */
const VERSION_COLUMNS = ['id', 'spec_id', 'format', 'created_at'] as const
export type VersionRow = Pick<Selectable<OpenapiVersions>, (typeof VERSION_COLUMNS)[number]>

/** Newest first. */
export const listSpecs = (db: Db, organizationId: string, query: PageQuery) =>
  page(db.selectFrom('openapi_specs').select(SPEC_COLUMNS).where('organization_id', '=', organizationId), {
    question: { list: 'openapi', organization: organizationId },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const findSpec = (db: Db | Trx, organizationId: string, slug: string): Promise<SpecRow | undefined> =>
  db
    .selectFrom('openapi_specs')
    .select(SPEC_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()

export const findSpecById = (db: Db | Trx, id: string): Promise<SpecRow | undefined> =>
  db.selectFrom('openapi_specs').select(SPEC_COLUMNS).where('id', '=', id).executeTakeFirst()

export async function findText(db: Db, id: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('openapi_specs')
    .select('source_text')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.source_text
}

/** The row, waited for: nobody else writes it until this transaction has ended. */
export const lockSpec = (trx: Trx, organizationId: string, slug: string): Promise<SpecRow | undefined> =>
  trx
    .selectFrom('openapi_specs')
    .select(SPEC_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst()

/** Undefined where the slug is taken. */
export const insertSpec = (trx: Trx, row: Insertable<OpenapiSpecs>): Promise<SpecRow | undefined> =>
  trx
    .insertInto('openapi_specs')
    .values(row)
    .onConflict(conflict => conflict.columns(['organization_id', 'slug']).doNothing())
    .returning(SPEC_COLUMNS)
    .executeTakeFirst()

export const updateSpec = (
  trx: Db | Trx,
  id: string,
  change: Updateable<OpenapiSpecs>,
): Promise<SpecRow | undefined> =>
  trx.updateTable('openapi_specs').set(change).where('id', '=', id).returning(SPEC_COLUMNS).executeTakeFirst()

/** Only while its source is the one of this number: undefined where it was given anew, or is gone. */
export const updateReadSpec = (
  trx: Trx,
  id: string,
  sourceNumber: number,
  change: Updateable<OpenapiSpecs>,
): Promise<SpecRow | undefined> =>
  trx
    .updateTable('openapi_specs')
    .set(change)
    .where('id', '=', id)
    .where('source_number', '=', sourceNumber)
    .returning(SPEC_COLUMNS)
    .executeTakeFirst()

export const deleteSpec = (trx: Trx, id: string) =>
  trx.deleteFrom('openapi_specs').where('id', '=', id).execute()

export async function countSpecs(trx: Trx, organizationId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('openapi_specs')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export const listVersions = (db: Db, specId: string, query: PageQuery) =>
  page(db.selectFrom('openapi_versions').select(VERSION_COLUMNS).where('spec_id', '=', specId), {
    question: { list: 'openapiVersions', spec: specId },
    by: [
      ['created_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const findVersion = (db: Db, specId: string, id: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('openapi_versions')
    .select(VERSION_COLUMNS)
    .where('spec_id', '=', specId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findDocument = (db: Db, id: string): Promise<{ document: Buffer } | undefined> =>
  db.selectFrom('openapi_versions').select('document').where('id', '=', id).executeTakeFirst()

export const findRaw = (db: Db, id: string): Promise<{ raw: string; format: string } | undefined> =>
  db.selectFrom('openapi_versions').select(['raw', 'format']).where('id', '=', id).executeTakeFirst()

export async function findHash(trx: Trx, versionId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('openapi_versions')
    .select('hash')
    .where('id', '=', versionId)
    .executeTakeFirst()
  return row?.hash.toString('hex')
}

export const insertVersion = (trx: Trx, row: Insertable<OpenapiVersions>) =>
  trx.insertInto('openapi_versions').values(row).execute()

/** Of those beyond the newest `kept`. */
export const removeOldVersions = (trx: Trx, specId: string, kept: number) =>
  sql`delete from openapi_versions where spec_id = ${specId} and id not in (
    select id from openapi_versions where spec_id = ${specId} order by created_at desc, id desc limit ${kept})`.execute(
    trx,
  )

/** Specifications with an address that were last processed before this instant, or never. */
export async function listUnrefreshed(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('openapi_specs')
    .select('id')
    .where('source_url', 'is not', null)
    .where(sql<Date>`coalesce(last_processed_at, updated_at)`, '<', before)
    .orderBy(sql`coalesce(last_processed_at, updated_at)`)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

// Rows of parts that are written by one statement.
const PARTS_AT_ONCE = 200

/** In place of those of other versions of the specification: pages show the newest. */
export async function replaceParts(
  trx: Trx,
  specId: string,
  versionId: string,
  parts: readonly KeptPart[],
): Promise<void> {
  await sql`delete from openapi_parts where version_id in (
    select id from openapi_versions where spec_id = ${specId})`.execute(trx)
  for (let at = 0; at < parts.length; at += PARTS_AT_ONCE)
    await trx
      .insertInto('openapi_parts')
      .values(
        parts.slice(at, at + PARTS_AT_ONCE).map(({ key, body }) => ({
          version_id: versionId,
          key: Buffer.from(key, 'hex'),
          body: Buffer.from(body),
        })),
      )
      .execute()
}

/** Whether it was cut, as it is now. */
export async function hasParts(trx: Trx, versionId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('openapi_parts')
    .select('version_id')
    .where('version_id', '=', versionId)
    .where('key', '=', Buffer.from(OUTLINE_KEY, 'hex'))
    .executeTakeFirst()
  return row !== undefined
}

/** A specification as pages name it, with the version that they show. */
export type NamedSpec = {
  readonly slug: string
  readonly sourceUrl: string | null
  readonly version: string | null
  /** Its id, where anybody may read the whole. */
  readonly publicId: string | null
}

/** Of the organization of this space, by slug or by the address that they are read from. */
export async function listNamed(db: Db, spaceId: string, names: readonly string[]): Promise<NamedSpec[]> {
  const wanted = [...new Set(names)]
  const rows = await db
    .selectFrom('openapi_specs')
    .select(['id', 'slug', 'source_url', 'last_version', 'visibility'])
    .where('organization_id', '=', eb =>
      eb.selectFrom('spaces').select('organization_id').where('id', '=', spaceId),
    )
    .where(eb => eb.or([eb('slug', 'in', wanted), eb('source_url', 'in', wanted)]))
    .orderBy('created_at')
    .execute()
  return rows.map(row => ({
    slug: row.slug,
    sourceUrl: row.source_url,
    version: row.last_version,
    publicId: row.visibility === 'public' ? row.id : null,
  }))
}

/** Their bodies by version and key, `version key`. */
export async function findParts(
  db: Db,
  wanted: readonly (readonly [version: string, key: string])[],
): Promise<Map<string, Buffer>> {
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('openapi_parts')
    .select(['version_id', 'key', 'body'])
    .where(
      'version_id',
      'in',
      wanted.map(([version]) => version),
    )
    .where(
      'key',
      'in',
      wanted.map(([, key]) => Buffer.from(key, 'hex')),
    )
    .execute()
  return new Map(rows.map(row => [`${row.version_id} ${row.key.toString('hex')}`, row.body]))
}
