// Text that PostgreSQL can hold: without U+0000 and half surrogate pairs.

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** For an index, which need not be exact. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ')

/** With the replacement character for both, for a text that is shown as it came. */
export const replaceUnstorable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
