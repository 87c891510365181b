/** The order of texts by their UTF-16 code units, for `sort`: the same everywhere, and in no language's alphabet. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
