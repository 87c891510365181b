// Text as PostgreSQL can hold it: it has no U+0000 and no half surrogate pairs.

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** For an index, which need not have what a document keeps. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ')

/** With the replacement character in place of both, for a text that is shown as it came. */
export const replaceUnstorable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')
