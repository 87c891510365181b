// The OpenAPI 3.1 document, read from the operations: nothing about an endpoint is written twice.
import type { TSchema } from 'typebox'
import { weakestRole } from '../access/policy.ts'
import { CONFIRMED_MINUTES } from './confirmation.ts'
import { KEY_CHARACTERS_MAX } from './idempotency.ts'
import { KEY_HOURS } from './idempotency-rows.ts'
import type { Operation } from './operation.ts'
import { revisionReadBy } from './read-revision.ts'
import { ErrorBody } from './refusals.ts'
import { MINIMAL_STATUS } from './replies.ts'
import { STREAM_TYPE } from './streams.ts'

type JsonSchema = { [key: string]: unknown }

export type OpenApiDocument = {
  openapi: string
  info: JsonSchema
  servers: JsonSchema[]
  security: JsonSchema[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, JsonSchema>>
  components: {
    securitySchemes: JsonSchema
    parameters: JsonSchema
    schemas: Record<string, JsonSchema>
    headers: JsonSchema
    responses: JsonSchema
  }
}

const DESCRIPTION = `Octavo's HTTP interface. Send \`Authorization: Bearer <token>\` with every request; \
\`octavo token <email>\` makes a token. Bodies are JSON. Lists answer \`items\`, \`count\` and, unless it is the last \
page, \`next.page\`, which goes into the \`page\` parameter of the same query. Every error has the body \
\`{"error":{"code":<status>,"message":"…"}}\`, and every answer an \`X-Request-Id\`. Every GET carries an \`ETag\`; \
send it back in \`If-None-Match\` and an unchanged answer is a 304 without a body. A POST that carries an \
\`Idempotency-Key\` may be sent again without being carried out again. A server with more work \
than it can do in time answers any request \`503\` at once, with \`Retry-After\`, and one whose disk is full answers writes \`507\`. Where the operator has set a public address, a request for another \
host is answered \`421\`.`

const REASONS: Record<number, string> = {
  400: 'The request breaks a rule; the message names the field.',
  401: 'No token, or an unknown, expired or revoked one.',
  403: 'You may see it, but not do this.',
  404: 'Not there, or not visible to you.',
  409: 'The state forbids it now.',
  412: 'A precondition is not met.',
  413: 'More bytes than this operation accepts.',
  429: 'Too many requests, or too many of this kind are waiting already.',
  503: 'A service that the server depends on is down, or the server is overloaded; try again later.',
  507: 'The disk of the server is full.',
}

/** Headers that operations support, as `parameters` of the document. */
const HEADERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description: `A name of your own for this request, such as a UUID. Sent again with it within ${KEY_HOURS} hours, the \
same request is answered as it was, with \`Idempotency-Replayed: true\`, and not carried out again.`,
    schema: { type: 'string', minLength: 1, maxLength: KEY_CHARACTERS_MAX },
  },
  IfMatch: {
    name: 'If-Match',
    description:
      'The version that you have read, in double quotes: the revision of content, the `updatedAt` of a change request. When it has changed since: 412.',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    description: '`return=minimal`: a 204 without a body, with `Preference-Applied`.',
    schema: { type: 'string' },
  },
} as const

/**
 * A proof that visitors send beside, or instead of, a token; `http/admission.ts` reads it for every operation that
 * they may call.
 */
const SHARE_KEY = {
  name: 'shareKey',
  in: 'query',
  required: false,
  description: 'The key of a share link of the space.',
  schema: { type: 'string' },
} as const

