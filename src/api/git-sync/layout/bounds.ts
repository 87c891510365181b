// Bounds of an import. Repositories are hostile, so everything has a bound; the excess is left out and reported in the
// operation's problems, or ends the import.

const MIB = 1024 * 1024

/**
 * Below the project directory. With more it is most likely the wrong one, so the failure names `repoProjectDirectory`.
 */
export const ENTRIES_MAX = 50_000
/** As many as the tree invariant allows. */
export const PAGES_MAX = 20_000
/** Levels, including the page itself; deeper entries become siblings on the last level. */
export const DEPTH_MAX = 32
/** New Markdown per import, held in memory until the revision is written. */
export const MARKDOWN_BYTES_MAX = 256 * MIB
export const SUMMARY_BYTES_MAX = 2 * MIB
export const CONFIG_BYTES_MAX = MIB
export const VARIABLES_BYTES_MAX = 200_000
/** Documents per side compared to find those moved and edited in one commit; the rest get new ids. */
export const DOCUMENTS_COMPARED_MAX = 2_000
/** In each of the caches of parsed configurations and summaries; a parsed character takes some ten bytes. */
export const KEPT_CHARACTERS_MAX = 1_000_000
