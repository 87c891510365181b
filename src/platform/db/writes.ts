// What a statement writes, read from its text, so that caches hear of a commit what it may have made old.

/** Tables that were written, as `insert events` or `delete spaces`; undefined where anything may have been. */
export type Writes = ReadonlySet<string> | undefined

// `for update` locks, and `do update set` is of the insert before it.
const WRITE =
  /(?<!\b(?:for|key|do)\s{1,9})\b(insert|update|delete)\s{1,9}(?:into\s{1,9}|from\s{1,9}|only\s{1,9}){0,2}"?([a-z_]\w*)/gi

/** Those of the text of one statement, or of several. Cascades and triggers of the tables are not among them. */
export const writesOf = (text: string): readonly string[] =>
  [...text.matchAll(WRITE)].map(([, verb = '', table = '']) => `${verb} ${table}`.toLowerCase())
