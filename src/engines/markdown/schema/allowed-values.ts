// The values that the data of a rich document may choose from. Kept apart from the schemas of document/values.ts, because what
// turns Markdown into the model needs only these, and a thread that does so loads no library of schemas.

/** Colours of text and of its background; the last four are later additions. */
export const COLORS = [
  ...(['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple'] as const),
  ...(['$primary', '$info', '$success', '$warning', '$danger'] as const),
  ...(['pink', 'violet', 'cyan', '$tint'] as const),
] as const
export type Color = (typeof COLORS)[number]

export const HINT_STYLES = ['info', 'warning', 'danger', 'success'] as const
export const CODE_OVERFLOWS = ['scroll', 'wrap'] as const
export const VERTICAL_ALIGNMENTS = ['top', 'middle', 'bottom'] as const
export const IMAGE_FITS = ['contain', 'fill', 'cover'] as const
export const DATE_FORMATS = ['numeric', 'full', 'short'] as const
export const PROMPT_EXPANSIONS = ['hidden', 'partial', 'full'] as const

/** A heading's own anchor. */
export const ANCHOR = /^[-a-z0-9.+_]+$/
