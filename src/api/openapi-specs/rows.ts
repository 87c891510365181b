// SQL over OpenAPI specifications and their versions.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { SpecSight } from '../../access/spec-sight.ts'
import { sha256 } from '../../base/canonical.ts'
import { OUTLINE_KEY, type StoredPart } from '../../compute/specification-parts.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { OpenapiSpecs, OpenapiVersions } from '../../platform/db/tables.ts'
import { isStorable } from '../../platform/db/text.ts'
import { inflate } from './bodies.ts'
import type { OpenAPISpec } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'openapi_specs.last_errors': NonNullable<OpenAPISpec['lastProcessedErrors']>
    'openapi_specs.last_error_code': OpenAPISpec['lastProcessErrorCode'] & {}
    'openapi_specs.state': OpenAPISpec['processingState']
    'openapi_specs.visibility': OpenAPISpec['visibility']
  }
}

/** Without the text, which may be long. */
const SPEC_COLUMNS = [
  ...(['id', 'organization_id', 'slug', 'source_url', 'visibility', 'state', 'last_version'] as const),
  ...(['last_processed_at', 'last_error_code', 'last_errors', 'created_at', 'updated_at'] as const),
  ...(['source_number', 'unanswered'] as const),
] as const
export type SpecRow = Pick<Selectable<OpenapiSpecs>, (typeof SPEC_COLUMNS)[number]>

/** Without the document. */
const VERSION_COLUMNS = ['id', 'spec_id', 'format', 'created_at'] as const
export type VersionRow = Pick<Selectable<OpenapiVersions>, (typeof VERSION_COLUMNS)[number]>

