// Turns git's messages into failures that people can act on. Git has no error codes, so its English messages are
// matched; any other is `git_failed`. The messages themselves are only logged.
import { Failure, type FailureKind } from '../../base/errors.ts'
import type { Credentials } from './remote.ts'

/** The codes that a fetch may fail with; stable, for programs. */
export type GitCode =
  | 'git_unauthorized'
  | 'git_repository_missing'
  | 'git_repository_empty'
  | 'git_ref_missing'
  | 'git_redirect_refused'
  | 'git_unreachable'
  | 'git_certificate_refused'
  | 'git_interrupted'
  | 'git_host_failed'
  | 'git_unsupported'
  | 'git_too_large'
  | 'git_timeout'
  | 'git_failed'

type Rule = {
  readonly says: RegExp
  readonly kind: FailureKind
  readonly code: GitCode
  /** After "The repository <url> …". */
  readonly message: string
}

// In this order: the first match wins.
const RULES: readonly Rule[] = [
  {
    says: /^fatal: (?:couldn't find remote ref|.*not our ref)/im,
    kind: 'invalid',
    code: 'git_ref_missing',
    message: 'does not have this ref.',
  },
  {
    says: /expected commit type/,
    kind: 'invalid',
    code: 'git_ref_missing',
    message: 'has something at this ref that is not a commit.',
  },
  {
    says: /^fatal: (?:Authentication failed|could not read (?:Username|Password))/im,
    kind: 'invalid',
    code: 'git_unauthorized',
    message:
      'refused the user and password, or needs some. Put them in the URL: https://user:password@host/….',
  },
  {
    says: /requested URL returned error: 403/i,
    kind: 'invalid',
    code: 'git_unauthorized',
    message: 'cannot be read with these credentials (the host answered 403).',
  },
  {
    says: /requested URL returned error: 30\d|unable to update url base from redirection/i,
    kind: 'invalid',
    code: 'git_redirect_refused',
    message: 'answered with a redirect, which is not followed. Give the URL that it leads to.',
  },
  {
    says: /requested URL returned error: (?:404|410)|^fatal: repository .* not found|^fatal: remote error:.*(?:not found|does not exist)/im,
    kind: 'invalid',
    code: 'git_repository_missing',
    message: 'does not exist, or needs credentials to be seen.',
  },
  {
    says: /requested URL returned error: (?:429|5\d\d)/i,
    kind: 'unavailable',
    code: 'git_host_failed',
    message: 'cannot be read now: its host answered with an error. Try again later.',
  },
  {
    says: /early EOF|hung up unexpectedly|RPC failed|Recv failure|Empty reply|unexpected disconnect|transfer closed|bad line length|connection (?:was )?(?:reset|closed)/i,
    kind: 'unavailable',
    code: 'git_interrupted',
    message: 'was cut off during the transfer. Try again.',
  },
  {
    says: /is this a git repository\?|invalid server response|dumb http transport|unable to parse remote|protocol error|invalid info\/refs/i,
    kind: 'invalid',
    code: 'git_repository_missing',
    message: 'is not a git repository: its server does not speak the git protocol.',
  },
  {
    says: /mismatched algorithms|does not support (?:shallow|--depth)|unknown object format/i,
    kind: 'invalid',
    code: 'git_unsupported',
    message: 'is of a kind that cannot be read (SHA-256 objects, or a server without shallow fetches).',
  },
  {
    says: /SSL|TLS|certificate/,
    kind: 'unavailable',
    code: 'git_certificate_refused',
    message: 'could not be reached safely: the certificate or the encryption of its host was refused.',
  },
  {
    says: /Operation too slow|timed out|Timeout was reached/i,
    kind: 'unavailable',
    code: 'git_timeout',
    message: 'did not answer in time.',
  },
  {
    says: /Failed to connect|Could not resolve|Couldn't connect|Connection refused|No route to host|Network is unreachable/i,
    kind: 'unavailable',
    code: 'git_unreachable',
    message: 'cannot be reached: nothing answers at its address.',
  },
]

/** The failure that `stderr` reports. `url` has no credentials. */
export function readFailure(url: string, stderr: string, credentials: Credentials | undefined): Failure {
  const rule = RULES.find(({ says }) => says.test(stderr))
  const kind = rule?.kind ?? 'unavailable'
  const message = rule?.message ?? 'could not be read. The log of this server has the details.'
  return gitFailure(kind, rule?.code ?? 'git_failed', url, message, redact(stderr, credentials))
}

export const gitFailure = (
  kind: FailureKind,
  code: GitCode,
  url: string,
  message: string,
  said?: string,
): Failure =>
  new Failure(
    kind,
    code,
    `The repository ${url} ${message}`,
    said === undefined ? undefined : new Error(said),
  )

// Git repeats the address in its messages; our addresses have no password, and a header never reaches standard error.
// Both are removed all the same, in case a later git is more talkative.
export function redact(stderr: string, credentials: Credentials | undefined): string {
  const text = stderr.replace(/\/\/[^/\s@]*@/g, '//')
  return (credentials?.redact(text) ?? text).slice(-4000)
}
