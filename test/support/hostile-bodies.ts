// Bodies that have made readers of them slow, made from the schema of an operation: a list of many equal things, things
// of no alternative, things that nobody knows, and an object of many names.
import type { TSchema } from 'typebox'
import type { Operation } from '../../src/http/operation.ts'
import type { Shape } from './growth.ts'
import { Dice, valueFor } from './hostile-requests.ts'

type Schema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxItems?: number
}

export type BodyShape = readonly [name: string, shape: Shape<unknown>, schema: TSchema, isOptional: boolean]

/** The bodies of all operations that take one. Their parts are counted, not their bytes. */
export function bodyShapesOf(operations: readonly Operation[]): BodyShape[] {
  return operations.flatMap(({ id, body, isBodyOptional }) =>
    body === undefined
      ? []
      : shapesIn(body as Schema, new Dice(1)).map(
          ([name, shape]) => [`${id}, ${name}`, shape, body, isBodyOptional] as const,
        ),
  )
}

type Named = readonly [name: string, shape: Shape<unknown>]

function shapesIn(schema: Schema, dice: Dice): Named[] {
  const lists = [...listsIn(schema, value => value)].flatMap(({ path, list, wrap }) =>
    thingsFor(list.items ?? {}, dice).map(
      ([name, thing]): Named => [`${path} of ${name}`, length => wrap(many(thing, length))],
    ),
  )
  const names: Named = [
    'an object of many names',
    length => Object.fromEntries(Array.from({ length }, (_, index) => [`n${index}`, index])),
  ]
  return [names, ...lists]
}

/** So many of the same, each by itself: read from JSON, as a server reads them, in a fraction of the time of a clone. */
const many = (thing: unknown, length: number): unknown =>
  JSON.parse(`[${Array(length).fill(JSON.stringify(thing)).join()}]`)

type List = { readonly path: string; readonly list: Schema; readonly wrap: (value: unknown) => unknown }

/** The lists of a body that none is inside of, each with what puts it into an otherwise empty body. */
function* listsIn(schema: Schema, wrap: (value: unknown) => unknown, path = 'body'): Generator<List> {
  if (schema.type === 'array') yield { path, list: schema, wrap }
  for (const one of schema.anyOf ?? []) yield* listsIn(one, wrap, path)
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* listsIn(property, value => wrap({ [name]: value }), `${path}.${name}`)
}

/** What fits, what nearly does, and what does not at all. */
function thingsFor(items: Schema, dice: Dice): (readonly [name: string, thing: unknown])[] {
  const fitting = (items.anyOf ?? [items]).map(one => valueFor(one as never, dice, () => undefined))
  const last = fitting.at(-1)
  const odd = typeof last === 'object' && last !== null && !Array.isArray(last) ? { ...last, odd: 1 } : null
  return [
    ['what fits', fitting[0]],
    ['what nobody knows', odd],
    ['nothing', {}],
  ]
}