/** `publicUrl` is the base of `servers`; `tags` gives the order and the descriptions of the groups. */
export function toOpenApi(
  operations: readonly Operation[],
  about: { publicUrl: string; version: string; tags: readonly { name: string; description: string }[] },
): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {}
  const refer = (schema: TSchema): JsonSchema => toReference(schema, schemas)
  const paths: OpenApiDocument['paths'] = {}
  const errorSchema = refer(ErrorBody)
  for (const operation of operations) {
    const path = operation.path.replaceAll('*}', '}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: toOperationObject(operation, refer) }
  }
  const responses = Object.fromEntries(
    Object.entries(REASONS).map(([status, description]) => [
      `Error${status}`,
      { description, content: { 'application/json': { schema: errorSchema } } },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Octavo', version: about.version, description: DESCRIPTION },
    servers: [{ url: `${about.publicUrl}/v1` }],
    security: [{ token: [] }],
    tags: about.tags.filter(tag => operations.some(operation => operation.tag === tag.name)),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: {
          ...{ type: 'apiKey', in: 'cookie', name: 'octavo_session' },
          description:
            'The session of a browser, with the header `Octavo-Workspace: 1` and from a page of this server; `__Host-octavo_session` where it is served by https. With `Octavo-Person` and the id of a user, a session of anybody else is refused (401 `other_person`). It also does what a token of the person does.',
        },
      },
      parameters: {
        ShareKey: SHARE_KEY,
        ...Object.fromEntries(
          Object.entries(HEADERS).map(([name, header]) => [
            name,
            { ...header, in: 'header', required: false },
          ]),
        ),
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: {
        OctavoRevision: {
          description: 'The revision that was read, also in a 304: the `base` of a later edit.',
          schema: { type: 'string' },
        },
      },
      responses,
    },
  }
}

function toOperationObject(operation: Operation, refer: (schema: TSchema) => JsonSchema): JsonSchema {
  const body = operation.body
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describe(operation),
    tags: [operation.tag],
    ...securityOf(operation),
    ...(operation.sensitive === undefined
      ? {}
      : { 'x-octavo-sensitive': operation.sensitive === true || operation.sensitive.when }),
    parameters: [
      ...toParameters(operation, 'path', refer),
      ...toParameters(operation, 'query', refer),
      ...(takesShareKey(operation) ? [{ $ref: '#/components/parameters/ShareKey' }] : []),
      ...headersOf(operation).map(name => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !operation.isBodyOptional,
            content: { 'application/json': { schema: refer(body) } },
          },
        }),
    ...(operation.isUpload
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
      : {}),
    responses: toResponses(operation, refer),
  }
}

function securityOf({ by, isForSessions }: Operation): { security?: JsonSchema[] } {
  if (isForSessions) return { security: [{ session: [] }] }
  return by.includes('anonymous') ? { security: [{}, { token: [] }] } : {}
}

function describe(operation: Operation): string {
  const needs: string[] = []
  if (operation.place !== null) {
    // An operation is declared with an action on its place's subject.
    needs.push(
      `the role \`${weakestRole(operation.place.subject, operation.may as never)}\` on the ${operation.place.noun}`,
    )
  }
  if (operation.scope === 'unscoped') needs.push('a token without scopes')
  else if (operation.scope !== 'any') needs.push(`the scope \`${operation.scope}\` on a narrowed token`)
  const sentences = [
    operation.description,
    needs.length === 0 ? undefined : `Needs ${needs.join(' and ')}.`,
    confirmationOf(operation),
  ]
  return sentences.filter(sentence => sentence !== undefined).join('\n\n')
}

function confirmationOf({ sensitive }: Operation): string | undefined {
  if (sensitive === undefined) return undefined
  const when = sensitive === true ? '' : `, if it ${sensitive.when}`
  return `Sensitive${when}: in a browser, the session has to be confirmed within ${CONFIRMED_MINUTES} minutes (403 \`confirm_identity\`).`
}

