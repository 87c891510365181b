// The second door of document/: what a block needs to become part of a rich document, without the conversion of pages.
export { ALLOWED_CHILDREN, heldBy } from './allowed-children.ts'
export type { Conversion, ReadBlock } from './conversion.ts'
export { readLine } from './inlines.ts'
export {
  type Block,
  type BlockData,
  type BlockOf,
  block,
  type Definition,
  type Fragment,
  fragment,
  paragraph,
  text,
  type Value,
  type Words,
} from './model.ts'
export {
  areHeld,
  dateAndTags,
  expandableApart,
  fitBlocks,
  plainText,
  titled,
  wrapRuns,
} from './schema-fitting.ts'
export { linkTo, orEmpty, readItems, specOf } from './tagged.ts'
export type { Reference } from './values.ts'
