// SQL over the members of an organization as its directory sees them. Who has no row of the directory is known by what
// their account says.
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Filter } from '../../engines/scim/filter.ts'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { ScimPeople } from '../../platform/db/tables.ts'
import { type Attribute, type Attributes, filterToSql } from './filter-sql.ts'
import { USER_SCHEMA } from './user-draft.ts'

export type PersonRow = {
  readonly id: string
  readonly user_name: string
  readonly external_id: string | null
  readonly email: string
  readonly display_name: string
  readonly given_name: string | null
  readonly family_name: string | null
  readonly made_account: boolean
  readonly disabled: boolean
  readonly joined_at: Date
  readonly changed_at: Date
}

const userName = sql<string>`coalesce(scim_people.user_name, users.email)`
const email = sql<string>`coalesce(scim_people.email, users.email)`
const displayName = sql<string>`coalesce(scim_people.display_name, users.display_name)`
const changedAt = sql<Date>`greatest(members.joined_at, scim_people.changed_at)`

const people = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('scim_people', join =>
      join
        .onRef('scim_people.organization_id', '=', 'members.organization_id')
        .onRef('scim_people.user_id', '=', 'members.user_id'),
    )
    .where('members.organization_id', '=', organizationId)

const selectPeople = (db: Db | Trx, organizationId: string) =>
  people(db, organizationId)
    .select(['members.user_id as id', 'members.disabled', 'members.joined_at'])
    .select(['scim_people.external_id', 'scim_people.given_name', 'scim_people.family_name'])
    .select([userName.as('user_name'), email.as('email'), displayName.as('display_name')])
    .select(sql<boolean>`coalesce(scim_people.made_account, false)`.as('made_account'))
    .select(changedAt.as('changed_at'))

export const findPerson = (
  db: Db | Trx,
  organizationId: string,
  id: string,
): Promise<PersonRow | undefined> =>
  selectPeople(db, organizationId).where('members.user_id', '=', id).executeTakeFirst()

/** In the order in which they joined. */
export const listPeople = (
  db: Db,
  organizationId: string,
  filter: Filter | null,
  { offset, count }: { readonly offset: number; readonly count: number },
): Promise<PersonRow[]> =>
  selectPeople(db, organizationId)
    .where(conditionOf(organizationId, filter))
    .orderBy('members.joined_at')
    .orderBy('members.user_id')
    .offset(offset)
    .limit(count)
    .execute()

export const countPeople = (db: Db, organizationId: string, filter: Filter | null): Promise<number> =>
  countRows(people(db, organizationId).where(conditionOf(organizationId, filter)))

