// The data of blocks that are written as tags, as schemas of the wire: each kind of attribute has one.
import { type TOptional, type TSchema, type TUnsafe, Type } from 'typebox'
import { type BlockName, schemaOf } from '../blocks/schemas.ts'
import type { BlockData } from '../reading/reading.ts'
import type { Attribute } from '../schema/schema.ts'
import { length } from './values.ts'

function typeOf(attribute: Attribute): TSchema {
  switch (attribute.kind) {
    case 'flag':
    case 'answer':
      return Type.Boolean()
    case 'count':
      return Type.Integer({ minimum: 1 })
    case 'length':
      return length
    case 'names':
      return Type.Array(Type.String())
    case 'tags':
      // Names, or objects that name their tag.
      return Type.Unknown()
    case 'choice':
      return Type.Enum([...attribute.values])
    default:
      return Type.String()
  }
}

type DataSchemas<N extends BlockName> = {
  [K in keyof BlockData<N>]-?: undefined extends BlockData<N>[K]
    ? TOptional<TUnsafe<Exclude<BlockData<N>[K], undefined>>>
    : TUnsafe<BlockData<N>[K]>
}

/** Attributes that always have a value are required. */
export function dataOf<N extends BlockName>(name: N): DataSchemas<N> {
  const { attributes } = schemaOf(name)
  const schemas = Object.entries(attributes).map(([key, attribute]) => {
    const schema = typeOf(attribute)
    return [key, attribute.absent === undefined ? Type.Optional(schema) : schema]
  })
  // The kind of each attribute gives both its schema and the type of its data.
  return Object.fromEntries(schemas) as DataSchemas<N>
}
