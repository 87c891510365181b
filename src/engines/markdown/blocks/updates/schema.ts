// `{% updates %}` and `{% update %}`: a changelog.
import { type BlockSchema, DATE_FORMATS, oneOf, required, tags, withDefault } from '../../schema/schema.ts'

export const updates = {
  tags: ['updates'],
  types: ['updates'],
  attributes: { format: withDefault(oneOf(DATE_FORMATS), 'full') },
  isPair: true,
  item: 'update',
  standsIn: ['page'],
} as const satisfies BlockSchema

export const update = {
  tags: ['update'],
  types: ['update'],
  attributes: { date: withDefault(required, ''), tags },
  words: ['date', 'tags'],
  isPair: true,
  container: 'updates',
  holds: ['page'],
  standsIn: [],
} as const satisfies BlockSchema
