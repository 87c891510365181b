// `{% if … %}`: content under a condition.
import { type BlockSchema, withDefault, word } from '../../schema/schema.ts'

export const condition = {
  tags: ['if'],
  types: ['if'],
  attributes: {},
  argument: { name: 'expression', attribute: withDefault(word, '') },
  isPair: true,
  holds: ['page'],
  standsIn: ['page'],
} as const satisfies BlockSchema
