// A directory of ten thousand people: what a request costs does not grow with them.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, mock, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { newTestDatabase } from '../../../test/support/database.ts'
import { directoryOf, patchOf } from '../../../test/support/scim.ts'
import { serverOn } from '../../../test/support/server.ts'
import { worldOn } from '../../../test/support/world.ts'
import { PAGE_MEMBERS_MAX } from './lists.ts'

const PEOPLE = 10_000
// A server without jobs, so that every statement is of the request.
const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
const { call } = await directoryOf(w)

type Statement = { readonly text?: string; readonly values?: readonly unknown[] }
const counted = new AsyncLocalStorage<Statement[]>()
const query = Client.prototype.query
mock.method(Client.prototype, 'query', function (this: Client, ...args: Parameters<typeof query>) {
  counted.getStore()?.push(args[0] as Statement)
  return query.apply(this, args)
})
after(async () => {
  mock.restoreAll()
  await server.close()
  await database.close()
})

await w.services.transaction(async trx => {
  await sql`insert into users (id, email, display_name)
    select 'many-' || n, 'many-' || n || '@people.test', 'Many ' || n from generate_series(1, ${PEOPLE}::integer) n`.execute(
    trx,
  )
  await sql`insert into members (organization_id, user_id, role)
    select ${w.organizationId}, 'many-' || n, 'read' from generate_series(1, ${PEOPLE}::integer) n`.execute(
    trx,
  )
  await sql`insert into scim_people
      (organization_id, user_id, user_name, external_id, email, display_name, made_account)
    select ${w.organizationId}, 'many-' || n, 'many-' || n || '@people.test', 'external-' || n,
      'many-' || n || '@people.test', 'Many ' || n, true from generate_series(1, ${PEOPLE}::integer) n`.execute(
    trx,
  )
  await sql`insert into teams (id, organization_id, title) values ('everybody', ${w.organizationId}, 'Everybody')`.execute(
    trx,
  )
  await sql`insert into team_members (team_id, organization_id, user_id, role)
    select 'everybody', ${w.organizationId}, 'many-' || n, 'member'
    from generate_series(1, ${PEOPLE}::integer) n`.execute(trx)
})

async function statementsOf(run: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  await counted.run(statements, run)
  return statements
}
const countStatements = async (run: () => Promise<unknown>) => (await statementsOf(run)).length

test('a page of 200 people takes as many statements as one of 10, anywhere in the list', async () => {
  const page = (query: string) => call('GET', `/Users?${query}`)
  await page('count=1')
  const small = await countStatements(() => page('count=10'))
  assert.equal(await countStatements(() => page('count=200&startIndex=9001')), small)
  assert.ok(small <= 3, `${small} statements`)
  const { body } = await page('count=200&startIndex=9001')
  assert.deepEqual([body.totalResults >= PEOPLE, body.itemsPerPage], [true, 200])
})

test('a person is created among ten thousand with as many statements as at first', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Empty' } })
  const empty = await directoryOf(w, other.id, 'first')
  await empty.person()
  const first = await countStatements(() => empty.person())
  const many = await directoryOf(w, w.organizationId, 'among')
  await many.person()
  assert.equal(await countStatements(() => many.person()), first)
})

test('a change of one member of a large group takes as few statements as that of a small one', async () => {
  const { body: small } = await call('POST', '/Groups', { displayName: 'Small' })
  const change = (id: string) =>
    call('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'members[value eq "many-7"]' }))
  const add = (id: string) =>
    call('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: [{ value: 'many-7' }] }))
  await add(small.id)
  const bound = [await countStatements(() => change(small.id)), await countStatements(() => add(small.id))]
  const large = [
    await countStatements(() => change('everybody')),
    await countStatements(() => add('everybody')),
  ]
  assert.deepEqual(large, bound)
})

test('everybody of a large group is replaced by one request, and they are listed whole', async () => {
  const members = Array.from({ length: PEOPLE }, (_, n) => ({ value: `many-${n + 1}` }))
  const { status } = await call(
    'PATCH',
    '/Groups/everybody',
    patchOf({ op: 'replace', path: 'members', value: members.slice(100) }),
  )
  assert.equal(status, 204)
  const { body } = await call('GET', '/Groups/everybody')
  assert.equal(body.members.length, PEOPLE - 100)
})

test('a page of groups ends before it has more members than the bound', async () => {
  const members = Array.from({ length: PAGE_MEMBERS_MAX - PEOPLE + 1000 }, (_, n) => ({
    value: `many-${n + 1}`,
  }))
  await call('POST', '/Groups', { displayName: 'Everybody else', members })
  const { body } = await call('GET', '/Groups?filter=displayName%20sw%20"everybody"')
  assert.deepEqual([body.totalResults, body.itemsPerPage], [2, 1])
  const rest = await call('GET', '/Groups?filter=displayName%20sw%20"everybody"&startIndex=2')
  assert.equal(rest.body.Resources[0].displayName, 'Everybody else')
  const bare = await call('GET', '/Groups?filter=displayName%20sw%20"everybody"&excludedAttributes=members')
  assert.equal(bare.body.itemsPerPage, 2)
})

/** The plan of the statement that lists what a filter finds. */
async function planOf(path: string, filter: string, found: string): Promise<string> {
  const statements = await statementsOf(async () => {
    const query = new URLSearchParams({ filter, attributes: 'externalId' })
    const { body } = await call('GET', `/${path}?${query}`)
    assert.deepEqual(
      body.Resources.map(({ id }: { id: string }) => id),
      [found],
    )
  })
  const asked = statements.find(({ text }) => text?.includes('offset') && text.includes('scim_'))
  assert.ok(asked?.text !== undefined, 'the list is one statement')
  const text = asked.text.replaceAll(/\$(\d+)/g, (_, n) => literal(asked.values?.[Number(n) - 1]))
  const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`explain ${text}`).execute(w.services.db)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}

test('people are found by an index, in any of the ways that directories ask', async () => {
  for (const filter of [
    'userName eq "many-77@people.test"',
    'externalId eq "external-77"',
    'id eq "many-77"',
    'emails.value eq "many-77@people.test"',
  ]) {
    const plan = await planOf('Users', filter, 'many-77')
    assert.doesNotMatch(plan, /Seq Scan on (?:members|users|scim_people)/, plan)
  }
})

test('a group is found by an index of names, in any case', async () => {
  await w.services.transaction(async trx => {
    await sql`insert into teams (id, organization_id, title)
      select 'team-' || n, ${w.organizationId}, 'Team ' || n from generate_series(1, ${PEOPLE}::integer) n`.execute(
      trx,
    )
    await sql`insert into scim_groups (team_id, organization_id, external_id)
      select 'team-' || n, ${w.organizationId}, 'group-' || n from generate_series(1, ${PEOPLE}::integer) n`.execute(
      trx,
    )
  })
  const plan = await planOf('Groups', 'displayName eq "TEAM 77"', 'team-77')
  assert.match(plan, /teams_name/, plan)
  for (const filter of ['displayName eq "TEAM 77"', 'externalId eq "group-77"', 'id eq "team-77"']) {
    const found = await planOf('Groups', filter, 'team-77')
    assert.doesNotMatch(found, /Seq Scan/, found)
  }
})

const literal = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
