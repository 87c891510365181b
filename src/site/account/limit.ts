// Which sessions may change the account.
import { isOwn, type UserPrincipal } from '../../access/principal.ts'

/**
 * Why somebody may not change their account with this session. An organization vouches for people only within itself,
 * and a narrowed token only for its purpose: neither stands for the person everywhere else. The password that began a
 * session is theirs, whatever it opens.
 */
export function limitOf({ onlyIn, scopes, session }: UserPrincipal): string | null {
  if (onlyIn !== null && session !== null && !isOwn(session.method))
    return 'You are signed in to one organization only, so you cannot change your password here. Sign in with it to do so.'
  if (scopes !== null)
    return 'You are signed in with a token that has limited scopes, so you cannot change your password here. Sign in with it to do so.'
  return null
}
