// `octavo person` and `octavo keys` as an operator runs them, and kill -9 while somebody is erased.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashToken } from '../../src/access/principal.ts'
import { newId } from '../../src/base/ids.ts'
import { openRuntime, type Runtime } from '../../src/cli/runtime.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { anyInstallation, type Installation } from '../support/own-database.ts'
import { run, type Server, serve, temporaryFolder } from '../support/process.ts'

const EMAIL = 'ada@people.test'
const ADA = newId()
const TOKEN = 'octv_the-token-of-the-person-who-is-erased-later'
const EVENTS = 100_000

/** What a stopped installation has, and what is written into it. */
async function inside<T>(
  { home, env }: Installation,
  work: (services: Runtime['services']) => Promise<T>,
): Promise<T> {
  const runtime = await openRuntime(readConfig({ OCTAVO_HOME: home, ...env }), createLog('silent'))
  try {
    return await work(runtime.services)
  } finally {
    await runtime.close()
  }
}

/** A member with many events, each with the address that they acted from. */
const writePerson = (installation: Installation) =>
  inside(installation, ({ transaction }) =>
    transaction(async trx => {
      await trx.insertInto('users').values({ id: ADA, email: EMAIL, display_name: 'Ada Lovelace' }).execute()
      await trx
        .insertInto('tokens')
        .values({ id: newId(), user_id: ADA, label: 'of Ada', secret_hash: hashToken(TOKEN) })
        .execute()
      await sql`insert into members (organization_id, user_id, role) select id, ${ADA}, 'create' from organizations`.execute(
        trx,
      )
      await sql`insert into events (id, type, organization_id, actor_id, payload, address)
        select 'e-' || n, 'space.changed', (select id from organizations limit 1), ${ADA}, '{}', '203.0.113.7'
        from generate_series(1, ${EVENTS}::integer) n`.execute(trx)
    }),
  )

