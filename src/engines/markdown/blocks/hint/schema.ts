// `{% hint %}`: words set apart, in one of four styles.
import { type BlockSchema, HINT_STYLES, named, oneOf, optional, withDefault } from '../../schema/schema.ts'

export const hint = {
  tags: ['hint'],
  types: ['hint'],
  attributes: { style: withDefault(named(oneOf(HINT_STYLES), 'style', 'type'), 'info'), icon: optional },
  isPair: true,
  holds: ['hint'],
  standsIn: ['page', 'section', 'list-item', 'expandable'],
} as const satisfies BlockSchema
