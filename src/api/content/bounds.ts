// How much a space may hold. An import leaves out the excess; an edit is refused, by the sum of files, reusable
// contents and variables.

const MIB = 1024 * 1024

/** The Markdown of one page. */
export const PAGE_BYTES_MAX = 10 * MIB
export const TITLE_CHARACTERS_MAX = 250
export const DESCRIPTION_CHARACTERS_MAX = 2_000
export const FILES_MAX = 20_000
export const REUSABLES_MAX = 2_000
export const VARIABLES_MAX = 2_000
export const VARIABLE_NAME_CHARACTERS_MAX = 100
