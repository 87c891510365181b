// SQL over the templates of organizations.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { NEWEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { TemplateFiles, Templates } from '../../platform/db/tables.ts'
import type { StoredFile } from '../edits/request/new-files.ts'
import type { Template } from './template.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'template_files.dimensions': NonNullable<StoredFile['dimensions']>
  }
}

/** Without its content, which may be long. */
const COLUMNS = [
  ...(['id', 'organization_id', 'title', 'description', 'space_id', 'pages', 'content_refs'] as const),
  ...(['created_by', 'created_at', 'updated_at'] as const),
] as const
export type TemplateRow = Pick<Selectable<Templates>, (typeof COLUMNS)[number]>

/** Newest first. */
export const listTemplates = (db: Db, organizationId: string, query: PageQuery) =>
  page(db.selectFrom('templates').select(COLUMNS).where('organization_id', '=', organizationId), {
    question: { list: 'templates', organization: organizationId },
    by: NEWEST_FIRST,
    ...query,
  })

export const findTemplate = (
  db: Db | Trx,
  organizationId: string,
  id: string,
): Promise<TemplateRow | undefined> =>
  db
    .selectFrom('templates')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The row, locked until the transaction ends. */
export const lockTemplate = (
  trx: Trx,
  organizationId: string,
  id: string,
): Promise<TemplateRow | undefined> =>
  trx
    .selectFrom('templates')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const countTemplates = (trx: Trx, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('templates').where('organization_id', '=', organizationId))

export async function insertTemplate(
  trx: Trx,
  row: Omit<Insertable<Templates>, 'content'>,
  { pages, reusables, files }: Template,
): Promise<TemplateRow> {
  const content = Buffer.from(JSON.stringify({ pages, reusables }))
  const inserted = await trx
    .insertInto('templates')
    .values({ ...row, content })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  if (files.size > 0)
    await trx
      .insertInto('template_files')
      .values([...files].map(([ref, kept]) => toFileRow(inserted.id, ref, kept)))
      .execute()
  return inserted
}

const toFileRow = (
  template: string,
  ref: string,
  { name, contentType, size, dimensions, blob }: StoredFile,
): Insertable<TemplateFiles> => ({
  template_id: template,
  ref,
  name,
  content_type: contentType,
  size,
  dimensions: dimensions === undefined ? null : JSON.stringify(dimensions),
  blob_hash: Buffer.from(blob, 'hex'),
})

export async function readTemplate(
  db: Db,
  organizationId: string,
  id: string,
): Promise<Template | undefined> {
  const row = await db
    .selectFrom('templates')
    .select('content')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const rows = await db.selectFrom('template_files').selectAll().where('template_id', '=', id).execute()
  const files = rows.map(({ ref, name, content_type, size, dimensions, blob_hash }) => {
    const kept: StoredFile = {
      name,
      contentType: content_type,
      size: Number(size),
      blob: blob_hash.toString('hex'),
      ...(dimensions === null ? {} : { dimensions }),
    }
    return [ref, kept] as const
  })
  const { pages, reusables }: Omit<Template, 'files'> = JSON.parse(row.content.toString('utf8'))
  return { pages, reusables, files: new Map(files) }
}

export const updateTemplate = (trx: Trx, id: string, change: Updateable<Templates>): Promise<TemplateRow> =>
  trx.updateTable('templates').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()

export const deleteTemplate = (trx: Trx, id: string) =>
  trx.deleteFrom('templates').where('id', '=', id).execute()
