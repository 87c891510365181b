// `{% openapi-schemas %}`: schemas of an API description.
import { address, answer, type BlockSchema, names, reference } from '../../schema/schema.ts'

export const schemas = {
  tags: ['openapi-schemas'],
  types: ['openapi-schemas'],
  attributes: {
    spec: reference('openapi-spec'),
    src: address('openapi'),
    schemas: { ...names, names: ['schemas', 'schema'] },
    grouped: answer,
  },
  words: ['schemas'],
  isPair: false,
  standsIn: ['page'],
} as const satisfies BlockSchema
