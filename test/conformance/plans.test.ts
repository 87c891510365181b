// No list visits rows again and again: with thousands of everything, every operation that reads, and every page that
// readers see, passes over each row a few times at most, and so does what is written. PostgreSQL plans it all from the
// statistics of when there was one of everything.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { Client, Connection } from 'pg'
import { operations } from '../../src/api/index.ts'
import { purgeSpaces } from '../../src/api/spaces/jobs.ts'
import { now } from '../../src/base/clock.ts'
import type { Operation } from '../../src/http/operation.ts'
import { busiestNode } from '../support/visits.ts'
import { cookies, makeMany, manyIds, PAGES, scene } from './many.ts'

const { w, org, space, ids, pathOf } = scene

// What a plan may pass over: each row some times. A loop over two lists within each other is far beyond it.
const VISITS_MAX = 5 * PAGES

const { db } = w.services
const reader = w.people.read.id
const home = manyIds.pageId as string

type Answer = { readonly rows: Read[] }
const query = Client.prototype.query as (...call: unknown[]) => Promise<Answer | Answer[]>
const asked = mock.method(Client.prototype, 'query')
// `begin` is sent with the first statement of a transaction, and not by a query of its own.
const bind = Connection.prototype.bind as (...call: unknown[]) => void
const begun = new WeakSet<Connection>()
mock.method(Connection.prototype, 'bind', function (this: Connection, ...call: unknown[]) {
  if ((call[0] as { statement?: string }).statement === 'begin') begun.add(this)
  bind.apply(this, call)
})
after(() => mock.restoreAll())
before(makeMany)

type Statement = { readonly text: string; readonly values?: readonly unknown[] }

/** What is asked of the database while `run` runs, reads alone. */
async function readsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  asked.mock.resetCalls()
  await run()
  const statements = asked.mock.calls.map(call => call.arguments[0] as unknown as Statement | string)
  return statements.filter(one => typeof one !== 'string').filter(({ text }) => isRead(text))
}

const isRead = (text: string): boolean =>
  /^\s*(?:select|with)\b/i.test(text) &&
  !/\bfor (?:update|share)|\b(?:insert into|update|delete from)\b/i.test(text)

const seen = new Set<string>()

/** The statements of `run` that pass over too many rows; what was seen before is not tried again. */
async function costlyOf(about: string, run: () => Promise<unknown>): Promise<string[]> {
  const costly: string[] = []
  for (const { text, values = [] } of await readsOf(run)) {
    if (seen.has(text)) continue
    seen.add(text)
    const { visits, node } = await busiestNode(db, text, values)
    if (visits > VISITS_MAX) costly.push(`${about}: ${visits} visits at ${node} in\n${text}`)
  }
  return costly
}

// What lists are asked for, beside the last of the words that a filter knows.
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  // Words that every page has, that one has, and that none has as they are written.
  query: ['private', 'home', 'prvate42'],
  ...{ search: ['user'], title: ['team'], externalId: ['some'], nested: ['true'], targetPage: [home] },
  changedPage: [home],
  ...{ owner: [reader], creator: [reader], contributor: [reader], requestedReviewer: [reader] },
  ...{ authors: [reader], actor: [reader], user: [reader] },
  ...{ types: ['space.published'], space: [space.id] },
  // Of these the database is not asked.
  ...{ format: [], schema: [] },
}
type Filter = { readonly enum?: readonly string[] }

const filtersOf = ({ query }: Operation): string[] =>
  Object.entries((query?.properties ?? {}) as Record<string, Filter>).flatMap(([name, { enum: words }]) =>
    (FILTERS[name] ?? words?.slice(-1) ?? []).map(word => `?${name}=${word}`),
  )

const READS = operations
  .filter(({ method }) => method === 'GET')
  .flatMap(operation =>
    ['', ...filtersOf(operation)].map(query => ({
      id: operation.id + query,
      path: pathOf(operation, manyIds) + query,
    })),
  )

test(`no operation that reads passes over more than ${VISITS_MAX} rows`, async () => {
  const costly: string[] = []
  for (const { id, path } of READS) {
    const run = async () => {
      // Whose roles come from what they were given, or, where they may not, who may everything.
      const { status } = await w.call('GET', path, { as: 'read' })
      if (status >= 400) await w.call('GET', path, { as: 'admin' })
    }
    costly.push(...(await costlyOf(id, run)))
  }
  assert.deepEqual(costly, [])
  assert.ok(seen.size > READS.length / 3, `${seen.size} statements were seen`)
})

