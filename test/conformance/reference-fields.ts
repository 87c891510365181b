// The fields of all bodies and queries, and which of them name an object: by the kind of their schema, and by their
// name or the length of an id.
import { operations } from '../../src/api/index.ts'
import { ID_PATTERN } from '../../src/http/list.ts'
import type { Operation } from '../../src/http/operation.ts'
import { REFERS_TO, type RefKind } from '../../src/http/references.ts'

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly propertyNames?: Schema
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly [REFERS_TO]?: RefKind
}

/** A string of a body or a query. `path`: `body.changes[].page`; the names of a map are `body.memberships{}`. */
export type Field = {
  readonly operation: Operation
  readonly path: string
  readonly kind: RefKind | undefined
  readonly isNamedLikeAnObject: boolean
}

/** The strings of all bodies and queries, each once. */
export function allFields(): Field[] {
  const fields = new Map<string, Field>()
  for (const operation of operations)
    for (const part of ['query', 'body'] as const)
      for (const { path, schema } of stringsIn((operation[part] ?? {}) as Schema, part)) {
        const kind = schema[REFERS_TO]
        const key = `${operation.id} ${path} ${kind}`
        fields.set(key, { operation, path, kind, isNamedLikeAnObject: isNamedLikeAnObject(path, schema) })
      }
  return [...fields.values()]
}

type At = { readonly path: string; readonly schema: Schema }

function stringsIn(schema: Schema, path: string): At[] {
  const inside = [
    ...(schema.anyOf ?? []).flatMap(alternative => stringsIn(alternative, path)),
    ...(schema.items === undefined ? [] : stringsIn(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      stringsIn(field, `${path}.${name}`),
    ),
    ...(schema.propertyNames === undefined ? [] : [{ path: `${path}{}`, schema: schema.propertyNames }]),
    ...[...Object.values(schema.patternProperties ?? {}), schema.additionalProperties]
      .filter(values => typeof values === 'object')
      .flatMap(values => stringsIn(values as Schema, `${path}{}`)),
  ]
  const isText =
    schema.type === 'string' && schema.enum === undefined && schema.const === undefined && !schema.format
  return isText ? [{ path, schema }] : inside
}

/** The last word of the name of a field that names an object. */
const NOUNS: ReadonlySet<string> = new Set([
  ...[
    'actor',
    'author',
    'base',
    'block',
    'branch',
    'cluster',
    'collection',
    'comment',
    'content',
    'contributor',
  ],
  ...[
    'conversation',
    'creator',
    'document',
    'entry',
    'event',
    'file',
    'head',
    'id',
    'installation',
    'integration',
  ],
  ...[
    'into',
    'invitation',
    'invite',
    'issue',
    'link',
    'member',
    'node',
    'object',
    'organization',
    'owner',
    'page',
  ],
  ...[
    'parent',
    'person',
    'provider',
    'record',
    'ref',
    'reply',
    'request',
    'review',
    'reviewer',
    'revision',
    'site',
  ],
  ...[
    'space',
    'spec',
    'specification',
    'subject',
    'target',
    'task',
    'team',
    'template',
    'token',
    'upload',
    'user',
  ],
  ...['version', 'visitor', 'webhook'],
])

const ID_CHARACTERS_MAX = 128

function isNamedLikeAnObject(path: string, { pattern, maxLength }: Schema): boolean {
  const name =
    path
      .replaceAll(/[[\]{}]/g, '')
      .split('.')
      .at(-1) ?? ''
  const word = name.match(/(?:[A-Z]+|[A-Z]?[a-z]+)s?$/)?.[0].toLowerCase() ?? ''
  const singular = word.endsWith('s') ? word.slice(0, -1) : word
  return (
    NOUNS.has(word) ||
    NOUNS.has(singular) ||
    pattern === ID_PATTERN ||
    (pattern === undefined && maxLength === ID_CHARACTERS_MAX)
  )
}
