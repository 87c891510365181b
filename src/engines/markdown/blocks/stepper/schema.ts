// `{% stepper %}` and `{% step %}`.
import { type BlockSchema, optional } from '../../schema/schema.ts'

export const stepper = {
  tags: ['stepper'],
  types: ['stepper'],
  attributes: {},
  isPair: true,
  item: 'step',
  isSequence: true,
  standsIn: ['page'],
} as const satisfies BlockSchema

export const step = {
  tags: ['step'],
  types: ['stepper-step'],
  attributes: { title: optional, slug: optional, icon: optional },
  words: ['title'],
  isPair: true,
  container: 'stepper',
  holds: ['section'],
  standsIn: [],
} as const satisfies BlockSchema
