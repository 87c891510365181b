import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  changeRequestOn,
  type EditTarget,
  edit,
  liveAt,
  pagesOf,
  untilServed,
  write,
} from '../../../test/support/edits.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { Draft } from '../../engines/content/draft.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { insertPage } from '../../engines/content/page-edits.ts'
import { NO_PRECONDITIONS } from '../../http/preconditions.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { publish } from '../heads/publish.ts'
import { findSpace } from '../spaces/rows.ts'
import { mergeChangeRequest, updateFromSpace } from './actions.ts'

const w = await world()

const CHANGE_REQUESTS = Number(process.env.OCTAVO_TEST_MERGES ?? 8)
const LIVE_EDITS = Math.floor(CHANGE_REQUESTS / 2)

const START = { 'start.md': '# Start\n\nWords.\n' }
const insertion = (name: string) => ({
  operation: 'insert_page',
  title: name,
  slug: name,
  document: { markdown: `Words of ${name}.\n` },
})

const get = async (path: string) => (await w.call('GET', path)).body
const slugsOf = async (at: EditTarget): Promise<Set<string>> => new Set((await pagesOf(w, at)).keys())

test('change requests merged at once, with live edits meanwhile: nothing is lost and every answer is true', async () => {
  const spaceId = await spaceWith(w, START)
  const names = Array.from({ length: CHANGE_REQUESTS }, (_, n) => `proposed-${n}`)
  const changeRequests = await Promise.all(names.map(() => changeRequestOn(w, spaceId)))
  await Promise.all(names.map((name, n) => edit(w, changeRequests[n] as EditTarget, insertion(name))))

  // Each change request is merged twice at once: one of the two is late.
  const merging = names.map((_, n) =>
    Promise.all([0, 1].map(() => untilServed(() => w.call('POST', `${changeRequests[n]?.path}/merge`)))),
  )
  const live = Array.from({ length: LIVE_EDITS }, (_, n) => `live-${n}`)
  const writing = live.map(name => edit(w, liveAt(spaceId), insertion(name)))
  const answers = await Promise.all(merging)
  await Promise.all(writing)

  assert.deepEqual(await slugsOf(liveAt(spaceId)), new Set(['start', ...names, ...live]))
  const numbers = new Set<number>()
  const merged = new Set<string>()
  for (const [n, replies] of answers.entries()) {
    const [winner, loser] = replies.sort((a, b) => a.status - b.status)
    assert.deepEqual([winner?.status, winner?.body.result], [200, 'merge'], winner?.text)
    assert.equal(loser?.status, 409, loser?.text)
    assert.match(loser?.body.error.message, /was merged/)
    const after = await get(changeRequests[n]?.path as string)
    assert.deepEqual([after.status, after.revisionMerged], ['merged', winner?.body.revision])
    numbers.add(after.number)
    merged.add(after.revisionMerged)
  }
  assert.deepEqual([numbers.size, merged.size], [CHANGE_REQUESTS, CHANGE_REQUESTS])

  // One line of history, and every revision of it can be read.
  const { items, count } = await get(`/spaces/${spaceId}/revisions?limit=1000`)
  assert.equal(count, 2 + CHANGE_REQUESTS + LIVE_EDITS)
  for (const [index, { id, parents }] of items.entries()) {
    assert.equal(parents[0], items[index + 1]?.id, 'each follows the one before')
    assert.equal((await w.call('GET', `/spaces/${spaceId}/revisions/${id}/pages`)).status, 200)
  }
  await assertLiveRows(w.services, spaceId)
})

test('edits of a change request and its merge at once: what was accepted is what is merged, and nobody waits in a circle', async () => {
  const spaceId = await spaceWith(w, START)
  const before = await countDeadlocks()
  for (let round = 0; round < 10; round += 1) {
    const at = await changeRequestOn(w, spaceId)
    await edit(w, at, insertion(`a-${round}`))
    const [early, reply, late] = await Promise.all([
      write(w, at, [insertion(`b-${round}`)]),
      w.call('POST', `${at.path}/merge`),
      write(w, at, [insertion(`c-${round}`)]),
    ])
    assert.deepEqual([reply.status, reply.body.result], [200, 'merge'], reply.text)
    const head = await slugsOf(liveAt(spaceId))
    assert.deepEqual(head, await slugsOf(at), 'the space has what the change request has')
    for (const [name, { status }] of [
      [`b-${round}`, early],
      [`c-${round}`, late],
    ] as const) {
      assert.ok(status === 200 || status === 409)
      assert.equal(head.has(name), status === 200, `${name} was answered ${status}`)
    }
  }
  assert.equal(await countDeadlocks(), before)
})

