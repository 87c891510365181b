// The door of document/: a page as a rich document. The checker (check.ts) is a door of its own, because it loads a
// library of schemas.

export { ALLOWED_CHILDREN, heldBy } from './allowed-children.ts'
export { Conversion, type Resolve } from './conversion.ts'
export { isLastWord } from './line.ts'
export { commonMarks, type Holder, isBlank, merge, type Part, partsOf, settle } from './mark-edges.ts'
export {
  type Block,
  type BlockData,
  type BlockOf,
  type BlockType,
  block,
  type Definition,
  type Fragment,
  fragment,
  type Inline,
  type InlineData,
  type ItemType,
  inline,
  type JSONDocument,
  type Leaf,
  type Mark,
  type Node,
  paragraph,
  SCHEMA_VERSION,
  type Text,
  text,
  type Value,
  type Words,
} from './model.ts'
export { blocksIn, fitBlocks, lineIn, plainText } from './schema-fitting.ts'
export {
  type DocumentOptions,
  type PlacedDocument,
  placeDocument,
  toDocument,
} from './to-document.ts'
export type { Reference } from './values.ts'
