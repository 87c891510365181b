// What has to be given on the contents of a collection, so that everybody keeps the role they have there when the
// collection is gone. Only of contents whose level is inherited: every other decides by itself for all members.
import { type GrantedRole, rankOf } from '../../access/roles.ts'

export type Grant = { readonly kind: 'user' | 'team'; readonly id: string; readonly role: GrantedRole }

/**
 * `onCollection` and `onThing`: what is given now. `teamsOf`: the teams of everybody who is in a team that is named.
 * Answers what is to be given on the thing besides.
 *
 * What is said on the thing decides before what is said on the collection: somebody's own role, else the best of their
 * teams there. Given on one thing, the roles of several teams would add up, so whoever has theirs from a team on the
 * thing and is in a team of the collection too is given what they have.
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
