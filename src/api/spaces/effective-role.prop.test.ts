// The rule of who has which role has three forms: a function, SQL, and a snapshot in memory. Over organizations of any
// shape they give the same role: on one resource, on everything that one person may see, for everybody on one resource,
// and as counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { testServer } from '../../../test/support/server.ts'
import { findMemberAccess } from '../../access/member-access.ts'
import { allows, MEMBER_ROLES, type MemberRole } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import {
  decide,
  type GrantedRole,
  membersWithEffectiveRole,
  personOf,
  roleInOrganization,
  roleOfRank,
  type Step,
} from '../../access/roles.ts'
import { roleOnSpace } from '../../access/visits.ts'
import { newId } from '../../base/ids.ts'
import { createUser } from '../accounts/actions.ts'
import { listCollections } from '../collections/rows.ts'
import { insertMember } from '../members/rows.ts'
import { beginOrganization } from '../organizations/actions.ts'
import { beginSpace } from './actions.ts'
import { listSpaces } from './lists.ts'
import { accessibleSpaces, visibleSpaces } from './rows.ts'
import { VISIBILITIES } from './schema.ts'

const { services } = await testServer()
const { db } = services

const FOLDERS = 4
const SPACES = 6
const PEOPLE = 3
const TEAMS = 2

const given = fc.constantFrom<GrantedRole>(...MEMBER_ROLES, 'none')
const level = fc.oneof({ weight: 3, arbitrary: fc.constant('inherit' as const) }, given)
const parent = (before: number) => fc.option(fc.nat(FOLDERS).map(at => (before === 0 ? null : at % before)))
const shape = fc.record({
  // a folder is in one that was made before it, or at the root
  folders: fc.tuple(...Array.from({ length: FOLDERS }, (_, at) => fc.record({ parent: parent(at), level }))),
  spaces: fc.array(
    fc.record({ parent: parent(FOLDERS), level, visibility: fc.constantFrom(...VISIBILITIES) }),
    { minLength: SPACES, maxLength: SPACES },
  ),
  people: fc.array(
    fc.record({
      role: fc.constantFrom<MemberRole | null>(...MEMBER_ROLES, null, null),
      disabled: fc.nat(5).map(chance => chance === 0),
      teams: fc.uniqueArray(fc.nat(TEAMS - 1)),
    }),
    { minLength: PEOPLE, maxLength: PEOPLE },
  ),
  grants: fc.array(
    fc.record({ thing: fc.nat(FOLDERS + SPACES - 1), grantee: fc.nat(PEOPLE + TEAMS - 1), role: given }),
    { maxLength: 12 },
  ),
})
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

/** The shape as rows, and what the rule says of it without any SQL. */
async function build({ folders, spaces, people, grants }: Shape) {
  return services.transaction(async trx => {
    const founder = await createUser(trx, `${newId()}@people.test`)
    const { id: organizationId } = await beginOrganization(trx, services.events, founder.id, { title: 'Any' })
    const folderIds = folders.map(() => newId())
    const idOf = (at: number | null | undefined) => (at == null ? null : (folderIds[at] ?? null))
    for (const [at, folder] of folders.entries())
      await trx
        .insertInto('collections')
        .values({
          id: folderIds[at] as string,
          organization_id: organizationId,
          parent_id: idOf(folder.parent),
          position: String(at),
          title: `Folder ${at}`,
          default_level: folder.level,
        })
        .execute()
    const spaceIds: string[] = []
    for (const { parent: at, level: default_level, visibility } of spaces) {
      const { id } = await beginSpace(trx, services, founder.id, organizationId, {})
      await trx
        .updateTable('spaces')
        .set({ parent_id: idOf(at), default_level, visibility })
        .where('id', '=', id)
        .execute()
      spaceIds.push(id)
    }
    const teamIds = Array.from({ length: TEAMS }, () => newId())
    for (const id of teamIds)
      await trx.insertInto('teams').values({ id, organization_id: organizationId, title: 'A team' }).execute()
    const userIds: string[] = []
    for (const { role, disabled, teams } of people) {
      const { id } = await createUser(trx, `${newId()}@people.test`)
      await insertMember(trx, { organization_id: organizationId, user_id: id, role })
      await trx.updateTable('members').set({ disabled }).where('user_id', '=', id).execute()
      for (const team of teams)
        await trx
          .insertInto('team_members')
          .values({ organization_id: organizationId, team_id: teamIds[team] as string, user_id: id })
          .execute()
      userIds.push(id)
    }
    const kept = new Map(grants.map(grant => [`${grant.thing} ${grant.grantee}`, grant]))
    for (const { thing, grantee, role } of kept.values())
      await trx
        .insertInto('grants')
        .values({
          id: newId(),
          organization_id: organizationId,
          collection_id: folderIds[thing] ?? null,
          space_id: spaceIds[thing - FOLDERS] ?? null,
          user_id: userIds[grantee] ?? null,
          team_id: teamIds[grantee - PEOPLE] ?? null,
          role,
        })
        .execute()
    return { organizationId, folderIds, spaceIds, userIds, grants: [...kept.values()] }
  })
}

