// Which rows of `spaces` somebody sees, as a condition on their own columns: a list finds its rows along an index, and
// nothing is joined to decide about them.
import { type RawBuilder, sql } from 'kysely'
import { ADMIN_RANK, rankOnCollection, type SpaceView } from './visibility-snapshot.ts'
import { decisive } from './visible-space-counts.ts'

/** For the spaces of the organization that the view is of. */
export function isVisible({ snapshot, member }: SpaceView): RawBuilder<boolean> {
  if (member?.rank === ADMIN_RANK) return sql<boolean>`true`
  const granted = member === null ? [] : [...decisive(member.own.spaces, member.teams.spaces)]
  const isGranted = isIn(
    'id',
    granted.filter(([, { rank }]) => rank > 0).map(([id]) => id),
  )
  const isRefused = isIn(
    'id',
    granted.filter(([, { rank }]) => rank === 0).map(([id]) => id),
  )
  // those that are open, never those that are closed: one that nothing is known of is closed
  const open =
    member === null
      ? []
      : [...snapshot.byId].filter(([, node]) => rankOnCollection(member, node) > 0).map(([id]) => id)
  const isMember = sql.lit((member?.rank ?? 0) > 0)
  return sql<boolean>`case
    when visibility in ('public', 'unlisted') or ${isGranted} then true
    when ${isMember} and level_rank > 0 and not ${isRefused} then true
    when visibility <> 'in-collection' and (level_rank is not null or ${isRefused}) then false
    when parent_id is null then ${isMember} and level_rank is null and not ${isRefused}
    else ${isIn('parent_id', open)} end`
}

/** A subquery is hashed, where an array would be walked for every row. */
const isIn = (column: 'id' | 'parent_id', ids: readonly string[]) =>
  ids.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.ref(column)} in (select unnest(${[...ids]}::text[])))`
