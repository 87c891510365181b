// Everybody keeps their role on the contents of a collection when it is deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MEMBER_ROLES } from '../../access/policy.ts'
import { decide, type GrantedRole, type Step } from '../../access/roles.ts'
import { type Grant, preserveGrants } from './preserved-grants.ts'

const role = fc.constantFrom<GrantedRole>(...MEMBER_ROLES, 'none')
const level = fc.constantFrom<GrantedRole | 'inherit'>(...MEMBER_ROLES, 'none', 'inherit')
const grantee = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), id: fc.constantFrom('ada', 'ben', 'cyd') }),
  fc.record({ kind: fc.constant('team' as const), id: fc.constantFrom('red', 'blue', 'green') }),
)
const given = fc.uniqueArray(
  fc.tuple(grantee, role).map(([to, role]): Grant => ({ ...to, role })),
  { selector: ({ kind, id }) => `${kind} ${id}` },
)
const teams = fc.uniqueArray(fc.constantFrom('red', 'blue', 'green'))

const step = (
  grants: readonly Grant[],
  user: string,
  theirs: readonly string[],
  level: Step['level'],
): Step => ({
  kind: 'space',
  id: '',
  title: '',
  level,
  own: grants.find(({ kind, id }) => kind === 'user' && id === user)?.role ?? null,
  teams: grants.flatMap(({ kind, id, role }) =>
    kind === 'team' && theirs.includes(id) ? [{ id, title: '', role }] : [],
  ),
})

test('the role on a resource is the same below the collection and with its preserved grants', () => {
  fc.assert(
    fc.property(
      given,
      given,
      level,
      fc.record({ ada: teams, ben: teams, cyd: teams }),
      fc.constantFrom(...MEMBER_ROLES, 'guest' as const),
      (onCollection, onThing, itsLevel, membership, inOrganization) => {
        const teamsOf = new Map(Object.entries(membership).filter(([, theirs]) => theirs.length > 0))
        const after = [...onThing, ...preserveGrants(onCollection, onThing, teamsOf)]
        const keys = after.map(({ kind, id }) => `${kind} ${id}`)
        assert.equal(new Set(keys).size, keys.length, 'nobody is given two')
        for (const [user, theirs] of Object.entries(membership)) {
          const before = decide(inOrganization, [
            step(onThing, user, theirs, 'inherit'),
            step(onCollection, user, theirs, itsLevel),
          ])
          const then = decide(inOrganization, [step(after, user, theirs, itsLevel)])
          assert.equal(then.role, before.role, user)
        }
      },
    ),
    { numRuns: 3000 },
  )
})
