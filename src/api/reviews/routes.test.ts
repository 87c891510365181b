import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type PersonName, type Reply, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'

const w = await world()
const { people } = w

const FILES = { 'README.md': '# Start\n\nWords.\n' }

type Opened = {
  readonly id: string
  readonly path: string
  readonly revision: string
  readonly space: string
}

async function open(as: PersonName = 'edit'): Promise<Opened> {
  const space = await spaceWith(w, FILES)
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, { as })
  return { id: body.id, space, revision: body.revision, path: `/spaces/${space}/change-requests/${body.id}` }
}

const review = (at: Opened, body: object, as: PersonName = 'review'): Promise<Reply> =>
  w.call('POST', `${at.path}/reviews`, { as, body })
const list = async (at: Opened, query = ''): Promise<Record<string, unknown>[]> =>
  (await w.call('GET', `${at.path}/reviews${query}`)).body.items
const states = async (at: Opened) =>
  (await list(at)).map(({ reviewer, status, outdated }) => [
    (reviewer as { id: string }).id,
    status,
    outdated,
  ])
const ask = (at: Opened, users: string[]) =>
  w.call('POST', `${at.path}/requested-reviewers`, { as: 'edit', body: { users } })

test('a review is answered, read and listed with its comment, its content and who gave it', async () => {
  const at = await open()
  const given = await review(at, { status: 'approved', comment: { markdown: 'Well done.' } })
  assert.equal(given.status, 201)
  const { body } = given
  const location = `http://octavo.test/v1${at.path}/reviews/${body.id}`
  assert.equal(given.headers.location, location)
  assert.deepEqual(
    { ...body, reviewer: body.reviewer.id, comment: body.comment.id, updatedAt: typeof body.updatedAt },
    {
      object: 'change-request-review',
      id: body.id,
      revision: at.revision,
      reviewer: people.review.id,
      status: 'approved',
      outdated: false,
      comment: body.comment.id,
      createdAt: body.updatedAt,
      updatedAt: 'string',
      urls: { location },
    },
  )
  assert.deepEqual((await w.call('GET', `${at.path}/reviews/${body.id}`, { as: 'review' })).body, body)
  assert.deepEqual((await w.call('GET', `${at.path}/reviews`, { as: 'review' })).body, {
    items: [body],
    count: 1,
  })
})

test('the comment of a review is an ordinary comment of the change request', async () => {
  const at = await open()
  const { body } = await review(at, { status: 'changes-requested', comment: { markdown: 'Not yet.' } })
  const { comment } = body
  assert.deepEqual(comment.target, {
    space: at.space,
    changeRequest: at.id,
    review: body.id,
    revision: at.revision,
  })
  const path = `${at.path}/comments/${comment.id}`
  assert.deepEqual((await w.call('GET', path, { as: 'review' })).body, comment)
  assert.equal((await w.call('GET', at.path)).body.comments, 1)
  await w.call('POST', `${path}/replies`, { as: 'edit', body: { body: { markdown: 'Why?' } } })
  await w.call('PUT', path, { as: 'edit', body: { addedReactions: ['👀'] } })
  const [shown] = (await list(at)) as { comment: { replies: number; reactions: { emoji: string }[] } }[]
  assert.deepEqual([shown?.comment.replies, shown?.comment.reactions[0]?.emoji], [1, '👀'])
  await w.call('DELETE', path, { as: 'review' })
  assert.equal((await w.call('GET', `${at.path}/reviews/${body.id}`)).body.comment, undefined)
})

