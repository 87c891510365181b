// `{% openapi-webhook %}`: a webhook of an API description.
import { address, type BlockSchema, flag, named, optional, reference } from '../../schema/schema.ts'

export const webhook = {
  tags: ['openapi-webhook'],
  types: ['openapi-webhook'],
  attributes: {
    spec: reference('openapi-spec'),
    src: address('openapi'),
    name: named(optional, 'name', 'path'),
    method: optional,
    headless: flag,
  },
  words: ['method', 'name'],
  isPair: false,
  standsIn: ['page'],
} as const satisfies BlockSchema
