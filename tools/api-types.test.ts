import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiDocument, renderApiTypes } from './api-types.ts'

const documentWith = (schemas: ApiDocument['components']['schemas']): ApiDocument => ({
  paths: {},
  components: { schemas },
})
const typeOf = (schema: ApiDocument['components']['schemas'][string]): string =>
  /"It": (.*)/.exec(renderApiTypes(documentWith({ It: schema })))?.[1] ?? ''

test('a schema → the type of its values', () => {
  assert.equal(typeOf({ type: 'integer' }), 'number')
  assert.equal(typeOf({ const: 'page' }), '"page"')
  assert.equal(typeOf({ enum: ['a', 'b', null] }), '("a") | ("b") | (null)')
  assert.equal(typeOf({ type: ['string', 'null'] }), '(string) | (null)')
  assert.equal(
    typeOf({ type: 'array', items: { $ref: '#/components/schemas/Page' } }),
    `(components['schemas']["Page"])[]`,
  )
  assert.equal(
    typeOf({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, note: { type: 'boolean' } },
    }),
    '{ "id": string; "note"?: boolean }',
  )
  assert.equal(
    typeOf({ type: 'object', additionalProperties: { type: 'number' } }),
    '{ [name: string]: (number) }',
  )
  assert.equal(typeOf({ type: 'object', additionalProperties: false }), '{  }')
})

test('an operation → its parameters by place, its body, and its answers by status', () => {
  const types = renderApiTypes({
    paths: {
      '/spaces/{id}': {
        patch: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { $ref: '#/components/parameters/Format', name: '', in: '' },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
          responses: { 200: { content: { 'application/json': { schema: { type: 'null' } } } }, 204: {} },
        },
      },
    },
    components: {
      schemas: {},
      parameters: { Format: { name: 'format', in: 'query', schema: { type: 'string' } } },
    },
  })
  assert.match(types, /"path": \{ "id": string \}; "query"\?: \{ "format"\?: string \}/)
  assert.match(types, /"requestBody": \{ content: \{ "application\/json": string \} \}/)
  assert.match(types, /200: \{ content: \{ "application\/json": null \} \}; 204: \{ content\?: never \}/)
})
