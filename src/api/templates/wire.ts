// Converts rows of templates to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { TemplateRow } from './rows.ts'
import type { Template } from './schema.ts'

export const toTemplate = (urls: Urls, row: TemplateRow): Template => ({
  object: 'template',
  id: row.id,
  title: row.title,
  ...(row.description === '' ? {} : { description: row.description }),
  pages: row.pages,
  contentRefs: row.content_refs,
  ...(row.space_id === null ? {} : { space: row.space_id }),
  ...(row.created_by === null ? {} : { createdBy: row.created_by }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: { location: urls.api(`/orgs/${row.organization_id}/templates/${row.id}`) },
})