const inSpace = `/s/${space.id}`
const READERS_PAGES = [
  ...[
    '/',
    '/account/password',
    inSpace,
    `${inSpace}/home`,
    `${inSpace}/~/search?q=private`,
    `${inSpace}/~/print`,
  ],
  ...[`${inSpace}/~/changes`, `${inSpace}/~/changes/1`, `${inSpace}/~/changes/1/home`],
  ...['/robots.txt', '/sitemap.xml', '/sitemap-space-3.xml'],
  ...[`${inSpace}/home.md`, `${inSpace}/llms.txt`, `${inSpace}/llms-full.txt`],
]

test(`no page of the reader passes over more than ${VISITS_MAX} rows`, async () => {
  const costly: string[] = []
  for (const url of READERS_PAGES) {
    const run = async () => {
      const { statusCode } = await w.app.inject({ url, headers: { cookie: cookies.read } })
      assert.ok(statusCode < 400, `${url} answered ${statusCode}`)
    }
    costly.push(...(await costlyOf(url, run)))
  }
  assert.deepEqual(costly, [])
})

const READ = 'select relname as table, seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables'
type Read = { readonly table: string; readonly rows: number }

/** How many rows of each table each transaction of `run` reads, for constraints and triggers too. */
async function readsOfTransactions(run: () => Promise<unknown>): Promise<Read[]> {
  const reads: Read[] = []
  // What a connection has read before, and not reported yet, is counted with it.
  const before = new WeakMap<Client, ReadonlyMap<string, number>>()
  const readBy = async (client: Client) => {
    const answer = await query.call(client, READ)
    return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? []
  }
  asked.mock.mockImplementation(async function (this: Client, ...call: [Statement | string, ...unknown[]]) {
    const text = typeof call[0] === 'string' ? call[0] : call[0].text
    if (/^(?:begin|start transaction)\b/.test(text) || begun.delete(this.connection))
      before.set(this, new Map((await readBy(this)).map(({ table, rows }) => [table, rows])))
    const known = before.get(this)
    // A job may have begun before.
    if (/\bcommit$/.test(text) && known !== undefined) {
      await query.call(this, 'set constraints all immediate')
      for (const { table, rows } of await readBy(this))
        reads.push({ table, rows: rows - (known.get(table) ?? 0) })
      before.delete(this)
    }
    return query.apply(this, call)
  } as never)
  await run().finally(() => asked.mock.mockImplementation(query as never))
  return reads
}

const call = (method: string, path: string, body?: unknown) => async () => {
  const { status, text } = await w.call(method, path, { body })
  assert.ok(status < 300, `${method} ${path} answered ${status}: ${text}`)
}
const onChangeRequest = `/spaces/${space.id}/change-requests/${ids.changeRequestId}`
const integration = `/integrations/${ids.integrationName}`
const changes = [{ operation: 'update_page', page: home, slug: 'house' }]

/** What touches most, each on what the ones before have left. */
const WRITES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a page that many link to has another address': call('POST', `/spaces/${space.id}/content`, { changes }),
  'a change request takes in its space': call('POST', `${onChangeRequest}/update`),
  'a change request is merged': call('POST', `${onChangeRequest}/merge`, { force: true }),
  'a space is duplicated': call('POST', `/spaces/${space.id}/duplicate`),
  'a space is moved': call('POST', `/spaces/${space.id}/move`, { parent: ids.collectionId }),
  'a person leaves': call('DELETE', `${org}/members/${reader}`),
  'a team is deleted': call('DELETE', `${org}/teams/${ids.teamId}`),
  'an installation ends': call('DELETE', `${integration}/installations/${ids.installationId}`),
  'an integration is deleted': call('DELETE', integration),
  'a space is deleted': call('DELETE', `/spaces/${space.id}`),
  'files that nothing names are looked for': () => w.services.blobSweep.run(),
  'deleted spaces are removed for good': async () => assert.equal(await purgeSpaces(w.services, now()), 1),
}

test(`no transaction that writes reads more than ${VISITS_MAX} rows of a table`, async () => {
  const costly: string[] = []
  for (const [about, run] of Object.entries(WRITES)) {
    const reads = await readsOfTransactions(run)
    assert.ok(reads.length > 0, about)
    for (const { table, rows } of reads)
      if (rows > VISITS_MAX) costly.push(`${about}: ${rows} rows of ${table}`)
  }
  assert.deepEqual(costly, [])
})