/** Whether somebody else of the organization has the name or the address. */
export async function isTaken(
  trx: Trx,
  organizationId: string,
  { userName: name, email: address }: { readonly userName: string; readonly email: string },
  exceptId: string | null,
): Promise<boolean> {
  const row = await people(trx, organizationId)
    .select('members.user_id')
    .where(sql<boolean>`(${isNamed(organizationId, name)} or ${hasEmail(organizationId, address)})`)
    .where(sql<boolean>`members.user_id is distinct from ${exceptId}::text`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const conditionOf = (organizationId: string, filter: Filter | null): RawBuilder<boolean> =>
  filter === null ? sql<boolean>`true` : filterToSql(filter, userAttributes(organizationId))

/** Those who may have the text as their name or address, by an index of each table; then whether they have it. */
const byIndexes = (organizationId: string, column: string, shown: RawBuilder<string>, text: string) =>
  sql<boolean>`(members.user_id = any(array(
      select user_id from scim_people
        where organization_id = ${organizationId} and lower(${sql.ref(column)}) = lower(${text}::text)
      union all select id from users where lower(email) = lower(${text}::text)))
    and lower(${shown}) = lower(${text}::text))`

const isNamed = (organizationId: string, text: string) =>
  byIndexes(organizationId, 'user_name', userName, text)
const hasEmail = (organizationId: string, text: string) => byIndexes(organizationId, 'email', email, text)

function userAttributes(organizationId: string): Attributes {
  const text = (column: RawBuilder<string | null>): Attribute => ({
    kind: 'text',
    column,
    isCaseExact: false,
  })
  const address: Attribute = {
    ...{ kind: 'text', column: email, isCaseExact: false },
    equals: value => hasEmail(organizationId, value),
  }
  const team = (id: string) => sql`select from team_members
    where team_members.team_id = ${id} and team_members.user_id = members.user_id
      and team_members.organization_id = ${organizationId}`
  const groups: Attribute = {
    kind: 'references',
    has: id => sql<boolean>`(exists (${team(id)}))`,
    hasAny: sql<boolean>`(exists (select from team_members
      where team_members.organization_id = ${organizationId} and team_members.user_id = members.user_id))`,
  }
  return {
    schema: USER_SCHEMA,
    byName: new Map<string, Attribute>([
      ['id', { kind: 'text', column: sql<string>`members.user_id`, isCaseExact: true, equals: hasId }],
      [
        'username',
        {
          ...{ kind: 'text', column: userName, isCaseExact: false },
          equals: value => isNamed(organizationId, value),
        },
      ],
      [
        'externalid',
        {
          ...{ kind: 'text', column: sql<string | null>`scim_people.external_id`, isCaseExact: true },
          equals: value => sql<boolean>`(members.user_id = any(array(select user_id from scim_people
            where organization_id = ${organizationId} and external_id = ${value})))`,
        },
      ],
      ['displayname', text(displayName)],
      ['name.givenname', text(sql<string | null>`scim_people.given_name`)],
      ['name.familyname', text(sql<string | null>`scim_people.family_name`)],
      ['emails', address],
      ['emails.value', address],
      ['emails.type', text(sql<string>`'work'`)],
      ['emails.primary', { kind: 'boolean', column: sql<boolean>`true` }],
      ['active', { kind: 'boolean', column: sql<boolean>`(not members.disabled)` }],
      ['groups', groups],
      ['groups.value', groups],
      ['meta.created', { kind: 'time', column: sql<Date>`members.joined_at` }],
      ['meta.lastmodified', { kind: 'time', column: changedAt }],
      ['meta.resourcetype', text(sql<string>`'User'`)],
    ]),
  }
}

const hasId = (value: string) => sql<boolean>`(members.user_id = ${value})`

export type GroupOfPerson = { readonly user_id: string; readonly id: string; readonly title: string }

/** Teams shown of one person. */
const GROUPS_MAX = 1000

export async function findGroupsOf(
  db: Db | Trx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly GroupOfPerson[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<GroupOfPerson>`
    select wanted.user_id, teams.id, teams.title
    from unnest(${[...ids]}::text[]) as wanted (user_id)
    cross join lateral (
      select team_id from team_members
      where team_members.organization_id = ${organizationId} and team_members.user_id = wanted.user_id
      order by team_id limit ${GROUPS_MAX}) as theirs
    cross join lateral (select id, title from teams where teams.id = theirs.team_id offset 0) as teams`.execute(
    db,
  )
  return Map.groupBy(rows, ({ user_id }) => user_id)
}

/** What the directory said of an account, member or not. */
export const findRecord = (trx: Trx, organizationId: string, userId: string) =>
  trx
    .selectFrom('scim_people')
    .select(['external_id', 'made_account'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const upsertRecord = (trx: Trx, row: Omit<Insertable<ScimPeople>, 'changed_at'>) =>
  trx
    .insertInto('scim_people')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['organization_id', 'user_id']).doUpdateSet(({ ref }) => ({
        user_name: ref('excluded.user_name'),
        external_id: ref('excluded.external_id'),
        email: ref('excluded.email'),
        display_name: ref('excluded.display_name'),
        given_name: ref('excluded.given_name'),
        family_name: ref('excluded.family_name'),
        made_account: ref('excluded.made_account'),
        changed_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()

/** Frees a name and an address that somebody has who left the organization. */
export const removeFormerRecords = (
  trx: Trx,
  organizationId: string,
  { userName: name, email: address }: { readonly userName: string; readonly email: string },
  exceptId: string,
) =>
  trx
    .deleteFrom('scim_people')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(lower(user_name) = lower(${name}) or lower(email) = lower(${address}))`)
    .where('user_id', '<>', exceptId)
    .where(sql<boolean>`not exists (select from members
      where members.organization_id = scim_people.organization_id and members.user_id = scim_people.user_id)`)
    .execute()

/** What directories said of an account in organizations that it has left. */
export const removeFormerRecordsOf = (trx: Trx, userId: string) =>
  trx
    .deleteFrom('scim_people')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not exists (select from members
      where members.organization_id = scim_people.organization_id and members.user_id = scim_people.user_id)`)
    .execute()

/** Whether the account belongs to another organization too. */
export async function isElsewhere(trx: Trx, organizationId: string, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('organization_id', '<>', organizationId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
