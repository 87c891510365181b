// Text as PostgreSQL can hold it.

/** PostgreSQL's text has no U+0000 and no half surrogate pairs; documents keep theirs, an index need not. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ')
