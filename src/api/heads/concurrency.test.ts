import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { Draft } from '../../engines/content/draft.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { insertPage } from '../../engines/content/page-edits.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { removeUnusedRows, takeOwnRows } from '../content/own-rows.ts'
import { purgeSpaces } from '../spaces/jobs.ts'
import { insertRevision } from '../spaces/revisions.ts'
import { findSpace } from '../spaces/rows.ts'
import { publish } from './publish.ts'

const w = await world()
const { services } = w

const README = { 'README.md': '# Start\n\n[next](next.md)\n', 'next.md': '# Next\n\nWords.\n' }

/** One page more, on top of whatever the head is. Says whether somebody else was faster. */
async function addPage(spaceId: string): Promise<'published' | 'conflict' | 'missing'> {
  const space = await findSpace(services.db, spaceId)
  if (space === undefined) return 'missing'
  const base = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
  const draft = new Draft(services.objects, base.root)
  const id = newId()
  const text = encodeDocument(`# ${id}\n\n[next](next.md)\n`)
  const fields = { title: id, slug: id.toLowerCase(), document: text.hash, file: `${id}.md` }
  await insertPage(draft, id, { type: 'document', ...fields }, { parent: null })
  try {
    await publish(services, {
      spaceId,
      base,
      edits: draft.edits,
      documents: [text],
      type: 'edits',
      createdBy: null,
    })
    return 'published'
  } catch (error) {
    if (error instanceof Failure && error.kind === 'conflict') return 'conflict'
    if (error instanceof Failure && error.kind === 'missing') return 'missing'
    throw error
  }
}

test('publishing, duplicating, copying live rows, deleting and restoring at once leave every space whole', async () => {
  const origins = [await spaceWith(w, README), await spaceWith(w, README)]
  const spaces = [...origins]
  const work: (() => Promise<unknown>)[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    for (const origin of origins) {
      work.push(
        async () => {
          const { status, body } = await w.call('POST', `/spaces/${origin}/duplicate`)
          if (status === 404) return
          assert.equal(status, 201)
          spaces.push(body.id)
          await Promise.all([addPage(body.id), takeOwnRows(services, body.id), addPage(body.id)])
        },
        () => addPage(origin),
        () => takeOwnRows(services, origin),
      )
    }
    work.push(
      () => w.call('DELETE', `/spaces/${origins[1]}`).then(({ status }) => assert.equal(status, 204)),
      () => w.call('POST', `/spaces/${origins[1]}/restore`).then(({ status }) => assert.equal(status, 200)),
      () => purgeSpaces(services),
      () => removeUnusedRows(services),
    )
  }
  await Promise.all(work.map(run => run()))
  assert.ok(spaces.length > 4)
  for (const id of spaces) await assertLiveRows(services, id)
})

test('of concurrent publications on one head exactly one succeeds, and each gets its result', async () => {
  const id = await spaceWith(w, README)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => addPage(id)))
  assert.equal(outcomes.filter(outcome => outcome === 'published').length >= 1, true)
  const { body } = await w.call('GET', `/spaces/${id}/revisions`)
  assert.equal(body.count, 2 + outcomes.filter(outcome => outcome === 'published').length)
  const revisions = body.items as { id: string; parents: string[] }[]
  for (const [index, { parents }] of revisions.entries())
    assert.deepEqual(parents, index + 1 < revisions.length ? [revisions[index + 1]?.id] : [], 'newest first')
  await assertLiveRows(services, id)
})

test('a revision that waited for another is newer than it', async () => {
  const { id } = await w.createSpace()
  const revision = { spaceId: id, root: EMPTY_ROOT, type: 'edits', parents: [], createdBy: null } as const
  await services.transaction(async trx => {
    const first = await insertRevision(trx, revision)
    await sql`select pg_sleep(0.01)`.execute(trx)
    const second = await insertRevision(trx, revision)
    assert.ok(second.created_at > first.created_at)
  })
})

test('a space that is being restored is never purged, however close the two come', async () => {
  const { id } = await w.createSpace()
  await w.call('DELETE', `/spaces/${id}`)
  const soon = new Date(now().getTime() + 60_000)
  const written = Promise.withResolvers<void>()
  const restoring = services.transaction(async trx => {
    await trx.updateTable('spaces').set({ deleted_at: null }).where('id', '=', id).execute()
    written.resolve()
    await new Promise(resolve => setTimeout(resolve, 100))
  })
  await written.promise
  await Promise.all([restoring, purgeSpaces(services, soon)])
  assert.ok((await findSpace(services.db, id)) !== undefined)
})

test('a purge emits an event, and removes the live rows that no other space shares', async () => {
  const id = await spaceWith(w, README)
  const copy = (await w.call('POST', `/spaces/${id}/duplicate`)).body.id
  await w.call('DELETE', `/spaces/${id}`)
  await purgeSpaces(services, new Date(now().getTime() + 60_000))
  assert.equal(await findSpace(services.db, id), undefined)
  await assertLiveRows(services, copy)
  const events = await services.db.selectFrom('events').select('type').where('space_id', '=', id).execute()
  assert.equal(events.filter(({ type }) => type === 'space.purged').length, 1)
})

test('restoring twice at once restores once', async () => {
  const { id } = await w.createSpace()
  await w.call('DELETE', `/spaces/${id}`)
  const replies = await Promise.all([0, 1, 2].map(() => w.call('POST', `/spaces/${id}/restore`)))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  const events = await services.db.selectFrom('events').select('type').where('space_id', '=', id).execute()
  assert.equal(events.filter(({ type }) => type === 'space.restored').length, 1)
})
