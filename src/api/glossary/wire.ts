// Converts rows of glossary entries to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { EntryRow } from './rows.ts'
import type { GlossaryEntry } from './schema.ts'

export const toEntry = (urls: Urls, row: EntryRow): GlossaryEntry => ({
  object: 'glossary-entry',
  id: row.id,
  translations: row.translations,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  urls: { location: urls.api(`/orgs/${row.organization_id}/translations-glossary/${row.id}`) },
})
