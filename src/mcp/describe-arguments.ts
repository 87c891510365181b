// What is wrong with the arguments of a tool, all at once and by the names that the tool has, so that a model mends its
// call in one go.
import type { TObject, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { type Fields, isObject } from '../base/objects.ts'
import { toLine } from './text.ts'

const PROBLEMS_MAX = 20
const NAME_CHARACTERS_MAX = 100

type Described = TSchema & {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minItems?: number
  readonly maxItems?: number
}

/** Empty if nothing is wrong. */
export function describeArguments(input: TObject, given: unknown, check: Validator): string[] {
  const unknown = isObject(given) && Object.keys(given).some(name => !Object.hasOwn(input.properties, name))
  if (!unknown && check.Check(given)) return []
  const problems: string[] = []
  for (const one of problemsOf(['arguments'], input as Described, given)) {
    problems.push(one)
    if (problems.length === PROBLEMS_MAX) break
  }
  return problems.length > 0 ? problems : ['arguments: they do not have the shape that tools/list describes.']
}

type Path = readonly string[]

const problem = (path: Path, sentence: string): string => `${path.join('.')}: ${sentence}`

function* problemsOf(path: Path, schema: Described, given: unknown): Generator<string> {
  if (schema.anyOf !== undefined) yield* problemsOfUnion(path, schema.anyOf, given)
  else if (schema.type === 'object' && isObject(given) && !Array.isArray(given))
    yield* problemsOfObject(path, schema, given)
  else if (schema.type === 'array' && Array.isArray(given)) yield* problemsOfList(path, schema, given)
  else if (!Value.Check(schema, given)) yield problem(path, `${sentenceOf(schema, given)}.`)
}

function* problemsOfObject(
  path: Path,
  { properties = {}, required = [] }: Described,
  given: Fields,
): Generator<string> {
  for (const [name, value] of Object.entries(given)) {
    const inner = [...path, toLine(name, NAME_CHARACTERS_MAX)]
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema !== undefined) yield* problemsOf(inner, schema, value)
    else yield problem(inner, `there is no such argument. ${namesOf(properties)}`)
  }
  for (const name of required)
    if (!Object.hasOwn(given, name)) yield problem([...path, name], 'this is required.')
}

function namesOf(properties: object): string {
  const names = Object.keys(properties)
  return names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`
}

function* problemsOfList(
  path: Path,
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Described,
  given: readonly unknown[],
): Generator<string> {
  if (given.length < minItems) yield problem(path, `at least ${minItems} of them.`)
  if (given.length > maxItems) yield problem(path, `at most ${maxItems} of them.`)
  else if (items !== undefined)
    for (const [index, item] of given.entries()) yield* problemsOf([...path, String(index)], items, item)
}

function* problemsOfUnion(path: Path, schemas: readonly Described[], given: unknown): Generator<string> {
  const words = schemas.map(one => one.properties?.operation?.const)
  if (words.every(word => word !== undefined) && isObject(given)) {
    const { operation } = given
    const chosen = schemas.find(one => one.properties?.operation?.const === operation)
    if (chosen !== undefined) yield* problemsOfObject(path, chosen, given)
    else yield problem([...path, 'operation'], `must be one of ${words.map(String).join(', ')}.`)
    return
  }
  if (schemas.some(one => Value.Check(one, given))) return
  const sentences = new Set(schemas.map(one => sentenceOf(one, given)))
  yield problem(path, `${[...sentences].join(', or ')}.`)
}

const IS_ID = 'must match pattern "^[^'

function sentenceOf(schema: Described, given: unknown): string {
  if (schema.enum !== undefined) return `must be one of ${schema.enum.map(String).join(', ')}`
  const [error] = Value.Errors(schema, given)
  const message = error?.message ?? 'has another shape'
  return message.startsWith(IS_ID) ? 'must be an id, which has no slash' : message
}