test('the comment may be a rich document or a body as comments have it, and is answered as asked', async () => {
  const at = await open()
  const leaves = [{ object: 'leaf', text: 'Rich words', marks: [] }]
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {} }
  const document = {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [{ ...paragraph, nodes: [{ object: 'text', leaves }] }],
  }
  for (const comment of [document, { document }, { markdown: 'Rich words\n' }]) {
    const given = await review(at, { status: 'approved', comment })
    assert.equal(given.status, 201, given.text)
    assert.deepEqual(given.body.comment.body, { markdown: 'Rich words\n' })
    for (const path of [`/reviews/${given.body.id}`, '/reviews']) {
      const { body } = await w.call('GET', `${at.path}${path}?format=document`)
      const { comment } = body.items?.[0] ?? body
      assert.equal(comment.body.document.nodes[0].nodes[0].leaves[0].text, 'Rich words')
    }
  }
  for (const [comment, message] of [
    [{}, /^body\.comment: send either markdown or document/],
    [{ markdown: ' ' }, /^body\.comment\.markdown: this says nothing/],
    [{ ...document, nodes: [{ object: 'block', type: 'nothing' }] }, /^body\.comment/],
  ] as const) {
    const refused = await review(at, { status: 'approved', comment })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, message)
  }
  assert.equal((await list(at)).length, 3, 'what was refused left no review')
})

test('a review without words has no comment; a status is one of two', async () => {
  const at = await open()
  const { body } = await review(at, { status: 'approved' })
  assert.equal(body.comment, undefined)
  assert.equal((await w.call('GET', `${at.path}/comments`)).body.count, 0)
  for (const bad of [{}, { status: 'rejected' }, { status: 'approved', comment: 'words' }]) {
    const refused = await review(at, bad)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^body\./)
  }
})

test('a newer review of the same reviewer outdates the earlier one, and no one else’s', async () => {
  const at = await open()
  await review(at, { status: 'changes-requested' }, 'review')
  await review(at, { status: 'approved' }, 'admin')
  await review(at, { status: 'approved' }, 'review')
  assert.deepEqual(await states(at), [
    [people.review.id, 'approved', false],
    [people.admin.id, 'approved', false],
    [people.review.id, 'changes-requested', true],
  ])
  assert.equal((await list(at, '?outdated=false')).length, 2)
  assert.equal((await list(at, '?outdated=true')).length, 1)
  const first = (await w.call('GET', `${at.path}/reviews?limit=2`)).body
  assert.deepEqual([first.items.length, first.count], [2, 3])
  const second = (await w.call('GET', `${at.path}/reviews?limit=2&page=${first.next.page}`)).body
  assert.deepEqual([second.items.length, second.next], [1, undefined])
  assert.equal((await w.call('GET', `${at.path}/reviews?outdated=true&page=${first.next.page}`)).status, 400)
  assert.equal((await w.call('GET', `${at.path}/reviews?outdated=maybe`)).status, 400)
})

test('a review answers its request; a new request outdates it', async () => {
  const at = await open()
  await ask(at, [people.review.id, people.admin.id])
  const { body } = await review(at, { status: 'approved' })
  assert.equal(body.requestedBy.id, people.edit.id)
  const pending = async () =>
    (await w.call('GET', `${at.path}/requested-reviewers`)).body.items.map(
      ({ user }: { user: { id: string } }) => user.id,
    )
  assert.deepEqual(await pending(), [people.admin.id])
  await ask(at, [people.review.id])
  assert.deepEqual((await pending()).sort(), [people.admin.id, people.review.id].sort())
  assert.deepEqual(await states(at), [[people.review.id, 'approved', true]])
  const again = await review(at, { status: 'changes-requested' })
  assert.deepEqual([again.body.requestedBy.id, again.body.outdated], [people.edit.id, false])
  assert.equal((await review(at, { status: 'approved' }, 'create')).body.requestedBy, undefined)
})

test('a new request to a team outdates what its members said, and nobody else’s review', async () => {
  const at = await open()
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Editors', members: [people.review.id, people.create.id] },
  })
  const askTeam = () =>
    w.call('POST', `${at.path}/requested-reviewers`, { as: 'edit', body: { users: [], teams: [team.id] } })
  assert.equal((await askTeam()).status, 200)
  for (const person of ['review', 'create', 'admin'] as const)
    await review(at, { status: 'approved' }, person)
  assert.equal((await askTeam()).status, 200)
  assert.deepEqual(await states(at), [
    [people.admin.id, 'approved', false],
    [people.create.id, 'approved', true],
    [people.review.id, 'approved', true],
  ])
})

