// `{% content-ref %}`, and its older form `{% page-ref %}`: a link as a card.
import { address, type BlockSchema, named } from '../../schema/schema.ts'

export const contentRef = {
  tags: ['content-ref', 'page-ref'],
  types: ['content-ref'],
  attributes: { url: named(address('content-ref'), 'url', 'page') },
  isPair: false,
  standsIn: ['page', 'section'],
  repeatsAddress: true,
} as const satisfies BlockSchema