test('a role is the same from whichever side it is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(shape, async made => {
      const built = await build(made)
      const { organizationId, folderIds, spaceIds, userIds } = built
      const accessOf = await findMemberAccess(services, organizationId, userIds)

      /** The way up as the shape says it. */
      const wayOf = (at: number, person: number): Step[] => {
        const steps: Step[] = []
        for (let thing: number | null = at; thing !== null; ) {
          const isFolder: boolean = thing < FOLDERS
          const one = (isFolder ? made.folders[thing] : made.spaces[thing - FOLDERS]) as Shape['spaces'][0]
          const on = built.grants.filter(grant => grant.thing === thing)
          steps.push({
            kind: isFolder ? 'collection' : 'space',
            id: '',
            title: '',
            level: one.level,
            own: on.find(({ grantee }) => grantee === person)?.role ?? null,
            teams: on
              .filter(({ grantee }) => made.people[person]?.teams.includes(grantee - PEOPLE))
              .map(({ role }) => ({ id: '', title: '', role })),
          })
          thing = one.parent ?? null
        }
        return steps
      }

      for (const [person, { role, disabled, teams }] of made.people.entries()) {
        const userId = userIds[person] as string
        const memberships = new Map(disabled ? [] : [[organizationId, role] as const])
        const principal = { kind: 'user', user: { id: userId }, memberships } as unknown as UserPrincipal
        const inOrganization = roleInOrganization(principal, organizationId)
        const decided = (at: number) => decide(inOrganization, wayOf(at, person)).role

        const seen = new Map<string, MemberRole | null>()
        const findable: string[] = []
        for (const [at, id] of spaceIds.entries()) {
          const expected = decided(FOLDERS + at)
          const { visibility, parent: folder } = made.spaces[at] as Shape['spaces'][0]
          const isOpen = visibility === 'public' || visibility === 'unlisted'
          const isInOpen = visibility === 'in-collection' && folder !== null && decided(folder) !== null
          const row = await db.selectFrom('spaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
          const found = await roleOnSpace(db, { ...services, principal, proofs: NO_PROOFS }, row)
          assert.equal(found, expected ?? (isOpen || isInOpen ? 'visitor' : null), 'of one space')
          if (allows('space', 'view', found)) seen.set(id, expected)
          if (expected !== null || visibility === 'public' || isInOpen) findable.push(id)
        }

        const { items, count } = await listSpaces(services, organizationId, personOf(principal), {})
        assert.deepEqual(
          new Map(items.map(one => [one.id, roleOfRank(one.rank)] as const)),
          seen,
          'of all spaces that somebody may see',
        )
        assert.equal(count, seen.size)
        for (const [at, id] of folderIds.entries()) {
          const inFolder = await listSpaces(services, organizationId, personOf(principal), {}, id)
          const expected = spaceIds.filter((one, place) => seen.has(one) && made.spaces[place]?.parent === at)
          assert.deepEqual(
            inFolder.items.map(one => one.id).sort(),
            expected.sort(),
            'of those in a collection',
          )
          assert.equal(inFolder.count, expected.length)
        }
        const listed = await listCollections(db, organizationId, personOf(principal), { nested: true })
        assert.deepEqual(
          new Map(listed.items.map(one => [one.id, roleOfRank(one.rank)] as const)),
          new Map(folderIds.flatMap((id, at) => (decided(at) === null ? [] : [[id, decided(at)] as const]))),
          'of all collections',
        )
        const accessible = await accessibleSpaces(db, organizationId, personOf(principal)).execute()
        assert.deepEqual(
          accessible.map(({ id }) => id).sort(),
          [...seen]
            .filter(([, one]) => one !== null)
            .map(([id]) => id)
            .sort(),
          'of those they belong to',
        )
        const home = await visibleSpaces(db, personOf(principal)).select('spaces.id').execute()
        const mine = home.map(({ id }) => id).filter(id => spaceIds.includes(id))
        assert.deepEqual(mine.sort(), findable.sort(), 'of what they may find')
        assert.deepEqual(accessOf(userId), { spaces: seen.size, teams: teams.length }, 'as numbers')

        const folder = folderIds[FOLDERS - 1] as string
        for (const thing of [
          { kind: 'space', id: spaceIds[0] as string, at: FOLDERS },
          { kind: 'collection', id: folder, at: FOLDERS - 1 },
        ] as const) {
          const everybody = await membersWithEffectiveRole(db, organizationId, thing)
            .select('users.id')
            .execute()
          const rank = everybody.find(one => one.id === userId)?.rank
          assert.equal(roleOfRank(rank ?? 0), decided(thing.at), 'of everybody on one thing')
        }
      }
    }),
    tried(8),
  )
})
