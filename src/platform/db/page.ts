// The only pagination: by keyset, so that a page costs the same anywhere in the list, and no row is shown twice or
// left out because others come and go.
import {
  ExpressionWrapper,
  type KyselyPlugin,
  type OperationNode,
  type RawBuilder,
  SelectionNode,
  type SelectQueryBuilder,
  SelectQueryNode,
  sql,
} from 'kysely'
import { assert } from '../../base/assert.ts'
import type { Json } from '../../base/canonical.ts'
import { decodeCursor, encodeCursor } from '../../base/cursor.ts'
import { Failure, invalid } from '../../base/errors.ts'
import { LIMIT_ITEMS_DEFAULT, LIMIT_ITEMS_MAX } from '../../base/list-limits.ts'
import { sqlState } from './failures.ts'

/** The caller's part: where to continue, and how many. */
export interface PageQuery {
  readonly page?: string | undefined
  readonly limit?: number | undefined
}

export type Direction = 'asc' | 'desc'

/** A result column to order by. A nullable one says so, because it cannot use the fast comparison. */
export type SortKey<Row> = {
  [Name in keyof Row & string]: null extends Row[Name]
    ? readonly [Name, Direction, 'nullable']
    : readonly [Name, Direction]
}[keyof Row & string]

export const NEWEST_FIRST = [
  ['created_at', 'desc'],
  ['id', 'desc'],
] as const
export const OLDEST_FIRST = [
  ['created_at', 'asc'],
  ['id', 'asc'],
] as const

export interface PageRequest<Row> extends PageQuery {
  /** Names the list and its filters: a token of one list is refused by every other. */
  readonly question: Json
  /**
   * Together they have to be unique, so the last one is an id. Nulls come last in ascending and first in descending
   * order.
   */
  readonly by: readonly SortKey<Row>[]
  /** The length of the list, if it is known without counting its rows. */
  readonly count?: number
}

export interface Page<Row> {
  readonly items: Row[]
  /** The length of the whole filtered list, whichever page this is. */
  readonly count: number
  /** The token of the next page; absent on the last one. */
  readonly next?: string
}

/**
 * One page of `query`, which carries the filters and selects the columns of `by`, and neither orders nor limits.
 *
 * One round trip. The rows cost O(limit) with an index on the filters and then the keys; the count visits every row
 * of the list (an index-only scan with such an index), about 0.1 ms for a thousand rows.
 *
 * @throws {Failure} `invalid` for a token of another list, or a tampered one.
 */
export async function page<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: PageRequest<Row>,
): Promise<Page<Row>> {
  const limit = request.limit ?? LIMIT_ITEMS_DEFAULT
  if (!Number.isInteger(limit) || limit < 0 || limit > LIMIT_ITEMS_MAX) {
    throw invalid('limit_invalid', `limit: has to be a whole number from 0 to ${LIMIT_ITEMS_MAX}.`)
  }
  const keys = request.by.map(
    ([name, direction, nullable]): Key => ({ name, direction, isNullable: nullable !== undefined }),
  )
  // Tuples of strings are JSON; readonly ones are not, according to their type.
  const question = { question: request.question, by: request.by as unknown as Json }
  const after = request.page === undefined ? undefined : readCursor(question, request.page, keys)
  const rows = await fetchRows(query, keys, after, limit, request.count)
  const count = rows[0]?.[COUNT]
  assert(typeof count === 'number', 'every row has the count, and there is always a row')
  // an empty page has one row, without a position in the order
  const found = rows.filter(row => row[PLACE] !== null)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(row => itemOf<Row>(row, keys)),
    count,
    ...(found.length > limit && last !== undefined
      ? {
          next: encodeCursor(
            question,
            // The keys are selected as text.
            keys.map((_, index) => last[keyText(index)] as string | null),
          ),
        }
      : {}),
  }
}

interface Key {
  readonly name: string
  readonly direction: Direction
  readonly isNullable: boolean
}

type RawRow = Record<string, unknown>

// Names of columns that are added to a row and removed again; no column of ours has such a name.
const COUNT = '~count'
const PLACE = '~place'
const keyText = (index: number): string => `~key${index}`

function itemOf<Row>(row: RawRow, keys: readonly Key[]): Row {
  const item = { ...row }
  delete item[COUNT]
  delete item[PLACE]
  for (const index of keys.keys()) delete item[keyText(index)]
  // A raw row is a row of the query plus the columns removed above.
  return item as Row
}

