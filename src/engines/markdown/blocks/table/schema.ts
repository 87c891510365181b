// What GitBook's HTML tables say of themselves, of their columns and of their cells.
import {
  answer,
  count,
  flag,
  IMAGE_FITS,
  length,
  named,
  oneOf,
  optional,
  VERTICAL_ALIGNMENTS,
  withDefault,
} from '../../schema/schema.ts'

/** What a column holds; `text` is any content. */
const COLUMN_TYPES = [
  ...(['text', 'number', 'checkbox', 'rating', 'select'] as const),
  ...(['users', 'files', 'content-ref', 'image'] as const),
] as const

/** Of `<table>`, each after `data-`. */
export const TABLE_DATA = {
  view: withDefault(oneOf(['grid', 'cards']), 'grid'),
  fullWidth: flag,
  search: answer,
  // Of rows.
  hideHeader: named(flag, 'headerHidden'),
  stickyHeader: flag,
  stickyFirstColumn: flag,
  // Of cards.
  cardSize: withDefault(oneOf(['medium', 'large']), 'medium'),
  hideColumnTitle: named(flag, 'columnTitleHidden'),
  wrap: flag,
} as const

/** Of a cell in the head, each after `data-`. */
export const COLUMN_DATA = {
  type: withDefault(oneOf(COLUMN_TYPES), 'text'),
  isHidden: named(flag, 'hidden'),
  isTarget: named(flag, 'cardTarget'),
  isCover: named(flag, 'cardCover'),
  isDarkCover: named(flag, 'cardCoverDark'),
  /** The most stars of a rating. */
  max: withDefault(count, 5),
  isMultiple: named(flag, 'multiple'),
} as const

/** Of the `<select>` in the head of a column of options. */
export const SELECT_ATTRIBUTES = { isMultiple: named(flag, 'multiple') } as const
export const OPTION_ATTRIBUTES = { label: optional, color: optional } as const

/** HTML's own, of any cell. */
export const CELL_ATTRIBUTES = {
  align: oneOf(['left', 'center', 'right', 'start', 'end']),
  verticalAlignment: named(oneOf(VERTICAL_ALIGNMENTS), 'valign'),
  width: length,
  columns: withDefault(named(count, 'colspan'), 1),
  rows: withDefault(named(count, 'rowspan'), 1),
} as const

/** How a picture fills its cell; after `data-`. */
export const CELL_DATA = { objectFit: oneOf(IMAGE_FITS) } as const
