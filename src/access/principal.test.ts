// Who somebody is stays known while content is written, and is asked again once anything that decides it is.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { spaceWith } from '../../test/support/pages.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'
import { OWNERS_OF_PRINCIPALS, TABLES_OF_PRINCIPALS } from './principal.ts'

const w = await world()
const { db, principals } = w.services

const asked = mock.method(Client.prototype, 'query')
after(() => asked.mock.restore())

/** The statements that `run` sends. */
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  asked.mock.resetCalls()
  await run()
  return asked.mock.calls.map(call => String((call.arguments[0] as { text?: string }).text))
}

const loads = (statements: readonly string[]): number =>
  statements.filter(text => /from "tokens"/.test(text) && /secret_hash/.test(text)).length

test('a principal is made of no other tables than those that it is asked anew for', async () => {
  const secret = await signedIn(w, 'edit')
  const statements = await statementsOf(async () => {
    await principals.find(`${w.people.edit.token}x`)
    await principals.findSession(`${secret}x`)
    await principals.findPerson('nobody')
  })
  const loading = statements.filter(text => /from "(?:tokens|sessions|users)"/.test(text))
  const tables = loading.flatMap(text =>
    [...text.matchAll(/\b(?:from|join)\s+"?([a-z_]+)/g)].map(([, table]) => table),
  )
  assert.equal(loading.length, 3)
  assert.deepEqual(
    [...new Set(tables)].filter(table => !TABLES_OF_PRINCIPALS.some(one => one === table)),
    [],
  )
})

test('what takes rows of those tables with it is known, and no trigger writes to them', async () => {
  const { rows } = await sql<{ name: string }>`
    with recursive owners as (
      select unnest(${sql.val([...TABLES_OF_PRINCIPALS])}::text[]) as name
      union
      select confrelid::regclass::text from pg_constraint join owners on conrelid::regclass::text = owners.name
      where contype = 'f' and confdeltype <> 'a' and confdeltype <> 'r')
    select name from owners order by name`.execute(db)
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...TABLES_OF_PRINCIPALS, ...OWNERS_OF_PRINCIPALS].sort(),
  )
  const { rows: functions } = await sql<{ prosrc: string }>`
    select prosrc from pg_proc where pronamespace = 'public'::regnamespace and prolang <>
      (select oid from pg_language where lanname = 'c')`.execute(db)
  const written = new RegExp(
    `\\b(?:insert into|update|delete from)\\s+(?:${TABLES_OF_PRINCIPALS.join('|')})\\b`,
  )
  assert.deepEqual(
    functions.filter(({ prosrc }) => written.test(prosrc)),
    [],
  )
})

test('an edit leaves principals known, and a change of a role does not', async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n' })
  const read = () => w.call('GET', `/spaces/${id}`, { as: 'edit' })
  await read()
  const edit = () => w.call('PATCH', `/spaces/${id}`, { body: { title: 'Other' } })
  assert.equal(
    loads(await statementsOf(async () => [await edit(), await read(), await edit(), await read()])),
    0,
  )
  const member = `/orgs/${w.organizationId}/members/${w.people.edit.id}`
  await w.call('PATCH', member, { body: { role: 'read' } })
  assert.ok(loads(await statementsOf(read)) > 0)
  assert.equal((await w.call('PATCH', `/spaces/${id}`, { as: 'edit', body: { title: 'Mine' } })).status, 403)
})
