import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../../test/support/world.ts'
import { ENTRIES_MAX } from './schema.ts'

const w = await world()
const glossaryOf = (organizationId: string) => `/orgs/${organizationId}/translations-glossary`
const glossary = glossaryOf(w.organizationId)

type Entry = { id: string; translations: Record<string, string>; createdAt: string; updatedAt: string }

const change = (...operations: object[]) => w.call('PUT', glossary, { body: { operations } })
const list = async (more = '') =>
  (await w.call('GET', `${glossary}${more}`)).body as {
    items: Entry[]
    count: number
    next?: { page: string }
  }
const insert = async (translations: object): Promise<Entry> => {
  assert.equal((await change({ type: 'insert', translations })).status, 204)
  return (await list('?limit=1')).items[0] as Entry
}

test('an entry is inserted, read, replaced as a whole and deleted', async () => {
  const { id } = await insert({ en: 'pull request', de: 'Änderungsantrag' })
  const { body: entry } = await w.call('GET', `${glossary}/${id}`, { as: 'read' })
  assert.deepEqual(entry.translations, { en: 'pull request', de: 'Änderungsantrag' })
  assert.equal(entry.object, 'glossary-entry')
  assert.equal(entry.urls.location, `http://octavo.test/v1${glossary}/${id}`)
  assert.equal((await change({ type: 'update', id, translations: { fr: 'demande' } })).status, 204)
  const { body: updated } = await w.call('GET', `${glossary}/${id}`)
  assert.deepEqual(updated.translations, { fr: 'demande' })
  assert.equal(updated.createdAt, entry.createdAt)
  assert.ok(updated.updatedAt > entry.updatedAt)
  assert.equal((await change({ type: 'delete', id })).status, 204)
  assert.equal((await w.call('GET', `${glossary}/${id}`)).status, 404)
})

test('operations apply in order: the last one for an entry wins', async () => {
  const { id } = await insert({ en: 'first' })
  await change(
    { type: 'update', id, translations: { en: 'second' } },
    { type: 'update', id, translations: { en: 'third' } },
  )
  assert.deepEqual((await w.call('GET', `${glossary}/${id}`)).body.translations, { en: 'third' })
  const refused = await change({ type: 'delete', id }, { type: 'update', id, translations: { en: 'fourth' } })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /body\.operations\.1\.id/)
  assert.deepEqual((await w.call('GET', `${glossary}/${id}`)).body.translations, { en: 'third' })
  await change({ type: 'delete', id })
})

test('a batch with one bad operation changes nothing', async () => {
  const before = await list()
  const good = { type: 'insert', translations: { en: 'good' } }
  for (const [bad, message] of [
    [
      { type: 'update', id: 'unknown', translations: { en: 'x' } },
      /operations\.1\.id: there is no such entry/,
    ],
    [{ type: 'insert', translations: { xx: 'x' } }, /translations/],
    [{ type: 'insert', translations: {} }, /translations/],
    [{ type: 'insert', translations: { en: '' } }, /translations/],
    [{ type: 'insert', translations: { en: ' ' } }, /translations/],
    [{ type: 'insert', translations: { en: 'two\nlines' } }, /translations/],
    [{ type: 'insert', translations: { en: 'x'.repeat(256) } }, /translations/],
    [{ type: 'insert', translations: { en: 1 } }, /translations/],
    [{ type: 'replace', id: 'unknown' }, /operations\.1/],
  ] as const) {
    const { status, body } = await change(good, bad)
    assert.equal(status, 400, JSON.stringify(bad))
    assert.match(body.error.message, message)
  }
  const many = Array.from({ length: 501 }, () => good)
  assert.equal((await change(...many)).status, 400)
  assert.deepEqual(await list(), before)
})

test('deleting an unknown entry, and an empty batch, do nothing', async () => {
  const before = await list()
  assert.equal((await change({ type: 'delete', id: 'unknown' })).status, 204)
  assert.equal((await change()).status, 204)
  assert.deepEqual(await list(), before)
})

test('the list continues by cursor, newest first', async () => {
  const other = await world()
  const path = glossaryOf(other.organizationId)
  for (const words of [['a', 'b'], ['c']])
    await other.call('PUT', path, {
      body: { operations: words.map(en => ({ type: 'insert', translations: { en } })) },
    })
  const seen: string[] = []
  let more = '?limit=2'
  for (;;) {
    const { body } = await other.call('GET', `${path}${more}`)
    assert.equal(body.count, 3)
    seen.push(...body.items.map((entry: Entry) => entry.translations['en']))
    if (body.next === undefined) break
    more = `?limit=2&page=${body.next.page}`
  }
  assert.equal(seen[0], 'c')
  assert.deepEqual([...seen].sort(), ['a', 'b', 'c'])
})

test('entries belong to one organization: another can neither read, update nor delete them', async () => {
  const { id } = await insert({ en: 'ours' })
  const other = await world()
  const path = glossaryOf(other.organizationId)
  assert.equal((await other.call('GET', `${path}/${id}`)).status, 404)
  const update = { operations: [{ type: 'update', id, translations: { en: 'theirs' } }] }
  assert.equal((await other.call('PUT', path, { body: update })).status, 400)
  assert.equal(
    (await other.call('PUT', path, { body: { operations: [{ type: 'delete', id }] } })).status,
    204,
  )
  assert.deepEqual((await w.call('GET', `${glossary}/${id}`)).body.translations, { en: 'ours' })
})

test('members without permission to create content can read the glossary but not change it', async () => {
  const body = { operations: [{ type: 'insert', translations: { en: 'x' } }] }
  assert.equal((await w.call('PUT', glossary, { as: 'review', body })).status, 403)
  assert.equal((await w.call('PUT', glossary, { as: 'create', body })).status, 204)
  assert.equal((await w.call('GET', glossary, { as: 'read' })).status, 200)
})

test('a full glossary refuses more entries, and takes a batch that makes room', async () => {
  const other = await world()
  const path = glossaryOf(other.organizationId)
  const { db } = other.services
  await sql`insert into glossary_entries (id, organization_id, translations)
    select ${`${other.organizationId}-`} || n, ${other.organizationId}, '{"en":"x"}'
    from generate_series(0, ${ENTRIES_MAX - 1}::integer) n`.execute(db)
  const more = { type: 'insert', translations: { en: 'y' } }
  const refused = await other.call('PUT', path, { body: { operations: [more] } })
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /at most 10000 entries/)
  const room = { type: 'delete', id: `${other.organizationId}-0` }
  assert.equal((await other.call('PUT', path, { body: { operations: [more, room] } })).status, 204)
})
