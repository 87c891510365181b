// Which rows of `spaces` somebody sees, as a condition on the table's own columns: a list finds its rows along an
// index, without a join. The operands of the SQL rule come from the snapshot.
import { type RawBuilder, sql } from 'kysely'
import { maySeeSpace } from './roles.ts'
import { ADMIN_RANK, rankOnCollection, type SpaceView } from './visibility-snapshot.ts'
import { decidingGrants } from './visible-space-counts.ts'

/** For the spaces of the view's organization. */
export function isVisible({ snapshot, member }: SpaceView): RawBuilder<boolean> {
  if (member?.rank === ADMIN_RANK) return sql<boolean>`true`
  const granted = member === null ? [] : [...decidingGrants(member.own.spaces, member.teams.spaces)]
  const idsOf = (isOpened: boolean) =>
    granted.filter(([, { rank }]) => rank > 0 === isOpened).map(([id]) => id)
  // The open ones: a collection missing from the snapshot counts as closed.
  const open =
    member === null
      ? []
      : [...snapshot.byId].filter(([, node]) => rankOnCollection(member, node) > 0).map(([id]) => id)
  // Whether a space is visible depends only on which ranks are 0, so 1 represents all others.
  return maySeeSpace(sql`visibility`, {
    inOrganization: sql.lit(member?.rank ?? null),
    granted: sql`case when ${isIn('id', idsOf(true))} then 1 when ${isIn('id', idsOf(false))} then 0 end`,
    level: sql`level_rank`,
    inherited: sql`case when parent_id is null then null when ${isIn('parent_id', open)} then 1 else 0 end`,
  })
}

/** A subquery is hashed; an array would be scanned for every row. */
const isIn = (column: 'id' | 'parent_id', ids: readonly string[]) =>
  ids.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.ref(column)} in (select unnest(${[...ids]}::text[])))`
