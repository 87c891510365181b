// A small OpenAPI document with one of everything that the reference shows, for tests.

const space = {
  type: 'object',
  required: ['object', 'id', 'title', 'mergeRules'],
  description: 'A space is one documentation.',
  properties: {
    object: { type: 'string', enum: ['space'] },
    id: { type: 'string' },
    title: { type: 'string', maxLength: 50 },
    emoji: { anyOf: [{ type: 'string', minLength: 1, maxLength: 50 }, { type: 'null' }] },
    level: {
      anyOf: [
        { type: 'string', enum: ['read', 'edit'] },
        { type: 'string', enum: ['inherit'] },
        { type: 'null' },
      ],
    },
    mergeRules: { $ref: '#/components/schemas/MergeRules' },
    parent: { $ref: '#/components/schemas/Space' },
    createdAt: { type: 'string', format: 'date-time' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    legacy: { type: 'boolean', deprecated: true },
  },
}

const mergeRules = {
  anyOf: [
    { type: 'object', required: ['type'], properties: { type: { const: 'none' } } },
    {
      type: 'object',
      required: ['type', 'rules'],
      properties: {
        type: { const: 'rules' },
        rules: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[a-z]+$' } },
      },
    },
  ],
}

const error = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
}

const json = (schema: unknown) => ({ 'application/json': { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const spaceId = {
  name: 'spaceId',
  in: 'path',
  required: true,
  description: 'A space.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
}

export const sampleDocument = {
  openapi: '3.1.0',
  info: { title: 'Octavo', version: '1.2.3', description: 'The interface.' },
  servers: [{ url: 'https://docs.example.com/v1' }],
  security: [{ token: [] }],
  tags: [
    { name: 'Accounts', description: 'Who you are.' },
    { name: 'Spaces', description: 'One documentation each.' },
    { name: 'Empty', description: 'Has no operation.' },
  ],
  paths: {
    '/user': {
      get: {
        operationId: 'getAuthenticatedUser',
        summary: 'Who you are',
        tags: ['Accounts'],
        responses: {
          200: {
            description: 'Success.',
            content: json({
              type: 'object',
              properties: { id: { type: 'string' }, email: { type: 'string' } },
            }),
          },
        },
      },
    },
    '/spaces': {
      get: {
        operationId: 'listSpaces',
        summary: 'Spaces you may see',
        tags: ['Spaces'],
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'string' } },
          {
            name: 'limit',
            in: 'query',
            description: 'Items in one answer.',
            schema: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
          },
          { name: 'query', in: 'query', required: true, schema: { type: 'string', maxLength: 512 } },
        ],
        responses: {
          200: {
            description: 'Success.',
            content: json({
              type: 'object',
              required: ['items'],
              properties: { items: { type: 'array', items: ref('Space') } },
            }),
          },
        },
      },
      post: {
        operationId: 'createSpace',
        summary: 'Create a space',
        description:
          'The first page is empty.\n\nNeeds the role `create` on the organization and the scope `space:write` on a narrowed token.',
        tags: ['Spaces'],
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            required: ['title'],
            properties: { title: { type: 'string', maxLength: 50 }, mergeRules: ref('MergeRules') },
          }),
        },
        responses: {
          201: {
            description: 'Success.',
            headers: { Location: { description: 'Its address.' } },
            content: json(ref('Space')),
          },
          400: { $ref: '#/components/responses/Error400' },
          404: { $ref: '#/components/responses/Error404' },
        },
      },
    },
    '/spaces/{spaceId}': {
      parameters: [spaceId],
      get: {
        operationId: 'getSpaceById',
        summary: 'A space',
        tags: ['Spaces'],
        security: [{}, { token: [] }],
        responses: { 200: { description: 'Success.', content: json(ref('Space')) } },
      },
      delete: {
        operationId: 'deleteSpaceById',
        summary: 'Delete a space',
        deprecated: true,
        tags: ['Spaces'],
        responses: { 204: { description: 'Done.' }, 404: { $ref: '#/components/responses/Error404' } },
      },
    },
    '/spaces/{spaceId}/content/pages': {
      get: {
        operationId: 'listPages',
        summary: 'The page tree',
        tags: ['Content'],
        parameters: [spaceId],
        responses: { 200: { description: 'Success.' } },
      },
    },
  },
  components: {
    schemas: { Error: error, MergeRules: mergeRules, Space: space },
    responses: {
      Error400: { description: 'The request breaks a rule.', content: json(ref('Error')) },
      Error404: { description: 'Not there, or not visible to you.', content: json(ref('Error')) },
    },
  },
}
