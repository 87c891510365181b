// `{% file %}`: a file to download.
import { address, type BlockSchema } from '../../schema/schema.ts'

export const file = {
  tags: ['file'],
  types: ['file'],
  attributes: { src: address('file') },
  isPair: false,
  standsIn: ['page', 'section'],
} as const satisfies BlockSchema
