// The objects of git: the fields of commits.

export type Commit = {
  /** 40 hex digits. */
  readonly oid: string
  /** As written, without the final line end; bytes that are not UTF-8 become U+FFFD. */
  readonly message: string
  readonly author: string
  /** ISO 8601, UTC. */
  readonly authoredAt: string
}

const AUTHOR_CHARACTERS_MAX = 1000
const MESSAGE_CHARACTERS_MAX = 64 * 1024
// A crafted commit may have dates beyond the range of Date.
const SECONDS_MAX = 8_640_000_000_000

/** Parses the answer of `cat-file --batch` for one commit; undefined for anything else. */
export function parseCommit(answer: Buffer): Commit | undefined {
  const end = answer.indexOf(10)
  const [, oid, size] =
    /^([0-9a-f]{40}) commit (\d+)$/.exec(answer.toString('latin1', 0, Math.max(0, end))) ?? []
  if (oid === undefined || answer.length < end + 1 + Number(size)) return undefined
  const text = answer.toString('utf8', end + 1, end + 1 + Number(size))
  const gap = text.indexOf('\n\n')
  const line = text.slice(text.indexOf('\nauthor ') + 8).slice(0, AUTHOR_CHARACTERS_MAX)
  const [, author = '', seconds = '0'] = /^([^<\n]*?) ?<[^>\n]*> (-?\d+) [+-]\d+\n/.exec(line) ?? []
  const at = Math.min(Math.max(Number(seconds), 0), SECONDS_MAX)
  return {
    oid,
    message: gap === -1 ? '' : text.slice(gap + 2, gap + 2 + MESSAGE_CHARACTERS_MAX).trimEnd(),
    author,
    authoredAt: new Date(at * 1000).toISOString(),
  }
}
