import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CompiledQuery, type Generated, type Kysely, type KyselyPlugin, sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { encodeCursor } from '../../base/cursor.ts'
import { newId } from '../../base/ids.ts'
import { type Page, type PageQuery, page, type SortKey } from './page.ts'

interface Listed {
  list: string
  id: string
  word: string | null
  instant: string
  number: number
  filler: Generated<string>
}

const database = await openTestDatabase()
const db = database.db as unknown as Kysely<{ listed: Listed }>
await sql`create table listed (
  list text, id text primary key, word text, instant timestamptz not null, number int not null, filler text default 'x'
)`.execute(db)

type Row = { id: string; word: string | null; instant: string; number: number }
type By = readonly SortKey<Row>[]

const orders: readonly By[] = [
  [
    ['instant', 'desc'],
    ['id', 'desc'],
  ],
  [
    ['instant', 'asc'],
    ['id', 'asc'],
  ],
  [
    ['instant', 'desc'],
    ['number', 'asc'],
    ['id', 'asc'],
  ],
  [
    ['word', 'asc', 'nullable'],
    ['id', 'asc'],
  ],
  [
    ['word', 'desc', 'nullable'],
    ['instant', 'asc'],
    ['id', 'desc'],
  ],
  [
    ['number', 'asc'],
    ['word', 'desc', 'nullable'],
    ['id', 'asc'],
  ],
]

const select = (list: string) =>
  db.selectFrom('listed').select(['id', 'word', 'instant', 'number']).where('list', '=', list)
const read = (list: string, by: By, query: PageQuery): Promise<Page<Row>> =>
  page(select(list), { question: { list }, by, ...query })

// few values, so that most keys are equal somewhere; instants that differ by a microsecond only
const rows = fc.array(
  fc.record({
    word: fc.constantFrom(null, '', 'a', 'B', 'ä'),
    instant: fc.constantFrom(
      '2026-01-01 00:00:00.000001+00',
      '2026-01-01 00:00:00.000002+00',
      '2026-01-02+00',
    ),
    number: fc.integer({ min: -1, max: 1 }),
  }),
  { maxLength: 24 },
)

async function fill(
  content: readonly Omit<Listed, 'list' | 'id' | 'filler'>[],
  list = newId(),
): Promise<string> {
  if (content.length > 0) {
    await db
      .insertInto('listed')
      .values(content.map(row => ({ ...row, list, id: newId() })))
      .execute()
  }
  return list
}

async function inOrder(list: string, by: By): Promise<string[]> {
  let query = select(list)
  for (const [name, direction] of by) query = query.orderBy(name, direction)
  return (await query.execute()).map(row => row.id)
}

test('walking page by page gives the whole list in order, for every order and limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(...orders),
      fc.integer({ min: 1, max: 9 }),
      async (content, by, limit) => {
        const list = await fill(content)
        const ids: string[] = []
        let next: string | undefined
        do {
          const answer = await read(list, by, { limit, page: next })
          assert.equal(answer.count, content.length)
          assert.ok(answer.items.length <= limit)
          assert.ok(answer.items.length > 0 || content.length === 0)
          ids.push(...answer.items.map(item => item.id))
          next = answer.next
        } while (next !== undefined)
        assert.deepEqual(ids, await inOrder(list, by))
      },
    ),
    { numRuns: 120 },
  )
})

test('rows inserted during a walk neither repeat nor hide others', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.constantFrom(...orders), async (before, during, by) => {
      const list = await fill(before)
      const expected = new Set(await inOrder(list, by))
      const ids: string[] = []
      let next: string | undefined
      do {
        const answer = await read(list, by, { limit: 3, page: next })
        ids.push(...answer.items.map(item => item.id))
        next = answer.next
        await fill(during.splice(0, 2), list)
      } while (next !== undefined)
      assert.equal(new Set(ids).size, ids.length)
      for (const id of expected) assert.ok(ids.includes(id))
    }),
    { numRuns: 40 },
  )
})

