// How many items a list answers at once.
export const LIMIT_ITEMS_MAX = 1000
export const LIMIT_ITEMS_DEFAULT = 100
