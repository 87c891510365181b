// An operation of an API description: `{% openapi-operation spec %}`, `{% openapi src %}` and the older `{% swagger src %}`.
import { address, answer, type BlockSchema, flag, optional, reference } from '../../schema/schema.ts'

export const operation = {
  tags: ['openapi-operation', 'openapi', 'swagger'],
  types: ['openapi-operation', 'swagger'],
  attributes: {
    spec: reference('openapi-spec'),
    src: address('openapi'),
    path: optional,
    method: optional,
    headless: flag,
    expanded: answer,
    fullWidth: flag,
  },
  words: ['method', 'path'],
  isPair: false,
  standsIn: ['page'],
  repeatsAddress: true,
} as const satisfies BlockSchema
