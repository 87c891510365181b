// The grants that the contents of a collection need so that everybody keeps their role when the collection is deleted.
// Only for contents with an inherited level: any other level already decides for all members.
import { type GrantedRole, rankOf } from '../../access/roles.ts'

export type Grant = { readonly kind: 'user' | 'team'; readonly id: string; readonly role: GrantedRole }

/**
 * `onCollection` and `onThing`: the current grants. `teamsOf`: the teams of each member of a team in these grants.
 * Returns the additional grants on the resource.
 *
 * Grants on the resource precede those on the collection: a person's own, else the best of their teams there. On one
 * resource, the best of several teams wins, so a person with a role by a team on the resource who is also in a team of
 * the collection is granted the role they have.
 */
export function preserveGrants(
  onCollection: readonly Grant[],
  onThing: readonly Grant[],
  teamsOf: ReadonlyMap<string, readonly string[]>,
): Grant[] {
  const has = new Set(onThing.map(({ kind, id }) => `${kind} ${id}`))
  const there = new Map(onThing.filter(({ kind }) => kind === 'team').map(({ id, role }) => [id, role]))
  const handed = onCollection.filter(given => !has.has(`${given.kind} ${given.id}`))
  const teams = new Set(handed.filter(({ kind }) => kind === 'team').map(({ id }) => id))
  const heldByTeam = new Map<string, GrantedRole>()
  for (const [user, theirs] of teamsOf) {
    const roles = theirs.flatMap(team => there.get(team) ?? [])
    if (has.has(`user ${user}`) || roles.length === 0) continue
    heldByTeam.set(
      user,
      roles.reduce((best, role) => (rankOf(role) > rankOf(best) ? role : best)),
    )
  }
  const kept = [...heldByTeam].filter(([user]) => teamsOf.get(user)?.some(team => teams.has(team)))
  return [
    ...handed.filter(({ kind, id }) => kind === 'team' || !heldByTeam.has(id)),
    ...kept.map(([id, role]) => ({ kind: 'user' as const, id, role })),
  ]
}