test('a review belongs to the content that it judged', async () => {
  const at = await open()
  const { body } = await review(at, { status: 'approved' })
  await proposeFiles(w, at.id, { 'README.md': '# Start\n\nOther words.\n' })
  const after = await review(at, { status: 'approved' }, 'admin')
  assert.equal((await w.call('GET', `${at.path}/reviews/${body.id}`)).body.revision, at.revision)
  assert.equal(after.body.revision, (await w.call('GET', at.path)).body.revision)
  assert.notEqual(after.body.revision, at.revision)
})

test('authors may review their own change request; whether it counts is decided by merge rules', async () => {
  const at = await open('review')
  const { status, body } = await review(at, { status: 'approved' }, 'review')
  assert.deepEqual([status, body.reviewer.id], [201, people.review.id])
})

test('reviews are for the role review, reading them for every member, and visitors find none', async () => {
  const at = await open()
  const { body } = await review(at, { status: 'approved' })
  for (const as of ['read', 'comment', 'edit'] as const) {
    assert.equal((await review(at, { status: 'approved' }, as)).status, 403, as)
    assert.equal((await w.call('GET', `${at.path}/reviews/${body.id}`, { as })).status, 200, as)
  }
  await w.call('PATCH', `/spaces/${at.space}`, { body: { visibility: 'public' } })
  for (const path of ['/reviews', `/reviews/${body.id}`])
    assert.equal((await w.call('GET', `${at.path}${path}`, { as: 'stranger' })).status, 404)
  assert.equal((await w.call('GET', `${at.path}/reviews/${newId()}`)).status, 404)
  const other = await open()
  assert.equal((await w.call('GET', `${other.path}/reviews/${body.id}`)).status, 404)
})

test('a merged or archived change request takes no reviews', async () => {
  const at = await open()
  await w.call('PATCH', at.path, { body: { status: 'archived' } })
  const archived = await review(at, { status: 'approved', comment: { markdown: 'x' } })
  assert.equal(archived.status, 409)
  assert.match(archived.body.error.message, /archived. Open it again/)
  await w.services.transaction(trx =>
    trx.updateTable('change_requests').set({ status: 'merged' }).where('id', '=', at.id).execute(),
  )
  const merged = await review(at, { status: 'approved' })
  assert.equal(merged.status, 409)
  assert.match(merged.body.error.message, /was merged/)
  assert.deepEqual(await list(at), [])
  assert.equal((await w.call('GET', `${at.path}/comments`)).body.count, 0)
})

test('concurrent reviews: one per reviewer is current, and each appends one event', async () => {
  const at = await open()
  const who = ['review', 'create', 'admin'] as const
  await Promise.all(
    who.flatMap(as => [1, 2, 3].map(() => review(at, { status: 'approved', comment: { markdown: as } }, as))),
  )
  const all = await list(at)
  assert.equal(all.length, 9)
  const current = all.filter(({ outdated }) => outdated === false)
  assert.deepEqual(
    current.map(({ reviewer }) => (reviewer as { id: string }).id).sort(),
    who.map(as => people[as].id).sort(),
  )
  const events = await w.services.db
    .selectFrom('events')
    .select(['payload', 'actor_id'])
    .where('space_id', '=', at.space)
    .where('type', '=', 'change_request.reviewed')
    .execute()
  assert.deepEqual(
    events.map(({ payload }) => (payload as { review: string }).review).sort(),
    all.map(({ id }) => id).sort(),
  )
  for (const { payload } of events)
    assert.deepEqual(
      { ...(payload as object), review: '' },
      { changeRequest: at.id, review: '', status: 'approved' },
    )
})
