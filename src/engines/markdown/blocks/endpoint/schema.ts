// GitBook's older notation for endpoints, written out in the page: parameters and answers, each with its words.
import { type BlockSchema, flag, optional } from '../../schema/schema.ts'

export const endpoint = {
  // `{% swagger %}` that names no description, and everything within one.
  tags: ['api-method'],
  types: [],
  families: ['api-method', 'swagger'],
  attributes: {
    name: optional,
    status: optional,
    type: optional,
    summary: optional,
    title: optional,
    description: optional,
    method: optional,
    baseUrl: optional,
    path: optional,
    in: optional,
    required: flag,
  },
  words: ['method', 'baseUrl', 'path', 'name', 'status', 'type', 'summary', 'title', 'description'],
  isPair: true,
  standsIn: [],
} as const satisfies BlockSchema
