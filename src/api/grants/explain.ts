// Why a user has their role: the rule of access/roles.ts, with all of its inputs.
import type { UserPrincipal } from '../../access/principal.ts'
import {
  decide,
  type EffectiveRole,
  findAncestry,
  type GrantedRole,
  rankOf,
  roleInOrganization,
  type Step,
} from '../../access/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PermissionsAt } from './place.ts'
import { findMemberRole } from './rows.ts'
import type { ExplainedStep, PermissionExplanation } from './schema.ts'

/**
 * A user who is unknown to the organization is explained as no member. Resources on the way that `viewer` may not see
 * are listed by id alone.
 */
export async function explainRole(
  db: Db,
  viewer: UserPrincipal,
  { organizationId, resource, visibility }: PermissionsAt,
  userId: string,
): Promise<PermissionExplanation> {
  const member = await findMemberRole(db, organizationId, userId)
  const inOrganization = member === undefined || member.disabled ? null : (member.role ?? 'guest')
  const way = await findAncestry(db, userId, resource)
  const effective = decide(inOrganization, way)
  const because = member?.disabled ? 'disabled' : effective.because
  const seen = await findSeen(db, viewer, organizationId, userId, way)
  const inParent = decide(inOrganization, way.slice(1)).role
  return {
    object: 'permission-explanation',
    user: userId,
    role: effective.role,
    because,
    ...(effective.at === null ? {} : { decidedAt: { object: effective.at.kind, id: effective.at.id } }),
    teams: decidingTeams(effective).map(({ id }) => id),
    ...(member === undefined ? {} : { organizationRole: member.role }),
    ...(visibility === null ? {} : { visitor: isOpen(visibility, way, inParent) }),
    text: describe(member?.display_name ?? userId, because, effective, seen),
    way: way.map(step => (seen.has(step.id) ? toStep(step) : { object: step.kind, id: step.id })),
  }
}

/** The resources on the way that the viewer has a role on. Admission has checked the first one. */
async function findSeen(
  db: Db,
  viewer: UserPrincipal,
  organizationId: string,
  userId: string,
  way: readonly Step[],
): Promise<ReadonlySet<string>> {
  const inOrganization = roleInOrganization(viewer, organizationId)
  const [resource] = way
  if (resource === undefined || inOrganization === 'admin') return new Set(way.map(({ id }) => id))
  const own = viewer.user.id === userId ? way : await findAncestry(db, viewer.user.id, resource)
  return new Set(
    own
      .filter((_, at) => at === 0 || decide(inOrganization, own.slice(at)).role !== null)
      .map(({ id }) => id),
  )
}

/** The teams with the best role at the step that decided. */
const decidingTeams = ({ because, at, role }: EffectiveRole): Step['teams'] =>
  because !== 'team' || at === null ? [] : at.teams.filter(team => rankOf(team.role) === rankOf(role))

/** The same as `mayVisit` without a proof. */
const isOpen = (visibility: string, way: readonly Step[], inParent: string | null): boolean =>
  visibility === 'public' ||
  visibility === 'unlisted' ||
  (visibility === 'in-collection' && way.length > 1 && inParent !== null)

const onWire = (role: GrantedRole) => (role === 'none' ? null : role)

const toStep = ({ kind, id, title, level, own, teams }: Step): ExplainedStep => ({
  object: kind,
  id,
  title,
  defaultLevel: level === 'inherit' ? level : onWire(level),
  ...(own === null ? {} : { given: onWire(own) }),
  teams: teams.map(team => ({ ...team, role: onWire(team.role) })),
})

function describe(
  name: string,
  because: PermissionExplanation['because'],
  effective: EffectiveRole,
  seen: ReadonlySet<string>,
): string {
  const role = effective.role === null ? 'has no access' : `has the role ${effective.role}`
  const { at } = effective
  const where =
    at === null ? 'the organization' : seen.has(at.id) ? `the ${at.kind} “${at.title}”` : `a ${at.kind}`
  switch (because) {
    case 'stranger':
      return `${name} ${role}: no member of the organization.`
    case 'disabled':
      return `${name} ${role}: the membership is disabled.`
    case 'organization-admin':
      return `${name} ${role}: admins of the organization are admins of everything in it.`
    case 'user':
      return `${name} ${role}: it was given to them on ${where}.`
    case 'team': {
      const teams = decidingTeams(effective).map(({ title }) => `“${title}”`)
      const whose = teams.length === 1 ? `their team ${teams[0]}` : `their teams ${teams.join(', ')}`
      return `${name} ${role}: it was given to ${seen.has(at?.id ?? '') ? whose : 'a team of theirs'} on ${where}.`
    }
    case 'default-level':
      return effective.role === null && at?.level !== 'none'
        ? `${name} ${role}: guests have what they were given, and the default level of ${where} gives them nothing.`
        : `${name} ${role}: it is the default level of ${where}.`
    case 'organization-role':
      return effective.role === null
        ? `${name} ${role}: guests of the organization have what they were given, and that is nothing here.`
        : `${name} ${role}: it is their role in the organization, and nothing on the way says otherwise.`
  }
}
