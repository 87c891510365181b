// `{% embed %}`: something on the web.
import { address, type BlockSchema, flag } from '../../schema/schema.ts'

export const embed = {
  tags: ['embed'],
  types: ['embed'],
  attributes: { url: address('embed'), fullWidth: flag },
  isPair: false,
  standsIn: ['page', 'section', 'hint'],
} as const satisfies BlockSchema
