// The field that tells alternatives apart, and its value for each (OpenAPI 3.1 §4.8.25): those of the mapping, else the
// name of the component.
import { entriesOf, type Fields, isObject, textOf } from '../../../base/objects.ts'
import { modelName } from './document.ts'

export interface Discriminator {
  readonly field: string
  /** The values that mean one alternative; none for an alternative that is no component. */
  valuesOf(alternative: unknown): readonly string[]
  /** All values of the mapping. */
  readonly values: readonly string[]
}

export function discriminatorOf(schema: Fields): Discriminator | undefined {
  const { discriminator } = schema
  const field = isObject(discriminator) ? textOf(discriminator.propertyName) : ''
  if (!isObject(discriminator) || field === '') return undefined
  const mapping = entriesOf(discriminator.mapping).map(([value, to]) => ({
    value,
    model: modelOf(textOf(to)),
  }))
  return {
    field,
    values: mapping.map(({ value }) => value),
    valuesOf(alternative) {
      const model = modelName(alternative)
      if (model === undefined) return []
      const mapped = mapping.filter(one => one.model === model).map(({ value }) => value)
      return mapped.length > 0 ? mapped : [model]
    },
  }
}

/** A mapping leads to a reference, or names a component. */
const modelOf = (to: string): string => modelName({ $ref: to }) ?? to
