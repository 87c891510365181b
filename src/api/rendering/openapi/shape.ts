// What a JSON Schema says, in words for readers: a type, its bounds, its values, its parts. A shape is a tree, but a
// schema may be cyclic. So a named model is opened once on each path down, and the whole tree has a budget.
import { type Fields, isObject, listOf, textOf } from '../../../base/objects.ts'
import { isNumber, numberOf, type WrittenNumber } from '../../../base/written-numbers.ts'
import { discriminatorOf } from './discriminator.ts'
import { type ApiDocument, modelName } from './document.ts'

export interface Shape {
  /** `string`, `array of Space`, `string or null`, `one of several`. */
  readonly type: string
  /** The component that it is, or that its items are, which has a page of its own. */
  readonly model: string | undefined
  readonly description: string
  /** Bounds, format, default: `at most 50 characters`. */
  readonly facts: readonly string[]
  /** The only values that it may have, as JSON. */
  readonly values: readonly string[]
  readonly isDeprecated: boolean
  readonly isReadOnly: boolean
  /** The fields of the object, or of the array's items. */
  readonly fields: readonly Field[]
  /** Alternatives of which one has to hold. */
  readonly options: readonly Shape[]
  /** Whether it has parts that are not shown, because they are shown above or the budget is spent. */
  readonly isCut: boolean
}

export interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly shape: Shape
}

const DEPTH_MAX = 12
const SHAPES_MAX = 600
const ALTERNATIVES_MAX = 200
const VALUES_MAX = 1_000

interface Walk {
  readonly document: ApiDocument
  readonly above: readonly string[]
  readonly left: { shapes: number }
}

/** The shape of a schema of this document. `opened` names the model whose own page this is. */
export const shapeOf = (document: ApiDocument, schema: unknown, opened?: string): Shape =>
  walk(schema, {
    document,
    above: opened === undefined ? [] : [opened],
    left: { shapes: SHAPES_MAX },
  })

const NOTHING: Shape = {
  type: 'anything',
  model: undefined,
  description: '',
  facts: [],
  values: [],
  isDeprecated: false,
  isReadOnly: false,
  fields: [],
  options: [],
  isCut: false,
}

function walk(schema: unknown, on: Walk): Shape {
  on.left.shapes -= 1
  const named = modelName(schema)
  const model = named !== undefined && on.document.schemas.has(named) ? named : undefined
  const resolved = on.document.resolve(schema)
  if (!isObject(resolved)) return { ...NOTHING, type: named ?? NOTHING.type, model }
  // OpenAPI 3.1 allows a description beside a reference.
  const beside = isObject(schema) && schema !== resolved ? textOf(schema.description) : ''
  const isAbove = model !== undefined && on.above.includes(model)
  const isCut = isAbove || on.above.length >= DEPTH_MAX || on.left.shapes <= 0
  const inner = { ...on, above: [...on.above, model ?? ''] }
  const shape = isCut ? outline(resolved) : open(resolved, inner)
  const type = model === undefined ? shape.type : shape.type.replace(/^(?:object|one of several)\b/, model)
  return { ...shape, type, model: model ?? shape.model, description: beside || shape.description }
}

const describe = (schema: Fields): Shape => ({
  ...NOTHING,
  type: typeName(schema),
  description: textOf(schema.description),
  facts: factsOf(schema),
  values: valuesOf(schema),
  isDeprecated: schema.deprecated === true,
  isReadOnly: schema.readOnly === true,
})

/** Without its parts. */
const outline = (schema: Fields): Shape => ({ ...describe(schema), isCut: hasParts(schema) })

const hasParts = (schema: Fields): boolean =>
  ['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].some(
    keyword => isObject(schema[keyword]) || Array.isArray(schema[keyword]),
  )

