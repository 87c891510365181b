// How a request is to be executed: only on the version that its caller has seen (If-Match), and with a short answer
// (Prefer).
import { invalid, precondition } from '../base/errors.ts'

/** Headers that an operation can support. */
export type SupportedHeader = 'if-match' | 'return=minimal'

export interface Preconditions {
  /**
   * The entity tags of If-Match without their quotes, possibly with `*`; null if the header is absent or unsupported.
   */
  readonly ifMatch: readonly string[] | null
  /** The caller does not need the created thing in the answer: `minimal()` is enough. */
  readonly prefersMinimal: boolean
}

export const NO_PRECONDITIONS: Preconditions = { ifMatch: null, prefersMinimal: false }

/** @throws {Failure} `invalid` for a malformed If-Match; a malformed Prefer is ignored (RFC 7240 §2). */
export function parsePreconditions(
  supported: readonly SupportedHeader[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Preconditions {
  const ifMatch = headers['if-match']
  const prefer = headers.prefer
  return {
    ifMatch:
      supported.includes('if-match') && ifMatch !== undefined ? parseEntityTags(String(ifMatch)) : null,
    prefersMinimal: supported.includes('return=minimal') && prefer !== undefined && isMinimal(String(prefer)),
  }
}

/**
 * Throws `precondition` unless the caller named the current revision or left it open which to write to. To be called
 * where the current one can no longer move, within the transaction that moves it.
 */
export function requireHead(preconditions: Pick<Preconditions, 'ifMatch'>, currentRevisionId: string): void {
  if (isMet(preconditions, currentRevisionId)) return
  throw precondition(
    'head_moved',
    `If-Match: the content is at the revision ${currentRevisionId} now. Read it again, then repeat the change with If-Match: "${currentRevisionId}".`,
  )
}

/** The same for what has no revisions: its version is the `updatedAt` that its caller has read. */
export function requireUnchanged(preconditions: Pick<Preconditions, 'ifMatch'>, updatedAt: Date): void {
  const current = updatedAt.toISOString()
  if (isMet(preconditions, current)) return
  throw precondition(
    'changed_meanwhile',
    `If-Match: it was changed at ${current}. Read it again, then repeat the change with If-Match: "${current}".`,
  )
}

const isMet = ({ ifMatch }: Pick<Preconditions, 'ifMatch'>, current: string): boolean =>
  ifMatch === null || ifMatch.includes('*') || ifMatch.includes(current)

// One entity tag of a list, with its comma (RFC 9110 §8.8.3 and §5.6.1, where elements may be empty). A weak tag
// counts like a strong one, because compressing proxies weaken tags.
const ENTITY_TAG = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y

/** The entity tags of If-Match, RFC 9110 §13.1.1. */
function parseEntityTags(header: string): string[] {
  if (header.trim() === '*') return ['*']
  const tags: string[] = []
  ENTITY_TAG.lastIndex = 0
  while (ENTITY_TAG.lastIndex < header.length) {
    const match = ENTITY_TAG.exec(header)
    if (match === null) throw unreadable()
    if (match[1] !== undefined) tags.push(match[1])
  }
  if (tags.length === 0) throw unreadable()
  return tags
}

const unreadable = () =>
  invalid(
    'if_match_invalid',
    'If-Match: write a revision in double quotes, several with commas between them, or * for any.',
  )

/** RFC 7240 §2: names are case-insensitive, the first of one name counts, and unknown or malformed ones are ignored. */
function isMinimal(header: string): boolean {
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=')
    if (name.trim().toLowerCase() === 'return')
      return value.trim().replaceAll('"', '').toLowerCase() === 'minimal'
  }
  return false
}
