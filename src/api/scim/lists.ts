// Lists of people and groups (RFC 7644 §3.4.2), each page with as many statements as any other.
import { Failure } from '../../base/errors.ts'
import type { Filter } from '../../engines/scim/filter.ts'
import type { Services } from '../../http/context.ts'
import { countGroups, countMembersOf, findMembersOf, type GroupRow, listGroups } from './group-rows.ts'
import { toScimGroup } from './group-wire.ts'
import { LIST_SCHEMA, type ListQuery } from './list-query.ts'
import type { Projection } from './projection.ts'
import { countPeople, findGroupsOf, listPeople, type PersonRow } from './user-rows.ts'
import { toScimUser } from './user-wire.ts'

type Reading = Pick<Services, 'db' | 'urls'>

/** Resources of one type. */
type Kind = {
  count(filter: Filter | null): Promise<number>
  page(
    filter: Filter | null,
    window: { readonly offset: number; readonly count: number },
    projection: Projection,
  ): Promise<readonly object[]>
}

/**
 * Members that the groups of one page have together. The page ends where it would have more (RFC 7644 §3.4.2.4 allows
 * fewer resources than asked for); one group is always whole.
 */
export const PAGE_MEMBERS_MAX = 10_000

export const usersOf = ({ db, urls }: Reading, organizationId: string): Kind => ({
  count: filter => countPeople(db, organizationId, filter),
  page: async (filter, window, projection) =>
    readUsers({ db, urls }, organizationId, await listPeople(db, organizationId, filter, window), projection),
})

export async function readUsers(
  { db, urls }: Reading,
  organizationId: string,
  rows: readonly PersonRow[],
  projection: Projection,
): Promise<readonly object[]> {
  const ids = projection.shows('groups') ? rows.map(({ id }) => id) : []
  const groups = await findGroupsOf(db, organizationId, ids)
  return rows.map(row => projection.of(toScimUser(urls, organizationId, row, groups.get(row.id) ?? [])))
}

export const groupsOf = ({ db, urls }: Reading, organizationId: string): Kind => ({
  count: filter => countGroups(db, organizationId, filter),
  async page(filter, window, projection) {
    const rows = await listGroups(db, organizationId, filter, window)
    const shown = projection.shows('members') ? await withinBound(db, rows) : rows
    return readGroups({ db, urls }, organizationId, shown, projection)
  },
})

async function readGroups(
  { db, urls }: Reading,
  organizationId: string,
  rows: readonly GroupRow[],
  projection: Projection,
): Promise<readonly object[]> {
  const members = projection.shows('members')
    ? await findMembersOf(
        db,
        organizationId,
        rows.map(({ id }) => id),
      )
    : undefined
  return rows.map(row => {
    const theirs = members === undefined ? undefined : (members.get(row.id) ?? [])
    return projection.of(toScimGroup(urls, organizationId, row, theirs))
  })
}

async function withinBound(db: Services['db'], rows: readonly GroupRow[]): Promise<readonly GroupRow[]> {
  const counts = await countMembersOf(
    db,
    rows.map(({ id }) => id),
  )
  let total = 0
  const end = rows.findIndex(({ id }, index) => {
    total += counts.get(id) ?? 0
    return index > 0 && total > PAGE_MEMBERS_MAX
  })
  return end === -1 ? rows : rows.slice(0, end)
}

export async function readList(kinds: readonly Kind[], query: ListQuery): Promise<object> {
  const { filter, offset, count, projection } = query
  let [skipped, total] = [offset, 0]
  const resources: object[] = []
  let isCut = false
  for (const [kind, has] of await countsOf(kinds, filter)) {
    total += has
    const wanted = Math.min(count - resources.length, has - skipped)
    if (wanted > 0 && !isCut) {
      const page = await kind.page(filter, { offset: skipped, count: wanted }, projection)
      resources.push(...page)
      isCut = page.length < wanted
    }
    skipped = Math.max(0, skipped - has)
  }
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** Of several types, those that lack an attribute of the filter have nothing that matches (RFC 7644 §3.4.2.1). */
async function countsOf(
  kinds: readonly Kind[],
  filter: Filter | null,
): Promise<readonly (readonly [Kind, number])[]> {
  const counts: (readonly [Kind, number])[] = []
  let refusal: Failure | undefined
  for (const kind of kinds)
    try {
      counts.push([kind, await kind.count(filter)])
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'scim_attribute_unknown') throw error
      refusal = error
    }
  if (counts.length === 0 && refusal !== undefined) throw refusal
  return counts
}
