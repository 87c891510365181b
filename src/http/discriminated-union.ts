// Unions of objects that are discriminated by a field, as `operation` discriminates page changes. An error in such an
// object is described for the alternative that the object names, not for all of them.

import { type Static, type TObject, Type } from 'typebox'
import { assert } from '../base/assert.ts'
import { ownMember } from '../base/objects.ts'

/**
 * One of these objects; each is a `model` whose field `name` is a distinct literal. Fields that an alternative does
 * not declare are not removed from it, as they are elsewhere: removing them means trying all alternatives, which on a
 * body of megabytes would cost more than everything else. Readers take only the fields that they know.
 */
export function DiscriminatedUnion<const T extends readonly TObject[]>(
  name: string,
  alternatives: readonly [...T],
) {
  const mapping = alternatives.map(({ properties, title }: TObject & { title?: string }) => [
    literalOf(properties[name], name),
    `#/components/schemas/${title}`,
  ])
  return Type.Unsafe<Static<T[number]>>({
    anyOf: alternatives,
    discriminator: { propertyName: name, mapping: Object.fromEntries(mapping) },
  })
}

function literalOf(field: { const?: unknown } | undefined, name: string): string {
  const word = field?.const
  assert(typeof word === 'string', `every alternative has a literal ${name}`)
  return word
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly TObject[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
}

/** The part of an alternative that discriminates. */
type Alternative = { readonly properties?: Readonly<Record<string, Pick<Schema, 'const' | 'enum'>>> }

/** The values that an alternative's field may have, if it lists them. */
export function literalsOf(alternative: Alternative, name: string): readonly unknown[] {
  const field = alternative.properties?.[name]
  return field?.enum ?? (field?.const === undefined ? [] : [field.const])
}

/** A field for which every alternative lists values that no other one has. */
export function discriminatorOf(alternatives: readonly Alternative[]): string | undefined {
  const [first] = alternatives
  return Object.keys(first?.properties ?? {}).find(name => {
    const lists = alternatives.map(alternative => literalsOf(alternative, name))
    const words = lists.flat()
    return lists.every(list => list.length > 0) && new Set(words).size === words.length
  })
}

/** An object of such a union, its path, and the schema that it has to match. */
export type ChosenAlternative = {
  readonly path: readonly string[]
  readonly value: unknown
  readonly schema: TObject
}

/**
 * The objects within a value that are discriminated by a field, whether or not their union declares it, each with the
 * alternative that it names, if any. In the order of the value, nested objects before their parents.
 */
export function* chosenAlternativesIn(
  schema: unknown,
  value: unknown,
  path: readonly string[] = [],
): Generator<ChosenAlternative> {
  // The keywords that this server's schemas use.
  const { properties, items, anyOf } = schema as Schema
  if (typeof value !== 'object' || value === null) return
  const name = anyOf && discriminatorOf(anyOf)
  if (anyOf !== undefined && name !== undefined) {
    const word = ownMember(value, name)
    const named = anyOf.find(alternative => literalsOf(alternative, name).includes(word))
    if (named !== undefined) yield* chosenAlternativesIn(named, value, path)
    const words = anyOf.flatMap(alternative => literalsOf(alternative, name))
    const choice = Type.Object({ [name]: Type.Enum(words.map(String)) })
    yield { path, value, schema: named ?? choice }
    return
  }
  if (Array.isArray(value)) {
    if (items === undefined) return
    for (const [index, item] of value.entries())
      yield* chosenAlternativesIn(items, item, [...path, String(index)])
    return
  }
  for (const [name, property] of Object.entries(properties ?? {}))
    yield* chosenAlternativesIn(property, ownMember(value, name), [...path, name])
}
