// `{% include "path" %}`: content that several pages share.
import { address, type BlockSchema } from '../../schema/schema.ts'

export const include = {
  tags: ['include'],
  types: ['reusable-content'],
  attributes: {},
  argument: { name: 'path', attribute: address('include') },
  isPair: false,
  standsIn: ['page', 'expandable'],
} as const satisfies BlockSchema
