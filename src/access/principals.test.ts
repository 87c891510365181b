// Who somebody is stays known while content is written, and is asked again once anything that decides it is.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { type Insertable, sql } from 'kysely'
import { Client } from 'pg'
import { openBeside, testEngine } from '../../test/support/database.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'
import { newId } from '../base/ids.ts'
import type { Tokens } from '../platform/db/tables.ts'
import { hashToken, SESSION_IDLE_DAYS_MAX } from './principal.ts'
import { createPrincipals } from './principals.ts'

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

test('a principal depends only on tables whose changes are announced', async () => {
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
  const { rows } = await sql<{ name: string }>`select distinct tgrelid::regclass::text as name from pg_trigger
    where tgfoid = 'announce_change'::regproc`.execute(db)
  assert.deepEqual(
    [...new Set(tables)].filter(table => !rows.some(({ name }) => name === table)),
    [],
  )
})

test('a token is unknown once what it belongs to is deleted', async () => {
  const { organizationId } = w
  const { id: spaceId } = await w.createSpace()
  const integration = `i-${newId().toLowerCase()}`
  const installationId = newId()
  const insertToken = async (token: Pick<Insertable<Tokens>, 'kind'> & Partial<Insertable<Tokens>>) => {
    const secret = newId()
    await db
      .insertInto('tokens')
      .values({ id: newId(), label: '', secret_hash: hashToken(secret), ...token })
      .execute()
    assert.equal((await principals.find(secret))?.kind, token.kind)
    return secret
  }
  await db
    .insertInto('integrations')
    .values({
      name: integration,
      organization_id: organizationId,
      title: '',
      description: '',
      scopes: [],
      manifest: '{}',
    })
    .execute()
  await db
    .insertInto('installations')
    .values({ id: installationId, integration, organization_id: organizationId, scopes: [] })
    .execute()
  const secrets = [
    await insertToken({ kind: 'content', space_id: spaceId, created_by: w.people.admin.id }),
    await insertToken({ kind: 'integration', integration }),
    await insertToken({ kind: 'installation', installation_id: installationId }),
  ]
  await w.services.transaction(async trx => {
    await trx.deleteFrom('spaces').where('id', '=', spaceId).execute()
    await trx.deleteFrom('integrations').where('name', '=', integration).execute()
  })
  for (const secret of secrets) assert.equal(await principals.find(secret), undefined)
})

test('a session that nobody used for days is unknown, by the clock that says so', async () => {
  const secret = await signedIn(w, 'edit')
  const { changes } = w.services
  const findAfter = (days: number) =>
    createPrincipals(db, changes, () => new Date(Date.now() + days * 86_400_000)).findSession(secret)
  assert.notEqual(await findAfter(SESSION_IDLE_DAYS_MAX - 1), undefined)
  assert.equal(await findAfter(SESSION_IDLE_DAYS_MAX + 1), undefined)
})

test('an edit keeps cached principals, and a change of a role drops them', async () => {
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

test('a job sees at once which rights another process took from the person it runs for', {
  skip: testEngine === 'embedded' && 'nobody else writes to an embedded database',
}, async () => {
  const { organizationId } = w
  const other = await openBeside(w.services)
  const { id } = w.people.edit
  for (const role of ['create', 'read', 'create', 'read', 'create', 'read'] as const) {
    await principals.findPerson(id)
    await other.db
      .updateTable('members')
      .set({ role })
      .where('user_id', '=', id)
      .where('organization_id', '=', organizationId)
      .execute()
    const person = await principals.findPerson(id)
    assert.equal(person?.memberships.get(organizationId), role)
  }
  await other.close()
})
