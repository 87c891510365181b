// `{% columns %}` and `{% column %}`.
import { type BlockSchema, flag, length, named, oneOf, VERTICAL_ALIGNMENTS } from '../../schema/schema.ts'

export const columns = {
  tags: ['columns'],
  types: ['columns'],
  attributes: { fullWidth: flag },
  isPair: true,
  item: 'column',
  standsIn: ['page'],
} as const satisfies BlockSchema

export const column = {
  tags: ['column'],
  types: ['column'],
  attributes: {
    width: length,
    verticalAlignment: named(oneOf(VERTICAL_ALIGNMENTS), 'valign', 'verticalAlignment'),
  },
  isPair: true,
  container: 'columns',
  holds: ['section', 'column'],
  standsIn: [],
} as const satisfies BlockSchema
