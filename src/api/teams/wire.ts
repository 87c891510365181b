// Converts rows of teams to their wire format.
import { permissions, type RoleOn } from '../../access/policy.ts'
import type { TeamRow } from './rows.ts'
import { TEAM_PERMISSIONS, type Team } from './schema.ts'

export const toTeam = (row: TeamRow, role: RoleOn<'team'> | null): Team => ({
  object: 'team',
  id: row.id,
  title: row.title,
  members: row.members,
  spaces: row.spaces,
  createdAt: row.created_at.toISOString(),
  permissions: permissions('team', role, TEAM_PERMISSIONS),
})
