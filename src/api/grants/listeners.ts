// Grants follow what happens to their resources.
import { sql } from 'kysely'
import type { Resource } from '../../access/roles.ts'
import { assert } from '../../base/assert.ts'
import { conflict } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
// Declares the events.

import { type Grant, preserveGrants } from './preserved-grants.ts'

/** Grants that the deletion of one collection may add. */
const PRESERVED_MAX = 50_000

export function listenAsGrants(events: Events): void {
  // Grants are to people of the old organization: they do not move along.
  events.within('space.leaving', (trx, { spaceId }) => removeGrantsOn(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) =>
    removeGrantsOn(trx, [...payload.collections, ...payload.spaces]),
  )
  // A copy has the grants of the original.
  events.within('space.duplicated', async (trx, { organizationId, spaceId, payload }) => {
    assert(organizationId && spaceId, 'a copy is a space of an organization')
    const given = await findGiven(trx, [payload.from])
    const copy = { kind: 'space', id: spaceId } as const
    await insertGiven(
      trx,
      organizationId,
      (given.get(payload.from) ?? []).map(one => [copy, one]),
    )
  })
  events.within('collection.deleted', async (trx, { organizationId, payload }) => {
    assert(organizationId, 'a collection is one of an organization')
    await preserveGrantsOf(trx, organizationId, payload.collection)
  })
}

const removeGrantsOn = async (trx: Trx, resources: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom('grants')
    .where(
      sql<boolean>`(space_id = any(${[...resources]}::text[]) or collection_id = any(${[...resources]}::text[]))`,
    )
    .execute()
}

async function preserveGrantsOf(trx: Trx, organizationId: string, collection: string): Promise<void> {
  const onCollection = (await findGiven(trx, [collection])).get(collection) ?? []
  if (onCollection.length === 0) return
  const resources = await findInheriting(trx, collection)
  if (resources.length * onCollection.length > PRESERVED_MAX)
    throw conflict(
      'collection_too_shared',
      `The grants of this collection would be copied to each of the ${resources.length} resources that inherit from it, which is too many at once. Move some of them out first.`,
    )
  const given = await findGiven(
    trx,
    resources.map(({ id }) => id),
  )
  const teams = [onCollection, ...given.values()]
    .flat()
    .flatMap(({ kind, id }) => (kind === 'team' ? [id] : []))
  const teamsOf = await findTeamsOf(trx, teams)
  await insertGiven(
    trx,
    organizationId,
    resources.flatMap(resource =>
      preserveGrants(onCollection, given.get(resource.id) ?? [], teamsOf).map(
        one => [resource, one] as const,
      ),
    ),
  )
}

/** The contents of a collection that inherit its level, with deleted spaces, which may be restored. */
async function findInheriting(trx: Trx, collection: string): Promise<Resource[]> {
  const { rows } = await sql<Resource>`
    select 'space' as kind, id from spaces where parent_id = ${collection} and default_level = 'inherit'
    union all
    select 'collection', id from collections where parent_id = ${collection} and default_level = 'inherit'`.execute(
    trx,
  )
  return rows
}

async function findGiven(trx: Trx, resources: readonly string[]): Promise<Map<string, Grant[]>> {
  const { rows } = await sql<Grant & { resource: string }>`
    select coalesce(space_id, collection_id) as resource, coalesce(user_id, team_id) as id,
      case when user_id is null then 'team' else 'user' end as kind, role
    from grants
    where space_id = any(${[...resources]}::text[]) or collection_id = any(${[...resources]}::text[])`.execute(
    trx,
  )
  const given = new Map<string, Grant[]>()
  for (const { resource, kind, id, role } of rows) {
    const list = given.get(resource) ?? []
    given.set(resource, list)
    list.push({ kind, id, role })
  }
  return given
}

async function findTeamsOf(trx: Trx, teams: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ user: string; teams: string[] }>`
    select user_id as "user", array_agg(team_id) as teams from team_members
    where team_id = any(${[...new Set(teams)]}::text[]) group by user_id`.execute(trx)
  return new Map(rows.map(row => [row.user, row.teams]))
}

async function insertGiven(
  trx: Trx,
  organizationId: string,
  given: readonly (readonly [Resource, Grant])[],
): Promise<void> {
  if (given.length === 0) return
  const of = (kind: Resource['kind']) =>
    given.map(([resource]) => (resource.kind === kind ? resource.id : null))
  const to = (kind: Grant['kind']) => given.map(([, one]) => (one.kind === kind ? one.id : null))
  await sql`
    insert into grants (id, organization_id, space_id, collection_id, user_id, team_id, role)
    select one.id, ${organizationId}, one.space_id, one.collection_id, one.user_id, one.team_id, one.role
    from unnest(${given.map(() => newId())}::text[], ${of('space')}::text[], ${of('collection')}::text[],
      ${to('user')}::text[], ${to('team')}::text[], ${given.map(([, { role }]) => role)}::text[])
      as one (id, space_id, collection_id, user_id, team_id, role)`.execute(trx)
}
