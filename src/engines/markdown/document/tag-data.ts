// The blocks of the model that a tag becomes, and their data as the attributes of the tag.
import { type Attribute, TAG_ATTRIBUTES, writeAttributes } from '../attributes/attributes.ts'
import type { BlockData, BlockType } from './model.ts'

/** Each attribute has the type that the model gives it. */
const TABLES = TAG_ATTRIBUTES satisfies {
  readonly [T in BlockType]?: {
    readonly [K in keyof BlockData<T>]?: Attribute<NonNullable<BlockData<T>[K]>>
  }
}

export type TaggedType = keyof typeof TABLES

export const writeTagData = <T extends TaggedType>(type: T, data?: Partial<BlockData<T>>) =>
  writeAttributes(TABLES[type], data)