function open(schema: Fields, on: Walk): Shape {
  const alternatives = listOf(schema.anyOf ?? schema.oneOf)
  if (alternatives.length > 0) return openAlternatives(schema, alternatives, on)
  if (Array.isArray(schema.allOf)) return openAll(schema, schema.allOf, on)
  const shape = describe(schema)
  if (isObject(schema.items) && shape.type.startsWith('array')) {
    const item = walk(schema.items, on)
    const { model, fields, options, isCut } = item
    const facts = [...shape.facts, ...item.facts]
    return {
      ...shape,
      type: shape.type.replace('array', `array of ${plural(item)}`),
      model,
      fields,
      options,
      isCut,
      facts,
      values: item.values,
    }
  }
  const object = { ...shape, fields: fieldsOf(schema, on) }
  const discriminator = discriminatorOf(schema)
  return discriminator === undefined || discriminator.values.length === 0
    ? object
    : withValues(object, discriminator.field, discriminator.values)
}

const plural = ({ type }: Shape): string =>
  /^(?:string|integer|number|boolean|object|array)$/.test(type) ? `${type}s` : type

function fieldsOf(schema: Fields, on: Walk): Field[] {
  const required = new Set(listOf(schema.required))
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const fields = properties.map(([name, property]) => ({
    name,
    isRequired: required.has(name),
    shape: walk(property, on),
  }))
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {})
  const others = isObject(schema.additionalProperties)
    ? [['any other name', schema.additionalProperties] as const]
    : []
  for (const [pattern, value] of [
    ...patterns.map(([name, value]) => [`name like ${name}`, value] as const),
    ...others,
  ])
    fields.push({ name: `[${pattern}]`, isRequired: false, shape: walk(value, on) })
  return fields
}

/** Scalars fold into one line (`string or null`, with all values); objects stay a choice. */
function openAlternatives(schema: Fields, alternatives: readonly unknown[], on: Walk): Shape {
  const own = describe(schema)
  const discriminator = discriminatorOf(schema)
  const shapes = alternatives.slice(0, ALTERNATIVES_MAX).map(alternative => {
    const shape = walk(alternative, on)
    const values = discriminator?.valuesOf(alternative) ?? []
    return discriminator === undefined || values.length === 0
      ? shape
      : withValues(shape, discriminator.field, values)
  })
  const isNullable = shapes.some(isNull)
  const others = shapes.filter(shape => !isNull(shape))
  const orNull = (type: string): string => (isNullable ? `${type} or null` : type)
  const [only] = others
  if (only !== undefined && others.length === 1)
    return {
      ...only,
      type: orNull(only.type),
      description: own.description || only.description,
      facts: [...only.facts, ...own.facts],
    }
  const isPlain = others.every(
    shape => shape.fields.length === 0 && shape.options.length === 0 && !shape.isCut,
  )
  if (!isPlain) return { ...own, type: orNull('one of several'), options: others }
  // The values of only some alternatives would look like the values of all, so they go into the type instead.
  const isPartly =
    others.some(shape => shape.values.length > 0) && others.some(shape => shape.values.length === 0)
  const typeOf = ({ type, values }: Shape): string =>
    isPartly && values.length > 0 ? values.map(value => JSON.stringify(value)).join(' or ') : type
  return {
    ...own,
    type: orNull([...new Set(others.map(typeOf))].join(' or ')),
    facts: [...new Set([...others.flatMap(shape => shape.facts), ...own.facts])],
    values: isPartly ? [] : [...new Set(others.flatMap(shape => shape.values))],
  }
}

/** The field that tells alternatives apart has these values alone, whatever its own schema says. */
function withValues(shape: Shape, field: string, values: readonly string[]): Shape {
  const known = shape.fields.find(({ name }) => name === field)
  const told = {
    name: field,
    isRequired: true,
    shape: { ...(known?.shape ?? { ...NOTHING, type: 'string' }), values },
  }
  if (shape.isCut && shape.fields.length === 0) return shape
  const fields =
    known === undefined ? [told, ...shape.fields] : shape.fields.map(one => (one === known ? told : one))
  return { ...shape, fields }
}