/** Newest first. */
export const listSpecs = (db: Db, organizationId: string, query: PageQuery) =>
  page(db.selectFrom('openapi_specs').select(SPEC_COLUMNS).where('organization_id', '=', organizationId), {
    question: { list: 'openapi', organization: organizationId },
    by: NEWEST_FIRST,
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

/** The text of its source; undefined if it has none. */
export async function findText(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('openapi_specs')
    .select(['source_body', 'is_deflated'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.source_body === null) return undefined
  return (await inflate(row.source_body, row.is_deflated)).toString('utf8')
}

/** The row, locked until the transaction ends. */
export const lockSpec = (trx: Trx, organizationId: string, slug: string): Promise<SpecRow | undefined> =>
  trx
    .selectFrom('openapi_specs')
    .select(SPEC_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst()

/** Undefined if the slug is taken. */
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

/** Undefined if its source was replaced since, or it was deleted. */
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

export const countSpecs = (trx: Trx, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('openapi_specs').where('organization_id', '=', organizationId))

/** Newest first. */
export const listVersions = (db: Db, specId: string, query: PageQuery) =>
  page(db.selectFrom('openapi_versions').select(VERSION_COLUMNS).where('spec_id', '=', specId), {
    question: { list: 'openapiVersions', spec: specId },
    by: NEWEST_FIRST,
    ...query,
  })

export const findVersion = (db: Db, specId: string, id: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('openapi_versions')
    .select(VERSION_COLUMNS)
    .where('spec_id', '=', specId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The whole document as JSON. */
export async function findDocument(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('openapi_versions')
    .select(['document', 'is_deflated'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && inflate(row.document, row.is_deflated)
}

/** As it was written. */
export async function findRaw(db: Db, id: string): Promise<{ text: string; format: string } | undefined> {
  const row = await db
    .selectFrom('openapi_versions')
    .select(['raw', 'format', 'is_deflated'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { text: (await inflate(row.raw, row.is_deflated)).toString('utf8'), format: row.format }
}

export async function findHash(db: Db, versionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('openapi_versions')
    .select('hash')
    .where('id', '=', versionId)
    .executeTakeFirst()
  return row?.hash.toString('hex')
}

export const insertVersion = (db: Db, row: Insertable<OpenapiVersions>) =>
  db.insertInto('openapi_versions').values(row).execute()

/** Unless it was published. */
export const removeVersion = (db: Db, { id, last_version }: SpecRow, versionId: string) =>
  db
    .deleteFrom('openapi_versions')
    .where('spec_id', '=', id)
    .where('id', '=', versionId)
    .where('id', 'is distinct from', last_version)
    .execute()

/** Versions that were written after the last one and never published, except this one. */
export const removeUnpublished = (trx: Trx, { id, last_version }: SpecRow, versionId: string) =>
  sql`delete from openapi_versions where spec_id = ${id} and id <> ${versionId} and created_at > coalesce(
    (select created_at from openapi_versions where id = ${last_version}), '-infinity')`.execute(trx)

/** Those beyond the newest `kept`. */
export const removeOldVersions = (trx: Trx, specId: string, kept: number) =>
  sql`delete from openapi_versions where spec_id = ${specId} and id not in (
    select id from openapi_versions where spec_id = ${specId} order by created_at desc, id desc limit ${kept})`.execute(
    trx,
  )

/** Specifications with an address, last processed before `before`, or due again because it did not answer. */
export const listUnrefreshed = (
  db: Db,
  { before, now }: { readonly before: Date; readonly now: Date },
  limit: number,
): Promise<Pick<SpecRow, 'id' | 'organization_id'>[]> =>
  db
    .selectFrom('openapi_specs')
    .select(['id', 'organization_id'])
    .where('source_url', 'is not', null)
    .where(eb =>
      eb.or([
        eb.and([
          eb('next_attempt_at', 'is', null),
          eb(sql<Date>`coalesce(last_processed_at, updated_at)`, '<', before),
        ]),
        eb('next_attempt_at', '<=', now),
      ]),
    )
    .orderBy(sql`coalesce(next_attempt_at, last_processed_at, updated_at)`)
    .limit(limit)
    .execute()

// Rows in one statement: longer ones would block the database.
const PARTS_AT_ONCE = 50

/** In order, so that the last exists only once all do. */
export async function insertParts(db: Db, versionId: string, parts: readonly StoredPart[]): Promise<void> {
  for (let at = 0; at < parts.length; at += PARTS_AT_ONCE)
    await db
      .insertInto('openapi_parts')
      .values(
        parts.slice(at, at + PARTS_AT_ONCE).map(({ key, body }) => ({
          version_id: versionId,
          key: Buffer.from(key, 'hex'),
          body: Buffer.from(body),
        })),
      )
      .onConflict(conflict => conflict.columns(['version_id', 'key']).doNothing())
      .execute()
}

/** Those of other versions of the specification: pages show the newest. */
export const removePartsOfOthers = (db: Db, specId: string, versionId: string) =>
  sql`delete from openapi_parts where version_id in (
    select id from openapi_versions where spec_id = ${specId} and id <> ${versionId})`.execute(db)

/** Whether all parts are written: the outline is the last. */
export async function hasParts(db: Db, versionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('openapi_parts')
    .select('version_id')
    .where('version_id', '=', versionId)
    .where('key', '=', Buffer.from(OUTLINE_KEY, 'hex'))
    .executeTakeFirst()
  return row !== undefined
}

/** A specification that pages refer to, with the version that they show. */
export type NamedSpec = {
  readonly slug: string
  readonly sourceUrl: string | null
  readonly version: string | null
  /** Its id, if it is public. */
  readonly publicId: string | null
}

/** Whether readers of the space may be shown the specification under its `column`. */
const isShown = (spaceId: string, sight: SpecSight, column: 'slug' | 'source_url') =>
  sight === 'everything'
    ? sql<boolean>`true`
    : sql<boolean>`(visibility = 'public' or exists (select from published_references
        where space_id = ${spaceId} and kind = 'openapi' and name = ${sql.ref(column)}))`

/**
 * Of the space's organization, by slug or source address. What `sight` does not reach is left out, as if it did not
 * exist.
 */
export async function listNamed(
  db: Db,
  spaceId: string,
  names: readonly string[],
  sight: SpecSight,
): Promise<NamedSpec[]> {
  const wanted = [...new Set(names)].filter(isStorable)
  const isNamed = (column: 'slug' | 'source_url') =>
    sql<boolean>`(${sql.ref(column)} = any(${wanted}::text[]) and ${isShown(spaceId, sight, column)})`
  const rows = await db
    .selectFrom('openapi_specs')
    .select(['id', 'slug', 'source_url', 'last_version', 'visibility'])
    .where('organization_id', '=', eb =>
      eb.selectFrom('spaces').select('organization_id').where('id', '=', spaceId),
    )
    .where(eb => eb.or([isNamed('slug'), isNamed('source_url')]))
    .orderBy('created_at')
    .execute()
  return rows.map(row => ({
    slug: row.slug,
    sourceUrl: row.source_url,
    version: row.last_version,
    publicId: row.visibility === 'public' ? row.id : null,
  }))
}

/** Changes whenever pages of the space may show something else of specifications; '' if they can show none. */
export async function findVersionsDigest(
  db: Db,
  space: { readonly id: string; readonly organization_id: string },
  sight: SpecSight,
): Promise<string> {
  const rows = await db
    .selectFrom('openapi_specs')
    .select(['slug', 'source_url', 'last_version', 'visibility'])
    .where('organization_id', '=', space.organization_id)
    .where(eb => eb.or([isShown(space.id, sight, 'slug'), isShown(space.id, sight, 'source_url')]))
    .orderBy('id')
    .execute()
  return rows.length === 0
    ? ''
    : sha256(
        JSON.stringify(
          rows.map(({ slug, source_url, last_version, visibility }) => [
            slug,
            source_url,
            last_version,
            visibility,
          ]),
        ),
      )
}

/** Bodies by `version key`. */
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
