// `{% @integration/block %}`: a block of an integration, whose attributes are its properties.
import { address, type BlockSchema, flag } from '../../schema/schema.ts'

export const integration = {
  tags: [],
  types: ['integration'],
  attributes: { url: address('embed'), fullWidth: flag },
  isPair: false,
  standsIn: ['page', 'section', 'hint'],
} as const satisfies BlockSchema
