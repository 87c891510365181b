// The wire of the glossary.
import { type Static, Type } from 'typebox'
import { DiscriminatedUnion } from '../../http/discriminated-union.ts'
import { dates, ListOf, model, named, OneOf, Paging, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

const OPERATIONS_MAX = 500
/** Per organization. */
export const ENTRIES_MAX = 10_000

const Translation = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\S\\n\\r]*\\S[^\\n\\r]*$',
  description: 'Neither blank nor with line breaks.',
})

export const GlossaryTranslations = named(
  'GlossaryTranslations',
  Type.Record(Type.String({ pattern: '^[a-z]{2,3}(?:-[a-z]{2})?$' }), Translation, {
    minProperties: 1,
    additionalProperties: false,
    examples: [{ en: 'change request', de: 'Änderungsantrag' }],
    description: 'The term in each language, by the code of the language: those of spaces.',
  }),
)
export type GlossaryTranslations = Static<typeof GlossaryTranslations>

const EntryId = RefTo('glossaryEntry')

const InsertGlossaryEntry = model('InsertGlossaryEntry', {
  type: Type.Literal('insert'),
  translations: GlossaryTranslations,
})
const UpdateGlossaryEntry = model('UpdateGlossaryEntry', {
  type: Type.Literal('update'),
  id: EntryId,
  translations: GlossaryTranslations,
})
const DeleteGlossaryEntry = model('DeleteGlossaryEntry', { type: Type.Literal('delete'), id: EntryId })

export const GlossaryBatchOperation = DiscriminatedUnion('type', [
  InsertGlossaryEntry,
  UpdateGlossaryEntry,
  DeleteGlossaryEntry,
])
export type GlossaryBatchOperation = Static<typeof GlossaryBatchOperation>

export const UpdateGlossary = Type.Object({
  operations: Type.Array(GlossaryBatchOperation, { maxItems: OPERATIONS_MAX }),
})
export type UpdateGlossary = Static<typeof UpdateGlossary>

export const GlossaryEntry = model('GlossaryEntry', {
  object: OneOf(['glossary-entry']),
  id: Type.String(),
  translations: GlossaryTranslations,
  ...dates,
  urls: Type.Object({ location: Url }),
})
export type GlossaryEntry = Static<typeof GlossaryEntry>

export const GlossaryEntries = ListOf(GlossaryEntry)
export const ListGlossaryEntries = Paging
