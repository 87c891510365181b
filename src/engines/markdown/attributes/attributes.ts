// The door of attributes/: what the attributes of GitBook's tags mean, and the values that they choose from.
export {
  ANCHOR,
  CODE_OVERFLOWS,
  COLORS,
  type Color,
  DATE_FORMATS,
  HINT_STYLES,
  IMAGE_FITS,
  PROMPT_EXPANSIONS,
  VERTICAL_ALIGNMENTS,
} from './allowed-values.ts'
export { type Button, buttonOf, questionOf } from './buttons.ts'
export { customTag, dataAttributes, tagNamed } from './elements.ts'
export { type Attribute, isOn } from './kinds.ts'
export { type Length, parseLength, renderLength } from './lengths.ts'
export { type AttributesOf, plainName, readAttributes, writeAttributes } from './reading.ts'
export { sideOf } from './sides.ts'
export {
  ENDPOINT_ATTRIBUTES,
  STRAY_ATTRIBUTES,
  TABLE_ATTRIBUTES,
  TAG_ATTRIBUTES,
  TARGET_ATTRIBUTES,
} from './tag-attributes.ts'
