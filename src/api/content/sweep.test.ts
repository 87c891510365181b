import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { purgeSpaces } from '../spaces/jobs.ts'
import { insertObjects } from './objects.ts'
import { sweepObjects } from './sweep.ts'

const w = await world()
const { db } = w.services

const age = (hours: number) =>
  sql`update objects set touched_at = now() - make_interval(hours => ${hours})`.execute(db)
const isThere = async (hash: string) =>
  (await sql`select 1 from objects where hash = ${Buffer.from(hash, 'hex')}`.execute(db)).rows.length === 1

test('what a revision reaches stays, what none reaches goes, once it was left alone for a day', async () => {
  const id = await spaceWith(w, { 'README.md': '# Kept\n', 'SUMMARY.md': '* [Kept](README.md)\n' })
  const stray = encodeDocument('nobody refers to me')
  await insertObjects(db, [stray])
  assert.equal(await sweepObjects(w.services), 0, 'young objects are never candidates')
  await age(25)
  assert.ok((await sweepObjects(w.services)) >= 1)
  assert.equal(await isThere(stray.hash), false)
  w.services.changes.touch()
  const { status } = await w.call('GET', `/spaces/${id}/content`)
  assert.equal(status, 200)
})

test('putting an object again keeps it from the sweeper', async () => {
  const object = encodeDocument('put twice')
  await insertObjects(db, [object])
  await age(25)
  await insertObjects(db, [object])
  await sweepObjects(w.services)
  assert.equal(await isThere(object.hash), true)
})

test('an object that is put while the sweep runs survives it', async () => {
  const objects = Array.from({ length: 200 }, (_, index) => encodeDocument(`contested ${index}`))
  await insertObjects(db, objects)
  await age(25)
  // Whichever comes first, afterwards what was put has to be there.
  await Promise.all([sweepObjects(w.services), w.services.transaction(trx => insertObjects(trx, objects))])
  for (const { hash } of objects) assert.equal(await isThere(hash), true)
})

const sectionsOf = async (hash: string) =>
  (await sql`select 1 from sections where document_hash = ${Buffer.from(hash, 'hex')}`.execute(db)).rows
    .length
const purgeAll = (...ids: string[]) =>
  w.services
    .transaction(async trx => {
      await trx
        .updateTable('spaces')
        .set({ deleted_at: new Date(0) })
        .where('id', 'in', ids)
        .execute()
    })
    .then(() => purgeSpaces(w.services))

test('what a swept document was found by goes with it, and comes back with it', async () => {
  const text = '# Ephemeral\n\nWords of its own.\n'
  const { hash } = encodeDocument(text)
  await purgeAll(await spaceWith(w, { 'README.md': text }))
  assert.equal(await sectionsOf(hash), 1)
  await age(25)
  await sweepObjects(w.services)
  assert.equal(await sectionsOf(hash), 0)
  await assertLiveRows(w.services, await spaceWith(w, { 'README.md': text }))
  assert.equal(await sectionsOf(hash), 1)
})

test('a document that is published while it is swept can be found afterwards', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `page-${index}.md`,
      `# Contested\n\nWords of page ${index}.\n`,
    ]),
  )
  await purgeAll(await spaceWith(w, files))
  await age(25)
  const [id] = await Promise.all([spaceWith(w, files), sweepObjects(w.services)])
  await assertLiveRows(w.services, id)
})
