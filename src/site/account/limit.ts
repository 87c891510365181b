// Which sessions may change the account.
import { isOwn, type UserPrincipal } from '../../access/principal.ts'

/**
 * Why somebody may not change their account with this session. An organization vouches for people only within itself,
 * and a narrowed token only for its purpose: neither stands for the person everywhere else. The password that began a
 * session is theirs, whatever it opens.
 */
export function limitOf({ onlyIn, scopes, session }: UserPrincipal): 'organization' | 'scopes' | null {
  if (onlyIn !== null && session !== null && !isOwn(session.method)) return 'organization'
  return scopes === null ? null : 'scopes'
}
