// What a token may be narrowed to. The names and meanings are those of the public interface, except for our own
// scopes, each of which is part of a public one.
import { keysOf } from '../base/objects.ts'

export const SCOPES = [
  'user:read',
  'user:write',
  'organization:read',
  'organization:write',
  'organization:search',
  'space:read',
  'space:write',
  'comment:write',
  'change-request:write',
  'change-request:review',
  'change-request:merge',
  'space:permissions:read',
  'space:permissions:write',
  'organization:members:read',
  'organization:members:write',
  'organization:audit:read',
  'organization:events:read',
  'organization:webhooks:read',
  'organization:webhooks:write',
  'organization:ask',
  'organization:conversations:read',
  'organization:conversations:write',
  'openapi:read',
  'openapi:write',
  'integration:read',
  'integration:publish',
  'integration:delete',
  'integration:installations:read',
  'integration:installations:write',
] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Scopes that include others. `space:write` also changes what readers see at once, by live edits, imports, templates
 * and settings; its parts do not, so a token with only those cannot.
 */
const PARTS: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  'space:write': ['comment:write', 'change-request:write', 'change-request:review'],
}

const READING = [
  ...['user:read', 'organization:read', 'organization:search', 'organization:ask'],
  ...['space:read', 'openapi:read', 'integration:read'],
] as const satisfies readonly Scope[]
const COMMENTING = [...READING, 'comment:write'] as const
const PROPOSING = [...COMMENTING, 'change-request:write'] as const
const REVIEWING = [...PROPOSING, 'change-request:review'] as const
const MERGING = [...REVIEWING, 'change-request:merge'] as const

/** Scopes under one name, for people who do not want to combine them: each includes the one before it. */
export const PRESETS = {
  read: READING,
  comment: COMMENTING,
  propose: PROPOSING,
  review: REVIEWING,
  merge: MERGING,
  write: [...MERGING, 'space:write'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>
export type Preset = keyof typeof PRESETS
export const PRESET_NAMES: readonly Preset[] = keysOf(PRESETS)

/**
 * The scope that an operation requires of a token: one scope; `any` token; or `unscoped`, a token that was not
 * narrowed. The last is for operations that would let a narrowed token widen itself, such as making tokens.
 */
export type ScopeNeeded = Scope | 'any' | 'unscoped'

const NAMES: ReadonlySet<string> = new Set(SCOPES)
export const isScope = (value: string): value is Scope => NAMES.has(value)
export const isPreset = (value: string): value is Preset => Object.hasOwn(PRESETS, value)

export function coversScope(granted: readonly string[] | null, needed: ScopeNeeded): boolean {
  if (granted === null || needed === 'any') return true
  if (needed === 'unscoped') return false
  return granted.some(
    scope => scope === needed || (isScope(scope) && PARTS[scope]?.includes(needed) === true),
  )
}
