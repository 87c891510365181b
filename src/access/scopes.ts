// What a token may be narrowed to (api-facts §1.10). A token without scopes may do whatever its user may.

export const SCOPES = [
  'user:read',
  'user:write',
  'organization:read',
  'organization:write',
  'organization:search',
  'space:read',
  'space:write',
  'change-request:merge',
  'space:permissions:read',
  'space:permissions:write',
  'organization:members:read',
  'organization:members:write',
  'organization:ask',
  'openapi:read',
  'openapi:write',
] as const
export type Scope = (typeof SCOPES)[number]

/**
 * What an operation asks of a token: one scope; `any` token; or `unscoped`, a token that was not narrowed. The last
 * is for operations that would let a narrowed token widen itself, such as making tokens.
 */
export type ScopeNeeded = Scope | 'any' | 'unscoped'

export const isScope = (value: string): value is Scope => (SCOPES as readonly string[]).includes(value)

export function coversScope(granted: readonly string[] | null, needed: ScopeNeeded): boolean {
  if (granted === null || needed === 'any') return true
  return needed !== 'unscoped' && granted.includes(needed)
}