const isNull = (shape: Shape): boolean => shape.type === 'null'

/** All of them hold, so their fields belong to one object. */
function openAll(schema: Fields, members: readonly unknown[], on: Walk): Shape {
  const shapes = [
    ...members.slice(0, ALTERNATIVES_MAX).map(member => walk(member, on)),
    { ...describe(schema), fields: fieldsOf(schema, on) },
  ]
  const fields = new Map(shapes.flatMap(shape => shape.fields).map(field => [field.name, field]))
  const type = shapes.find(shape => shape.type !== 'anything')?.type ?? 'object'
  return {
    ...describe(schema),
    type: fields.size > 0 ? 'object' : type,
    description:
      textOf(schema.description) || (shapes.find(shape => shape.description !== '')?.description ?? ''),
    facts: shapes.flatMap(shape => shape.facts),
    values: shapes.flatMap(shape => shape.values),
    fields: [...fields.values()],
    options: shapes.flatMap(shape => shape.options),
    isCut: shapes.some(shape => shape.isCut),
  }
}

function typeName(schema: Fields): string {
  const types = Array.isArray(schema.type)
    ? schema.type.filter(type => typeof type === 'string')
    : [schema.type]
  const named = types.filter(type => typeof type === 'string')
  if (schema.nullable === true && !named.includes('null')) named.push('null')
  if (named.length > 0) return named.join(' or ')
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return 'object'
  if (isObject(schema.items)) return 'array'
  const value = 'const' in schema ? schema.const : listOf(schema.enum)[0]
  return value === undefined
    ? 'anything'
    : value === null
      ? 'null'
      : isNumber(value)
        ? 'number'
        : typeof value
}

const valuesOf = (schema: Fields): string[] =>
  ('const' in schema ? [schema.const] : listOf(schema.enum)).slice(0, VALUES_MAX).map(spell)

const spell = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')

function factsOf(schema: Fields): string[] {
  const facts = [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minProperties, schema.maxProperties, 'member'),
    bounds(schema),
    textOf(schema.format),
    schema.uniqueItems === true ? 'no two alike' : '',
    isNumber(schema.multipleOf) ? `a multiple of ${schema.multipleOf}` : '',
    textOf(schema.pattern) === '' ? '' : `matches ${textOf(schema.pattern)}`,
    schema.default === undefined ? '' : `default ${spell(schema.default)}`,
  ]
  return facts.filter(fact => fact !== '')
}

function range(least: unknown, most: unknown, noun: string): string {
  const from = (numberOf(least) ?? 0) > 0 && isNumber(least) ? least : undefined
  const words = (n: number | WrittenNumber): string => `${grouped(n)} ${noun}${Number(n) === 1 ? '' : 's'}`
  if (!isNumber(most)) return from === undefined ? '' : `at least ${words(from)}`
  if (String(from) === String(most)) return `exactly ${words(most)}`
  return from === undefined ? `at most ${words(most)}` : `${grouped(from)} to ${words(most)}`
}

/** `12,000`; longer ones than anybody means are left as they are. */
const grouped = (n: number | WrittenNumber): string =>
  /^\d{1,40}$/.test(String(n)) ? BigInt(String(n)).toLocaleString('en') : String(n)

function bounds(schema: Fields): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (isNumber(minimum) && isNumber(maximum)) return `${minimum} to ${maximum}`
  const parts = [
    isNumber(minimum) ? `${minimum} or more` : '',
    isNumber(maximum) ? `${maximum} or less` : '',
    isNumber(exclusiveMinimum) ? `more than ${exclusiveMinimum}` : '',
    isNumber(exclusiveMaximum) ? `less than ${exclusiveMaximum}` : '',
  ]
  return parts.filter(part => part !== '').join(', ')
}
