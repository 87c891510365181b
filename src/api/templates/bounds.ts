// Limits of a template. It is read whole when it is applied, and written in one revision.
export const TEMPLATES_MAX = 200
export const PAGES_MAX = 500
export const TEXT_BYTES_MAX = 2 * 1024 * 1024
export const FILES_MAX = 500
export const TITLE_CHARACTERS_MAX = 100
export const DESCRIPTION_CHARACTERS_MAX = 500