type Verb = typeof mergeChangeRequest

/** Carries out `verb`, with something else done each time its outcome is about to be written, up to `times`. */
async function withMeanwhile(
  verb: Verb,
  at: EditTarget,
  times: number,
  meanwhile: (count: number) => Promise<unknown>,
): Promise<unknown> {
  const { services } = w
  const [space, changeRequest] = [
    await findSpace(services.db, at.spaceId),
    await findChangeRequest(services.db, at.id),
  ]
  const principal = await w.principalOf('admin')
  assert.ok(space && changeRequest)
  let count = 0
  const transaction: typeof services.transaction = async run => {
    // As another process does it: nobody waits for a turn.
    if (count < times) await meanwhile(count++)
    return services.transaction(run)
  }
  const context = { ...services, ...NO_PRECONDITIONS, transaction, principal, requestId: 'test' } as never
  const request = { resolutions: undefined, compared: undefined, isDryRun: false }
  return verb(context, { space, changeRequest, role: 'admin' }, request)
}

async function publishPage(spaceId: string, name: string): Promise<void> {
  const { objects, db } = w.services
  const space = await findSpace(db, spaceId)
  assert.ok(space)
  const base = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
  const draft = new Draft(objects, base.root)
  const text = encodeDocument(`Words of ${name}.\n`)
  const fields = { title: name, slug: name, document: text.hash, file: `${name}.md` }
  await insertPage(draft, newId(), { type: 'document', ...fields }, { parent: null })
  const [edits, documents] = [draft.edits, [text]]
  await publish(w.services, { spaceId, base, edits, documents, type: 'edits', createdBy: null })
}

test('a head that another process moves meanwhile is merged with again, and not for ever', async () => {
  const spaceId = await spaceWith(w, START)
  const lucky = await changeRequestOn(w, spaceId)
  await edit(w, lucky, insertion('lucky'))
  await withMeanwhile(mergeChangeRequest, lucky, 3, n => publishPage(spaceId, `meanwhile-${n}`))
  const met = ['start', 'lucky', 'meanwhile-0', 'meanwhile-1', 'meanwhile-2']
  assert.deepEqual(await slugsOf(liveAt(spaceId)), new Set(met))

  const other = await spaceWith(w, START)
  const unlucky = await changeRequestOn(w, other)
  await edit(w, unlucky, insertion('unlucky'))
  await assert.rejects(
    withMeanwhile(mergeChangeRequest, unlucky, Number.POSITIVE_INFINITY, n =>
      publishPage(other, `again-${n}`),
    ),
    error => error instanceof Failure && error.kind === 'conflict' && /kept coming in/.test(error.message),
  )
  assert.equal((await get(unlucky.path)).status, 'draft')
  assert.equal((await slugsOf(liveAt(other))).has('unlucky'), false)
})

test('a change request that is archived meanwhile is neither merged nor updated', async () => {
  for (const verb of [mergeChangeRequest, updateFromSpace]) {
    const spaceId = await spaceWith(w, START)
    const at = await changeRequestOn(w, spaceId)
    const { revision } = await edit(w, at, insertion('late')).then(() => get(at.path))
    await publishPage(spaceId, 'live')
    const archive = () => w.call('PATCH', at.path, { body: { status: 'archived' } })
    await assert.rejects(
      withMeanwhile(verb, at, 1, archive),
      error => error instanceof Failure && error.code === 'change_request_archived',
    )
    const after = await get(at.path)
    assert.deepEqual([after.status, after.revision], ['archived', revision])
  }
})

async function countDeadlocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select deadlocks::integer as count from pg_stat_database
    where datname = current_database()`.execute(w.services.db)
  return rows[0]?.count ?? 0
}
