// How much of a repository one import takes. Repositories are hostile, so everything has a bound; what is beyond is left
// out and named in the operation's problems, or ends the import.

const MIB = 1024 * 1024

/** Below the project directory. With more it is most often the wrong one, so the failure names `repoProjectDirectory`. */
export const ENTRIES_MAX = 50_000
/** As the tree invariant of the content store allows. */
export const PAGES_MAX = 20_000
/** Groups and pages above a page, itself included; deeper entries become siblings of the last level. */
export const DEPTH_MAX = 32
/** All Markdown that one import has to read anew, held in memory until the revision is written. */
export const MARKDOWN_BYTES_MAX = 256 * MIB
export const SUMMARY_BYTES_MAX = 2 * MIB
export const CONFIG_BYTES_MAX = MIB
export const VARIABLES_BYTES_MAX = 200_000
/** Documents on each side that are compared to find what was moved and edited in one commit; the rest get new ids. */
export const DOCUMENTS_COMPARED_MAX = 2_000
/** Of the configurations, and of the summaries, that are kept as they were read; what was read takes some ten bytes each. */
export const KEPT_CHARACTERS_MAX = 1_000_000