const countAddresses = (installation: Installation) =>
  inside(installation, async ({ db }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from events where actor_id = ${ADA} and address is not null`.execute(
      db,
    )
    return rows[0]?.count ?? 0
  })

/** A server of the same database lets go of what a dead one holds by the clock; this is that clock. */
const believeDead = (installation: Installation) =>
  inside(installation, ({ transaction }) =>
    transaction(trx => trx.updateTable('jobs').set({ locked_until: new Date() }).execute()),
  )

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

/** Posts a comment; returns how its text is read. */
async function comment(
  { call }: Server,
  markdown: string,
  token: string,
): Promise<(from: Server) => Promise<string>> {
  const { body: organizations } = await call('GET', '/orgs')
  const { body: spaces } = await call('GET', `/orgs/${organizations.items[0].id}/spaces`)
  const path = `/spaces/${spaces.items[0].id}/comments`
  const { status, body } = await call('POST', path, { token, body: { body: { markdown } } })
  assert.equal(status, 200, JSON.stringify(body))
  return async from =>
    (await from.call('GET', `${path}/${body.id}?format=markdown`)).body.body.markdown.trim()
}

test('octavo person exports and erases with the server running, and an erasing that kill -9 cuts off is finished after the next start', async t => {
  const installation = await anyInstallation()
  const { home } = installation
  const env = { OCTAVO_HOME: home, ...installation.env }
  await writePerson(installation)
  let server = await serve(home, { env })
  await comment(server, 'It rains.', TOKEN)
  const mention = await comment(server, `Hello [@Ada Lovelace](/users/${ADA}).`, server.token)

  const file = join(temporaryFolder(), 'ada.json')
  const exported = await run(['person', 'export', EMAIL, '--to', file], { env })
  assert.deepEqual([exported.code, exported.stdout], [0, ''])
  assert.equal(exported.stderr, `wrote ${statSync(file).size} bytes\n`)
  const data = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(
    [data.account.email, data.comments[0].body, data.auditEvents.length],
    [EMAIL, 'It rains.', EVENTS + 1],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = await run(['person', 'export', EMAIL, '--to', file], { env })
  assert.equal(again.code, 1)
  assert.match(again.stderr, /ada\.json cannot be made/)

  const dryRun = await run(['person', 'erase', EMAIL, '--dry-run'], { env })
  assert.equal(dryRun.code, 0)
  assert.match(dryRun.stdout, new RegExp(`^comments: 1\\n[^]*auditEvents: ${EVENTS + 1}\\n`, 'm'))
  assert.match(dryRun.stderr, /nothing was written/)
  assert.equal((await server.call('GET', '/user', { token: TOKEN })).status, 200)
  const refused = await run(['person', 'erase', 'admin@localhost'], { env })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /only admin of/)

  const { body: organizations } = await server.call('GET', '/orgs')
  const audit = `/orgs/${organizations.items[0].id}/audit-events`
  const { body: newest } = await server.call('GET', `${audit}?actor=${ADA}&limit=1`)
  const [event] = newest.items
  const address = async () => (await server.call('GET', `${audit}/${event.id}`)).body.address
  assert.equal(await address(), '127.0.0.1')
  const erasing = run(['person', 'erase', EMAIL], { env })
  // Of the first thousand.
  await until(async () => (await address()) === null)
  await server.end('SIGKILL')
  assert.equal((await erasing).code, 1, 'the command does not say that it is done')
  const left = await countAddresses(installation)
  t.diagnostic(`killed with ${left} events to go`)
  assert.ok(left > 0 && left < EVENTS, 'in the middle')
  await believeDead(installation)

  server = await serve(home, { env })
  assert.equal((await server.call('GET', '/user', { token: TOKEN })).status, 401)
  await until(async () => (await mention(server)) === `Hello [@Deleted person](/users/${ADA}).`)
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.equal(await countAddresses(installation), 0)
  const erasure = await inside(installation, ({ db }) =>
    db.selectFrom('erasures').selectAll().where('user_id', '=', ADA).executeTakeFirstOrThrow(),
  )
  assert.equal(erasure.name, null)
  assert.ok(erasure.completed_at instanceof Date)
  const gone = await run(['person', 'erase', EMAIL], { env })
  assert.equal(gone.code, 1)
  assert.match(gone.stderr, /no user with the address ada@people\.test/)
})

test('octavo keys rotates the keys with the server stopped and running, and says what ends when', async () => {
  const installation = await anyInstallation()
  const env = { OCTAVO_HOME: installation.home, ...installation.env }
  const keys = (...args: string[]) => run(['keys', ...args], { env })
  const stopped = await keys('rotate', '--overlap', '30d')
  assert.deepEqual([stopped.code, stopped.stderr], [0, 'encrypted 0 secrets anew\n'])
  const [, endsAt = ''] = /^What the keys before it signed ends at (\S+)\.\n$/.exec(stopped.stdout) ?? []
  assert.equal(Math.round((Date.parse(endsAt) - Date.now()) / 86_400_000), 30)
  for (const args of [
    ['--now', '--overlap', '3d'],
    ['--overlap', '0d'],
    ['--overlap', 'soon'],
  ]) {
    const { code, stderr, stdout } = await keys('rotate', ...args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /--overlap/)
  }
  const server = await serve(installation.home, { env })
  const now = await keys('rotate', '--now')
  assert.deepEqual(
    [now.code, now.stdout, now.stderr],
    [
      0,
      'What the keys before it signed has ended.\n',
      'encrypted 0 secrets anew\nremoved 0 recovery codes\n',
    ],
  )
  const saml = await keys('rotate-saml')
  assert.equal(saml.code, 0)
  assert.match(saml.stdout, /^The new key is in the metadata, and signs from \S+Z\.\n$/)
  const pending = await keys('rotate-saml', '--overlap', '3d')
  assert.equal(pending.code, 1)
  assert.match(pending.stderr, /the last rotation signs from .*--now/)
  const replaced = await keys('rotate-saml', '--now')
  assert.deepEqual([replaced.code, replaced.stderr], [0, ''])
  assert.equal((await server.end('SIGTERM')).code, 0)
})