const [newestFirst] = orders as [By]
const three = [1, 2, 3].map(number => ({ word: 'w', instant: '2026-01-01+00', number }))

test('a limit of zero counts and shows nothing, not even a way on', async () => {
  assert.deepEqual(await read(await fill(three), newestFirst, { limit: 0 }), { items: [], count: 3 })
})

test('an item is exactly what the query selects', async () => {
  const { items } = await read(await fill(three), newestFirst, { limit: 1 })
  assert.deepEqual(Object.keys(items[0] ?? {}), ['id', 'word', 'instant', 'number'])
})

test('limits beyond a thousand, below nothing and between numbers are refused', async () => {
  for (const limit of [-1, 1.5, 1001, Number.NaN]) {
    await assert.rejects(read('x', newestFirst, { limit }), { kind: 'invalid', code: 'limit_invalid' })
  }
})

test('a token serves only the list, the filters and the order it was made for', async () => {
  const list = await fill(three)
  const { next } = await read(list, newestFirst, { limit: 1 })
  const refused = { kind: 'invalid', code: 'page_invalid' }
  await assert.rejects(read(await fill(three), newestFirst, { page: next }), refused)
  await assert.rejects(read(list, orders[1] as By, { page: next }), refused)
})

test('tokens made by hand are refused, whatever they contain', async () => {
  const list = await fill(three)
  const question = { question: { list }, by: newestFirst as never }
  const forged = [
    encodeCursor(question, ['no date', 'x']),
    encodeCursor(question, [null, 'x']),
    encodeCursor(question, [7, 'x']),
    encodeCursor(question, ['2026-01-01+00']),
    encodeCursor(question, ['2026-01-01+00', 'x', 'y']),
    encodeCursor(question, ['2026-01-01+00', 'a\u0000']),
    'nonsense',
    '',
  ]
  for (const token of forged) {
    await assert.rejects(read(list, newestFirst, { page: token }), { kind: 'invalid' }, token)
  }
})

test('a join whose tables share names of columns can be paged', async () => {
  const list = await fill(three)
  const joined = db
    .selectFrom('listed as a')
    .innerJoin('listed as b', 'b.id', 'a.id')
    .select(['a.id', 'a.instant', 'b.number'])
    .where('a.list', '=', list)
  const answer = await page(joined, {
    question: 'joined',
    by: [
      ['instant', 'desc'],
      ['id', 'desc'],
    ],
    limit: 2,
  })
  assert.equal(answer.count, 3)
  assert.equal(answer.items.length, 2)
})

test('a page far down a long list starts from the index', async () => {
  await sql`create index listed_newest on listed (list, instant desc, id desc)`.execute(db)
  await sql`insert into listed (list, id, instant, number)
    select 'long', 'l' || lpad(n::text, 6, '0'), '2026-01-01+00'::timestamptz + n * interval '1 ms', n
    from generate_series(1, 20000) n`.execute(db)
  await sql`analyze listed`.execute(db)
  const { next } = await read('long', newestFirst, { limit: 5 })
  assert.ok(next !== undefined)
  const query = select('long')
  let compiled: CompiledQuery | undefined
  const observed = Object.create(query, {
    withPlugin: {
      value: (plugin: KyselyPlugin) => {
        const built = query.withPlugin(plugin)
        compiled = built.compile()
        return built
      },
    },
  }) as typeof query
  await page(observed, { question: { list: 'long' }, by: newestFirst, page: next, limit: 5 })
  assert.ok(compiled !== undefined)
  const plan = await db.executeQuery<{ 'QUERY PLAN': string }>({
    ...compiled,
    sql: `explain ${compiled.sql}`,
  })
  assert.match(plan.rows.map(row => row['QUERY PLAN']).join('\n'), /Index Cond: .*ROW\(/)
})