function toParameters(operation: Operation, where: 'path' | 'query', refer: (schema: TSchema) => JsonSchema) {
  const schema = where === 'path' ? operation.params : operation.query
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    // The values of `properties` are schemas, which typebox types as unknown.
    const { description, ...rest } = refer(property as TSchema)
    return {
      name,
      in: where,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

const takesShareKey = ({ by, place, query }: Operation): boolean =>
  by.includes('anonymous') && place?.subject === 'space' && query?.properties.shareKey === undefined

const headersOf = ({ supportedHeaders, isKeyed }: Operation): (keyof typeof HEADERS)[] => [
  ...(isKeyed ? (['IdempotencyKey'] as const) : []),
  ...(supportedHeaders.includes('if-match') ? (['IfMatch'] as const) : []),
  ...(supportedHeaders.includes('return=minimal') ? (['Prefer'] as const) : []),
]

function toResponses(operation: Operation, refer: (schema: TSchema) => JsonSchema): JsonSchema {
  const { conflict } = operation
  const success =
    operation.reply === undefined
      ? { description: 'Done.' }
      : {
          description: operation.isStream ? 'Events as they arrive.' : 'Success.',
          ...(revisionReadBy(operation) === undefined
            ? {}
            : { headers: { 'Octavo-Revision': { $ref: '#/components/headers/OctavoRevision' } } }),
          content: {
            [operation.isStream ? STREAM_TYPE : 'application/json']: { schema: refer(operation.reply) },
          },
        }
  return {
    [operation.status]: success,
    ...(operation.makes ? { 201: { ...success, description: 'Made.' } } : {}),
    ...(operation.supportedHeaders.includes('return=minimal')
      ? { [MINIMAL_STATUS]: { description: 'Done, without a body, as requested.' } }
      : {}),
    ...Object.fromEntries(
      failuresOf(operation).map(status => [status, { $ref: `#/components/responses/Error${status}` }]),
    ),
    ...(conflict === undefined
      ? {}
      : { 409: { description: REASONS[409], content: { 'application/json': { schema: refer(conflict) } } } }),
  }
}

/** The failures that an operation can answer, derived from its declaration. */
export function failuresOf(operation: Operation): number[] {
  // An invalid token is refused everywhere, even where none is needed.
  const statuses = new Set([...operation.failures, 401])
  if (operation.query !== undefined || operation.body !== undefined) statuses.add(400)
  if (operation.body !== undefined || operation.isUpload) statuses.add(413)
  if (operation.method === 'POST' || operation.isKeyed) statuses.add(400).add(409)
  if (operation.supportedHeaders.includes('if-match')) statuses.add(400).add(412)
  if (operation.may !== 'anyone') statuses.add(403)
  const isNamed = operation.place !== null || Object.keys(operation.params.properties).length > 0
  if (isNamed && operation.absent === undefined) statuses.add(404)
  return [...statuses].sort((a, b) => a - b)
}

/** A schema with every named part (`model`) moved to the components and referenced: plain JSON, keyword by keyword. */
function toReference(schema: unknown, schemas: Record<string, JsonSchema>): JsonSchema {
  const plain = schema as JsonSchema
  const name = plain.title
  if (typeof name !== 'string') return toPlain(plain, schemas)
  if (schemas[name] === undefined) {
    schemas[name] = {} // reserved, so that a schema that contains itself ends
    const { title: _, ...unnamed } = plain
    schemas[name] = toPlain(unnamed, schemas)
  }
  return { $ref: `#/components/schemas/${name}` }
}

function toPlain(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  // Each keyword has the type of value that JSON Schema defines.
  const plain: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' || keyword === 'patternProperties') {
      plain[keyword] = Object.fromEntries(
        Object.entries(value as object).map(([k, v]) => [k, toReference(v, schemas)]),
      )
    } else if (keyword === 'items' || keyword === 'additionalProperties') {
      plain[keyword] = typeof value === 'object' ? toReference(value, schemas) : value
    } else if (keyword === 'anyOf' || keyword === 'allOf' || keyword === 'oneOf') {
      plain[keyword] = (value as unknown[]).map(option => toReference(option, schemas))
    } else {
      plain[keyword] = value
    }
  }
  return plain
}
