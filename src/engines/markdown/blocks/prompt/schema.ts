// `{% prompt %}`: words for a language model.
import {
  type BlockSchema,
  oneOf,
  optional,
  PROMPT_EXPANSIONS,
  required,
  tags,
  withDefault,
} from '../../schema/schema.ts'

export const prompt = {
  tags: ['prompt'],
  types: ['prompt'],
  attributes: {
    description: withDefault(required, ''),
    icon: optional,
    openInAIProviders: tags,
    defaultExpanded: oneOf(PROMPT_EXPANSIONS),
  },
  words: ['description'],
  isPair: true,
  holds: ['prompt'],
  standsIn: ['page'],
} as const satisfies BlockSchema