function readCursor(question: Json, token: string, keys: readonly Key[]): (string | null)[] {
  const values = decodeCursor(question, token)
  const isOurs =
    values.length === keys.length &&
    values.every((value, index) => typeof value === 'string' || (value === null && keys[index]?.isNullable))
  if (!isOurs) throw tampered()
  // `every` checked each value, but does not narrow the type because it also uses the index.
  return values as (string | null)[]
}

const tampered = (cause?: unknown): Failure =>
  invalid(
    'page_invalid',
    'page: this is not a token of this list. Take it from next.page of the previous answer to the same query.',
    cause,
  )

// The statement contains the select twice, to be counted and to be read. Both times it is a subquery, so that keys
// have the names of the result, whatever is joined inside.
async function fetchRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly Key[],
  after: readonly (string | null)[] | undefined,
  limit: number,
  count: number | undefined,
): Promise<RawRow[]> {
  const wrap: KyselyPlugin = {
    // Kysely expects a select in place of a select: everything after `select * from` is ours
    transformQuery: ({ node }) => {
      // common table expressions of the list come before both, so that they are computed once
      assert(SelectQueryNode.is(node), 'only a select has pages')
      const { with: shared, ...list } = node
      const both = SelectQueryNode.cloneWithSelections(
        SelectQueryNode.createFrom([pageOf(list, keys, after, limit, count).toOperationNode()]),
        [SelectionNode.createSelectAll()],
      )
      return shared === undefined ? both : { ...both, with: shared }
    },
    transformResult: async ({ result }) => result,
  }
  try {
    return await query.withPlugin(wrap).$castTo<RawRow>().execute()
  } catch (error) {
    // class 22: a key in the token is not a value of its column's type, so the token was made by hand
    if (after !== undefined && !(error instanceof Failure) && sqlState(error)?.startsWith('22'))
      throw tampered(error)
    throw error
  }
}

function pageOf(
  node: OperationNode,
  keys: readonly Key[],
  after: readonly (string | null)[] | undefined,
  limit: number,
  count: number | undefined,
): RawBuilder<unknown> {
  const list = new ExpressionWrapper(node)
  const order = sql.join(keys.map(key => sql`${column(key)} ${sql.raw(key.direction)}`))
  // as text: exact for every type, where a Date would lose the microseconds of a timestamp
  const texts = keys.map((key, index) => sql`${column(key)}::text as ${sql.ref(keyText(index))}`)
  const counted =
    count === undefined
      ? sql`select count(*) as ${sql.ref(COUNT)} from ${list} as every`
      : sql`select ${count}::bigint as ${sql.ref(COUNT)}`
  return sql`
    (${counted}) as counted
    left join (
      select item.*, ${sql.join(texts)}, row_number() over (order by ${order}) as ${sql.ref(PLACE)}
      from ${list} as item
      where ${after === undefined ? sql`true` : isAfter(keys, after)}
      order by ${order} limit ${limit === 0 ? 0 : limit + 1}
    ) as shown on true
    order by ${sql.ref(PLACE)}`
}

const column = (key: Key): RawBuilder<unknown> => sql.ref(`item.${key.name}`)

function isAfter(keys: readonly Key[], after: readonly (string | null)[]): RawBuilder<unknown> {
  // Every list is ordered by something.
  const [first] = keys
  assert(first !== undefined, 'a list has an order')
  const { direction } = first
  const isPlain = keys.every(key => !key.isNullable)
  if (isPlain && keys.every(key => key.direction === direction)) {
    // comparing rows is one range of an index
    return sql`(${sql.join(keys.map(column))}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(after)})`
  }
  const choices = keys.map((key, index) => {
    const equals = keys
      .slice(0, index)
      .map((earlier, at) => sql`${column(earlier)} is not distinct from ${after[at] ?? null}`)
    return sql`(${sql.join([...equals, comesAfter(key, after[index] ?? null)], sql` and `)})`
  })
  const any = sql`(${sql.join(choices, sql` or `)})`
  // redundant, but an index can start from it
  return isPlain
    ? sql`${column(first)} ${sql.raw(direction === 'asc' ? '>=' : '<=')} ${after[0]} and ${any}`
    : any
}

// PostgreSQL sorts nulls last in ascending and first in descending order.
function comesAfter(key: Key, value: string | null): RawBuilder<unknown> {
  if (key.direction === 'asc') {
    if (value === null) return sql`false`
    return key.isNullable
      ? sql`(${column(key)} > ${value} or ${column(key)} is null)`
      : sql`${column(key)} > ${value}`
  }
  return value === null ? sql`${column(key)} is not null` : sql`${column(key)} < ${value}`
}
