// The door of schema/: the kinds of attributes that blocks are made of, what their values mean, and how these are
// written. Nothing here depends on Node or on the parser.
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
export {
  type AttributesOf,
  isOn,
  type MeaninglessAttribute,
  meaninglessAttributes,
  plainName,
  readAttributes,
  type Written,
  writeAttributes,
} from './attributes.ts'
export {
  type Attribute,
  address,
  answer,
  type BlockSchema,
  count,
  flag,
  length,
  named,
  names,
  oneOf,
  optional,
  type Place,
  reference,
  required,
  tags,
  withDefault,
  word,
} from './kinds.ts'
export { type Length, parseLength, renderLength } from './lengths.ts'
