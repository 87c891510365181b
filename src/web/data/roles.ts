// What somebody may do, as the API says it: roles from the weakest to the strongest, null for none.
import type { Member } from './members.ts'

export type Role = NonNullable<Member['role']>

export const ROLES = [
  'read',
  'comment',
  'edit',
  'review',
  'create',
  'admin',
] as const satisfies readonly Role[]
