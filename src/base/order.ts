/** Orders texts by UTF-16 code units, for `sort`: the same everywhere, and independent of any language. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
