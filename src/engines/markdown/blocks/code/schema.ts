// `{% code %}`: how the code in it is shown.
import { type BlockSchema, CODE_OVERFLOWS, count, flag, oneOf, optional } from '../../schema/schema.ts'

export const code = {
  tags: ['code'],
  types: ['code'],
  attributes: {
    title: optional,
    overflow: oneOf(CODE_OVERFLOWS),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag,
    collapsedLineCount: count,
  },
  words: ['title'],
  isPair: true,
  standsIn: ['page', 'section', 'list-item', 'expandable', 'footnote', 'prompt'],
} as const satisfies BlockSchema
