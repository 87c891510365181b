// `{% tabs %}` and `{% tab %}`.
import { type BlockSchema, flag, optional } from '../../schema/schema.ts'

export const tabs = {
  tags: ['tabs'],
  types: ['tabs'],
  attributes: { fullWidth: flag },
  isPair: true,
  item: 'tab',
  standsIn: ['page'],
} as const satisfies BlockSchema

export const tab = {
  tags: ['tab'],
  types: ['tabs-item'],
  attributes: { title: optional, icon: optional, slug: optional },
  words: ['title'],
  isPair: true,
  container: 'tabs',
  holds: ['section'],
  standsIn: [],
} as const satisfies BlockSchema
