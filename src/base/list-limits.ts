// How many items one answer of a list has.
export const LIMIT_ITEMS_MAX = 1000
export const LIMIT_ITEMS_DEFAULT = 100
