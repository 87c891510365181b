import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type Call, type PersonName, type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { DESCRIPTION_BYTES_MAX, REQUESTED_REVIEWERS_MAX } from './schema.ts'

const w = await world()
const { db } = w.services

type Item = { id: string; number: number; status: string; subject: string; updatedAt: string }
const idsOf = (body: { items: readonly { id: string }[] }) => body.items.map(({ id }) => id)

async function open(spaceId: string, as: PersonName = 'admin', of: World = w): Promise<Item> {
  return (await of.call('POST', `/spaces/${spaceId}/change-requests`, { as })).body
}

const pathOf = (spaceId: string, { id }: { id: string }) => `/spaces/${spaceId}/change-requests/${id}`

/** As a merge leaves it. */
const setMerged = (id: string) =>
  w.services.transaction(trx =>
    trx.updateTable('change_requests').set({ status: 'merged' }).where('id', '=', id).execute(),
  )

async function eventsOf(id: string, type: string): Promise<{ payload: unknown; actor: string | null }[]> {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'payload', 'actor_id'])
    .where('type', '=', type)
    .orderBy('occurred_at')
    .execute()
  return rows
    .filter(({ payload }) => (payload as { changeRequest?: string }).changeRequest === id)
    .map(({ payload, actor_id }) => ({ payload, actor: actor_id }))
}

async function walk(path: string, limit: number, call: Call = {}, of: World = w): Promise<Item[]> {
  const items: Item[] = []
  for (let token = ''; ; ) {
    const { body } = await of.call('GET', `${path}&limit=${limit}${token}`, call)
    items.push(...body.items)
    assert.equal(body.count >= items.length, true)
    if (body.next === undefined) return items
    assert.equal(body.items.length, limit, 'every page but the last is full')
    token = `&page=${body.next.page}`
  }
}

test('a change request opens as a draft on the head of its space', async () => {
  const space = await w.createSpace()
  const answer = await w.call('POST', `/spaces/${space.id}/change-requests`, {
    as: 'edit',
    body: { subject: 'Words' },
  })
  assert.equal(answer.status, 201)
  const { body } = answer
  assert.equal(answer.headers.location, body.urls.location)
  assert.deepEqual(
    [body.number, body.status, body.subject, body.createdBy.id, body.outdated, body.revisionInitial],
    [1, 'draft', 'Words', w.people.edit.id, false, space.revision],
  )
  for (const name of [body.id, body.number]) {
    assert.deepEqual((await w.call('GET', `/spaces/${space.id}/change-requests/${name}`)).body, body)
  }
  assert.equal((await w.call('GET', `/spaces/${space.id}/change-requests/2`)).status, 404)
  assert.equal(
    (await w.call('POST', `/spaces/${space.id}/change-requests`, { body: { agentTaskId: 'x' } })).status,
    404,
  )
})

test('twenty that are opened at once get the numbers from 1 to 20', async () => {
  const space = await w.createSpace()
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(space.id, 'edit')))
  assert.deepEqual(
    opened.map(({ number }) => number).sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
})

test('the list of a space has the open ones, or those of a status, newest change first and page by page', async () => {
  const space = await w.createSpace()
  const made: Item[] = []
  for (let i = 0; i < 7; i++) made.push(await open(space.id))
  const statuses = ['open', 'draft', 'open', 'archived', 'open', 'open', 'draft'] as const
  for (const i of [3, 0, 5, 2, 4])
    await w.call('PATCH', pathOf(space.id, made[i] as Item), { body: { status: statuses[i] } })
  const path = `/spaces/${space.id}/change-requests`
  const numbers = async (query: string) =>
    (await w.call('GET', `${path}${query}`)).body.items.map((item: Item) => item.number)
  assert.deepEqual(await numbers(''), [5, 3, 6, 1])
  assert.deepEqual(await numbers('?status=open'), [5, 3, 6, 1])
  assert.deepEqual(await numbers('?status=draft'), [7, 2])
  assert.deepEqual(await numbers('?status=archived'), [4])
  assert.deepEqual(await numbers('?status=merged'), [])
  assert.deepEqual(await numbers('?status=all'), [5, 3, 6, 1, 4, 7, 2])
  for (const limit of [1, 2, 3]) {
    const walked = await walk(`${path}?status=all`, limit)
    assert.deepEqual(
      walked.map(({ number }) => number),
      [5, 3, 6, 1, 4, 7, 2],
    )
  }
  const { body } = await w.call('GET', `${path}?status=all&limit=2`)
  assert.equal(body.count, 7)
  assert.equal((await w.call('GET', `${path}?status=open&page=${body.next.page}`)).status, 400)
  const none = (await w.call('GET', `${path}?limit=0`)).body
  assert.deepEqual([none.items, none.count, none.next], [[], 4, undefined])
  for (const query of [
    '?status=closed',
    '?limit=1001',
    '?limit=-1',
    '?creator=a&creator=b',
    '?creator=%00',
    '?page=x',
  ]) {
    assert.equal((await w.call('GET', `${path}${query}`)).status, 400, query)
  }
})

test('a change request that moves up while a list is paged is neither repeated nor skipped', async () => {
  const space = await w.createSpace()
  const made: Item[] = []
  for (let i = 0; i < 4; i++) made.push(await open(space.id))
  const path = `/spaces/${space.id}/change-requests?status=all&limit=2`
  const first = (await w.call('GET', path)).body
  await w.call('PATCH', pathOf(space.id, made[3] as Item), { body: { subject: 'Newest again' } })
  await open(space.id)
  const second = (await w.call('GET', `${path}&page=${first.next.page}`)).body
  assert.deepEqual(
    [...first.items, ...second.items].map(({ number }) => number),
    [4, 3, 2, 1],
  )
})

test('filters find what one person opened, took part in or is asked for', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const byAdmin = await open(space)
  const byEdit = await open(space, 'edit')
  const untouched = await open(space, 'create')
  await proposeFiles(w, byAdmin.id, { 'README.md': '# Edited\n' }, 'create')
  const commentId = newId()
  await w.services.transaction(async trx => {
    const said = { id: commentId, space_id: space, change_request_id: byEdit.id, revision_id: 'any' }
    await trx
      .insertInto('comments')
      .values({ ...said, body: 'Hm', posted_by: w.people.comment.id })
      .execute()
    await trx
      .insertInto('comment_replies')
      .values({ id: newId(), comment_id: commentId, body: 'Hm?', posted_by: w.people.review.id })
      .execute()
    await trx
      .updateTable('change_requests')
      .set({ conversations_issues_cluster: 'cluster-1' })
      .where('id', '=', untouched.id)
      .execute()
  })
  await w.call('POST', `${pathOf(space, byAdmin)}/requested-reviewers`, {
    body: { users: [w.people.review.id] },
  })
  const found = async (query: string) =>
    idsOf((await w.call('GET', `/spaces/${space}/change-requests?status=all&${query}`)).body).sort()
  const { people } = w
  assert.deepEqual(await found(`creator=${people.edit.id}`), [byEdit.id])
  assert.deepEqual(await found(`creator=${people.create.id}`), [untouched.id])
  assert.deepEqual(await found(`contributor=${people.create.id}`), [byAdmin.id], 'opening is no contribution')
  assert.deepEqual(await found(`contributor=${people.comment.id}`), [byEdit.id])
  assert.deepEqual(await found(`contributor=${people.review.id}`), [byEdit.id], 'a reply is one')
  assert.deepEqual(await found(`requestedReviewer=${people.review.id}`), [byAdmin.id])
  assert.deepEqual(await found('conversationsIssuesCluster=cluster-1'), [untouched.id])
  assert.deepEqual(await found(`creator=${people.admin.id}&contributor=${people.review.id}`), [])
  assert.deepEqual(await found('creator=nobody'), [])
  assert.deepEqual(
    idsOf(
      (await w.call('GET', `/spaces/${space}/change-requests?requestedReviewer=${people.review.id}`)).body,
    ),
    [byAdmin.id],
    'it is open now',
  )
})

test('the list of an organization has the change requests that the caller can read one by one, and no other', async () => {
  const own = await world()
  const made: { space: string; id: string; path: string }[] = []
  for (const body of [
    { title: 'A' },
    { title: 'B', visibility: 'public' },
    { title: 'C' },
    { title: 'D', visibility: 'public' },
    { title: 'E' },
  ]) {
    const { id: space } = await own.createSpace(body)
    const item = await open(space, 'admin', own)
    await own.call('PATCH', pathOf(space, item), { body: { status: 'open' } })
    made.push({ space, id: item.id, path: pathOf(space, item) })
  }
  const setLevel = (i: number, defaultLevel: string | null) =>
    own.call('PATCH', `/spaces/${made[i]?.space}`, { body: { defaultLevel } })
  await setLevel(2, null)
  await setLevel(3, null)
  await setLevel(1, 'read')
  await own.call('DELETE', `/spaces/${made[4]?.space}`)
  const foreign = await w.createSpace({ visibility: 'public' })
  await open(foreign.id)
  const path = `/orgs/${own.organizationId}/change-requests?status=all`
  for (const as of ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest'] as const) {
    const readable: string[] = []
    for (const item of made) {
      if ((await own.call('GET', item.path, { as })).status === 200) readable.push(item.id)
    }
    const listed = await walk(path, 1, { as }, own)
    assert.deepEqual(idsOf({ items: listed }), readable.reverse(), as)
    const { body } = await own.call('GET', path, { as })
    assert.equal(body.count, readable.length, as)
    assert.equal(readable.length, as === 'admin' ? 4 : as === 'guest' ? 0 : 2)
  }
  assert.equal((await own.call('GET', path, { as: 'stranger' })).status, 404)
  const { body } = await own.call('GET', `${path}&creator=${own.people.read.id}`)
  assert.deepEqual([body.items, body.count], [[], 0])
})

test('the status can change between draft, open and archived, but cannot be set to merged', async () => {
  const space = await w.createSpace()
  const item = await open(space.id)
  const path = pathOf(space.id, item)
  for (const status of ['open', 'archived', 'draft', 'archived', 'open', 'draft']) {
    const { status: code, body } = await w.call('PATCH', path, { as: 'edit', body: { status } })
    assert.deepEqual([code, body.status], [200, status])
    assert.equal((await w.call('GET', path)).body.status, status)
  }
  const { status, body } = await w.call('PATCH', path, { body: { status: 'merged' } })
  assert.equal(status, 400)
  assert.match(body.error.message, /^body\.status: must be one of draft, open, archived/)
})

test('a client that prefers a minimal response gets no body, and the change is made', async () => {
  const space = await w.createSpace()
  const path = pathOf(space.id, await open(space.id))
  const { status, text, headers } = await w.call('PATCH', path, {
    body: { status: 'open' },
    headers: { prefer: 'return=minimal' },
  })
  assert.deepEqual([status, text, headers['preference-applied']], [204, '', 'return=minimal'])
  assert.equal((await w.call('GET', path)).body.status, 'open')
})

test('If-Match names the updatedAt that was read: what was changed since is not overwritten', async () => {
  const space = await w.createSpace()
  const { updatedAt: read, ...item } = await open(space.id)
  const path = pathOf(space.id, item)
  const write = (subject: string, version: string) =>
    w.call('PATCH', path, { as: 'edit', body: { subject }, headers: { 'if-match': `"${version}"` } })
  const first = await write('One', read)
  assert.deepEqual([first.status, first.body.subject], [200, 'One'])
  const { status, body } = await write('Two', read)
  assert.deepEqual([status, body.error.reason], [412, 'changed_meanwhile'])
  const { updatedAt } = first.body
  assert.match(body.error.message, new RegExp(`^If-Match: .* If-Match: "${updatedAt}"`))
  assert.deepEqual((await w.call('GET', path)).body, first.body)
  assert.equal((await write('Two', updatedAt)).status, 200)
})

test('each change has a later updatedAt, even if the clock was set back', async () => {
  const space = await w.createSpace()
  const item = await open(space.id)
  const ahead = new Date(Date.parse(item.updatedAt) + 3_600_000)
  await w.services.transaction(trx =>
    trx.updateTable('change_requests').set({ updated_at: ahead }).where('id', '=', item.id).execute(),
  )
  const times: string[] = [ahead.toISOString()]
  for (const subject of ['One', 'Two'])
    times.push((await w.call('PATCH', pathOf(space.id, item), { body: { subject } })).body.updatedAt)
  assert.deepEqual([...new Set(times)].sort(), times)
})

test('the status of a merged change request is final, but its subject and description can still change', async () => {
  const space = await w.createSpace()
  const item = await open(space.id)
  await setMerged(item.id)
  for (const status of ['draft', 'open', 'archived']) {
    const answer = await w.call('PATCH', pathOf(space.id, item), { body: { status, subject: 'No' } })
    assert.equal(answer.status, 409)
    assert.match(answer.body.error.message, /^body\.status: .*merged/)
  }
  const { status, body } = await w.call('PATCH', pathOf(space.id, item), { body: { subject: 'Mended' } })
  assert.deepEqual([status, body.subject, body.status], [200, 'Mended', 'merged'])
})

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const documentOf = (...nodes: unknown[]) => ({ object: 'document', data: { schemaVersion: 2 }, nodes })

test('a change request is opened with its description, and what breaks a rule opens none', async () => {
  const { id: space } = await w.createSpace()
  const description = documentOf(paragraph('Why this is better: größer 📖'))
  const open = (body: object) => w.call('POST', `/spaces/${space}/change-requests`, { body })
  const { status, body } = await open({ subject: 'One', description })
  assert.deepEqual([status, body.subject, body.description], [201, 'One', description])
  const { body: read } = await w.call('GET', `/spaces/${space}/change-requests/${body.id}`)
  assert.deepEqual(read, body)
  for (const wrong of [
    documentOf({ object: 'block', type: 'spell' }),
    documentOf(paragraph('a\0b')),
    'words',
  ])
    assert.equal((await open({ description: wrong })).status, 400)
  const large = documentOf(paragraph('x'.repeat(DESCRIPTION_BYTES_MAX)))
  assert.equal((await open({ description: large })).status, 413)
  const { body: list } = await w.call('GET', `/spaces/${space}/change-requests?status=all`)
  assert.equal(list.count, 1)
})

test('subject and description are kept as they were sent, and what breaks a rule is named', async () => {
  const space = await w.createSpace()
  const item = await open(space.id)
  const path = pathOf(space.id, item)
  const description = documentOf(paragraph('Why this is better: größer 📖'))
  const subject = 'x'.repeat(100)
  const { status, body } = await w.call('PATCH', path, { body: { subject, description } })
  assert.deepEqual([status, body.subject, body.description], [200, subject, description])
  assert.deepEqual((await w.call('GET', path)).body, body)
  for (const [sent, code, message] of [
    [{ subject: 'x'.repeat(101) }, 400, /^body\.subject/],
    [{ subject: 7 }, 400, /^body\.subject/],
    [{ subject: 'a\0b' }, 400, /U\+0000/],
    [{ description: 'words' }, 400, /^body\.description/],
    [{ description: documentOf({ object: 'block', type: 'spell' }) }, 400, /^body\.description\.nodes\.0/],
    [{ description: documentOf(paragraph('a\0b')) }, 400, /U\+0000/],
    [
      { description: documentOf(paragraph('x'.repeat(DESCRIPTION_BYTES_MAX))) },
      413,
      /^body\.description: at most/,
    ],
    [{ subject: 'Not applied', status: 'closed' }, 400, /^body\.status/],
  ] as const) {
    const answer = await w.call('PATCH', path, { body: sent })
    assert.equal(answer.status, code, JSON.stringify(sent).slice(0, 100))
    assert.match(answer.body.error.message, message)
  }
  assert.equal((await w.call('GET', path)).body.subject, subject)
})

test('a change emits one event with the fields that differ; a change without effect emits none', async () => {
  const space = await w.createSpace()
  const item = await open(space.id)
  const path = pathOf(space.id, item)
  const description = documentOf(paragraph('Why'))
  const sent = { subject: 'One', status: 'open', description }
  const { body: changed } = await w.call('PATCH', path, { as: 'edit', body: sent })
  assert.ok(changed.updatedAt > item.updatedAt)
  for (const body of [sent, {}, { status: 'open' }, { description: { ...description } }]) {
    assert.deepEqual((await w.call('PATCH', path, { body })).body, changed)
  }
  await w.call('PATCH', path, { body: { subject: 'Two', status: 'open' } })
  assert.deepEqual(await eventsOf(item.id, 'change_request.changed'), [
    {
      payload: { changeRequest: item.id, fields: ['subject', 'description', 'status'], status: 'open' },
      actor: w.people.edit.id,
    },
    { payload: { changeRequest: item.id, fields: ['subject'] }, actor: w.people.admin.id },
  ])
})

test('a description is sent as Markdown too, and read as Markdown beside the document', async () => {
  const { id } = await w.createSpace()
  const { body: item } = await w.call('POST', `/spaces/${id}/change-requests`, {
    as: 'edit',
    body: { description: { markdown: 'First, *why*.\n\n* One\n' } },
  })
  const path = pathOf(id, item)
  assert.equal(item.description.nodes[0].type, 'paragraph')
  assert.equal((await w.call('GET', path)).body.descriptionMarkdown, undefined)
  const read = async () => (await w.call('GET', `${path}?format=markdown`)).body.descriptionMarkdown
  assert.equal(await read(), 'First, _why_.\n\n* One\n')
  await w.call('PATCH', path, {
    as: 'edit',
    body: { description: { markdown: '[Read](https://example.com)' } },
  })
  assert.equal(await read(), '[Read](https://example.com)\n')
  await w.call('PATCH', path, { as: 'edit', body: { description: { markdown: '' } } })
  assert.equal((await read()).trim(), '')
  for (const [description, status] of [
    [{ markdown: 1 }, 400],
    [{}, 400],
    [{ markdown: 'x'.repeat(DESCRIPTION_BYTES_MAX) }, 413],
    // The document is larger than its Markdown.
    [{ markdown: '* a\n'.repeat(2000) }, 413],
  ] as const) {
    const refused = await w.call('PATCH', path, { as: 'edit', body: { description } })
    assert.equal(refused.status, status)
    assert.match(refused.body.error.message, /^body\.description/)
  }
  assert.equal((await w.call('GET', `${path}?format=html`)).status, 400)
})

test('a list counts what current reviews say and how many are asked for; outdated ones do not count', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const path = pathOf(id, item)
  const counts = async () =>
    (await w.call('GET', `/spaces/${id}/change-requests?status=all`)).body.items[0].reviews
  assert.deepEqual(await counts(), { approved: 0, changesRequested: 0, requested: 0 })
  const { review, create, admin } = w.people
  await w.call('POST', `${path}/requested-reviewers`, { body: { users: [admin.id, create.id] } })
  for (const [as, status] of [
    ['review', 'changes-requested'],
    ['review', 'approved'],
    ['create', 'approved'],
  ] as const)
    await w.call('POST', `${path}/reviews`, { as, body: { status } })
  assert.deepEqual(await counts(), { approved: 2, changesRequested: 0, requested: 1 })
  await w.call('POST', `${path}/reviews`, { body: { status: 'changes-requested' } })
  await w.call('POST', `${path}/requested-reviewers`, { body: { users: [review.id] } })
  assert.deepEqual(await counts(), { approved: 1, changesRequested: 1, requested: 1 })
})

test('asking for reviews opens a draft, counts everybody once and answers in the order asked', async () => {
  const space = await w.createSpace()
  const item = await open(space.id, 'edit')
  const path = `${pathOf(space.id, item)}/requested-reviewers`
  const { review, create, admin, edit } = w.people
  const { status, body } = await w.call('POST', path, {
    as: 'edit',
    body: { users: [review.id, create.id, review.id], subject: 'Please look' },
  })
  assert.equal(status, 200)
  assert.deepEqual(
    body.users.map((asked: { user: { id: string } }) => asked.user.id),
    [review.id, create.id],
  )
  const { body: opened } = await w.call('GET', pathOf(space.id, item))
  assert.deepEqual([opened.status, opened.subject], ['open', 'Please look'])
  const [first] = body.users
  assert.deepEqual(
    [first.object, first.kind, first.revision, first.requestedBy.id],
    ['change-request-requested-reviewer', 'user', opened.revision, edit.id],
  )
  await w.call('POST', path, { body: { users: [admin.id] } })
  const walked = await walk(`${path}?`, 1)
  assert.equal(walked.length, 3)
  assert.equal((walked[0] as unknown as { user: { id: string } }).user.id, admin.id, 'latest request first')
  assert.deepEqual(await eventsOf(item.id, 'change_request.review_requested'), [
    { payload: { changeRequest: item.id, users: [review.id, create.id], teams: [] }, actor: edit.id },
    { payload: { changeRequest: item.id, users: [admin.id], teams: [] }, actor: admin.id },
  ])
  assert.deepEqual(
    (await eventsOf(item.id, 'change_request.changed')).map(({ payload }) => payload),
    [{ changeRequest: item.id, fields: ['subject', 'status'], status: 'open' }],
  )
})

test('a repeated review request is for the current content, and replaces the earlier one', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const changeRequest = await open(space)
  const path = pathOf(space, changeRequest)
  const ask = (as: PersonName) =>
    w.call('POST', `${path}/requested-reviewers`, { as, body: { users: [w.people.review.id] } })
  const [first] = (await ask('edit')).body.users
  await proposeFiles(w, changeRequest.id, { 'README.md': '# Other\n' })
  const [again] = (await ask('create')).body.users
  const { body: head } = await w.call('GET', path)
  assert.notEqual(first.revision, head.revision)
  assert.deepEqual([again.revision, again.requestedBy.id], [head.revision, w.people.create.id])
  assert.ok(again.createdAt > first.createdAt)
  const { body } = await w.call('GET', `${path}/requested-reviewers`)
  assert.deepEqual([body.items, body.count], [[again], 1])
})

test('only members who may review in the space can be asked, and one who cannot refuses the whole request', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const path = `${pathOf(id, item)}/requested-reviewers`
  const { stranger, guest, read, edit, review, admin } = w.people
  for (const wrong of [stranger.id, guest.id, read.id, edit.id, 'nobody']) {
    const { status, body } = await w.call('POST', path, {
      body: { users: [review.id, wrong], subject: 'Not applied' },
    })
    assert.equal(status, 400)
    assert.ok(body.error.message.startsWith(`body.users.1: ${wrong} `), body.error.message)
  }
  await w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } })
  assert.equal((await w.call('POST', path, { body: { users: [review.id] } })).status, 400)
  assert.equal((await w.call('GET', pathOf(id, item))).body.subject, '')
  assert.equal((await w.call('GET', path)).body.count, 0)
  assert.equal((await w.call('POST', path, { body: { users: [admin.id] } })).status, 200)
  for (const [body, message] of [
    [{}, /^body\.users: this is required/],
    [{ users: 'all' }, /^body\.users/],
    [{ users: [''] }, /^body\.users\.0/],
    [{ users: Array.from({ length: REQUESTED_REVIEWERS_MAX + 1 }, () => admin.id) }, /^body\.users/],
    [{ users: [admin.id], description: documentOf({ object: 'text' }) }, /^body\.description/],
  ] as const) {
    const answer = await w.call('POST', path, { body })
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, message)
  }
})

test('who may be asked are all who may review in the space, found by name or address, for those who may ask', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const item = await open(id, 'admin', own)
  const path = `${pathOf(id, item)}/possible-reviewers`
  const found = async (query = '', as: 'admin' | 'edit' = 'edit') =>
    idsOf((await own.call('GET', `${path}${query}`, { as })).body)
  const { review, create, admin, guest } = own.people
  assert.deepEqual((await found()).sort(), [review.id, create.id, admin.id].sort())
  assert.deepEqual(await found(`?search=${encodeURIComponent(review.email.toUpperCase())}`), [review.id])
  assert.deepEqual(await found('?search=%25'), [])
  const { body: first } = await own.call('GET', `${path}?limit=2`, { as: 'edit' })
  const { body: rest } = await own.call('GET', `${path}?limit=2&page=${first.next.page}`, { as: 'edit' })
  assert.equal(new Set([...idsOf(first), ...idsOf(rest)]).size, 3)
  for (const as of ['comment', 'read'] as const)
    assert.equal((await own.call('GET', path, { as })).status, 403)
  assert.equal((await own.call('GET', path, { as: 'guest' })).status, 404)
  await own.call('POST', `/spaces/${id}/permissions`, { body: { role: 'review', users: [guest.id] } })
  await own.services.transaction(trx =>
    trx.updateTable('members').set({ disabled: true }).where('user_id', '=', review.id).execute(),
  )
  assert.deepEqual((await found()).sort(), [create.id, admin.id, guest.id].sort())
  await own.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } })
  assert.deepEqual((await found('', 'admin')).sort(), [admin.id, guest.id].sort())
})

test('a disabled member is not asked', async () => {
  const own = await world()
  const { id } = await own.createSpace()
  const item = await open(id, 'admin', own)
  await own.services.transaction(trx =>
    trx.updateTable('members').set({ disabled: true }).where('user_id', '=', own.people.review.id).execute(),
  )
  const { status } = await own.call('POST', `${pathOf(id, item)}/requested-reviewers`, {
    body: { users: [own.people.review.id] },
  })
  assert.equal(status, 400)
})

test('no more than a bounded number of people are asked at the same time', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const others = Array.from({ length: REQUESTED_REVIEWERS_MAX }, () => newId())
  await w.services.transaction(async trx => {
    await trx
      .insertInto('users')
      .values(others.map(id => ({ id, email: `${id}@people.test`, display_name: 'Somebody' })))
      .execute()
    await trx
      .insertInto('members')
      .values(
        others.map(user_id => ({ organization_id: w.organizationId, user_id, role: 'review' as const })),
      )
      .execute()
  })
  const path = `${pathOf(id, item)}/requested-reviewers`
  assert.equal((await w.call('POST', path, { body: { users: others } })).status, 200)
  const beyond = await w.call('POST', path, { body: { users: [w.people.admin.id] } })
  assert.equal(beyond.status, 409)
  assert.match(beyond.body.error.message, /at most 100 people/)
  assert.equal((await w.call('POST', path, { body: { users: others.slice(0, 3) } })).status, 200)
  assert.equal((await w.call('GET', path)).body.count, REQUESTED_REVIEWERS_MAX)
})

test('nobody is asked about a change request that is archived or merged', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const ask = () =>
    w.call('POST', `${pathOf(id, item)}/requested-reviewers`, { body: { users: [w.people.admin.id] } })
  await w.call('PATCH', pathOf(id, item), { body: { status: 'archived' } })
  const archived = await ask()
  assert.deepEqual([archived.status, /Open it again/.test(archived.body.error.message)], [409, true])
  await setMerged(item.id)
  assert.equal((await ask()).status, 409)
})

test('a request is withdrawn once; withdrawing what is not there is done already', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const path = `${pathOf(id, item)}/requested-reviewers`
  await w.call('POST', path, { body: { users: [w.people.review.id, w.people.create.id] } })
  for (const userId of [w.people.review.id, w.people.review.id, 'nobody']) {
    assert.equal((await w.call('DELETE', `${path}/${userId}`, { as: 'edit' })).status, 204)
  }
  const { body } = await w.call('GET', path)
  assert.deepEqual([body.count, body.items[0].user.id], [1, w.people.create.id])
  assert.deepEqual(await eventsOf(item.id, 'change_request.review_request_withdrawn'), [
    { payload: { changeRequest: item.id, users: [w.people.review.id], teams: [] }, actor: w.people.edit.id },
  ])
})

const newTeam = async (title: string, users: readonly string[]): Promise<string> => {
  const { body } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title, members: users },
  })
  return body.id
}

test('a team is asked like a person: it opens a draft, is listed, and waits for the review of any of its members', async () => {
  const { id } = await w.createSpace()
  const item = await open(id, 'edit')
  const path = `${pathOf(id, item)}/requested-reviewers`
  const { review, create, edit } = w.people
  const team = await newTeam('Editors', [review.id, create.id])
  const asked = await w.call('POST', path, { as: 'edit', body: { users: [], teams: [team, team] } })
  assert.equal(asked.status, 200, asked.text)
  const [request] = asked.body.teams
  assert.deepEqual([asked.body.users, asked.body.teams.length], [[], 1])
  assert.deepEqual(
    [request.kind, request.team, request.requestedBy.id],
    ['team', { id: team, title: 'Editors' }, edit.id],
  )
  assert.deepEqual((await w.call('GET', path)).body, { items: [request], count: 1 })
  assert.equal((await w.call('GET', pathOf(id, item))).body.status, 'open')
  assert.deepEqual(await eventsOf(item.id, 'change_request.review_requested'), [
    { payload: { changeRequest: item.id, users: [], teams: [team] }, actor: edit.id },
  ])
  const waitsFor = async (user: string) =>
    (await w.call('GET', `/spaces/${id}/change-requests?requestedReviewer=${user}`)).body.count
  assert.deepEqual([await waitsFor(create.id), await waitsFor(w.people.admin.id)], [1, 0])
  const { body: given } = await w.call('POST', `${pathOf(id, item)}/reviews`, {
    as: 'create',
    body: { status: 'approved' },
  })
  assert.equal(given.requestedBy.id, edit.id)
  assert.equal((await w.call('GET', path)).body.count, 0)
  assert.equal(await waitsFor(review.id), 0)
})

test('a team is asked again, withdrawn once, and no longer asked when it is deleted', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const path = `${pathOf(id, item)}/requested-reviewers`
  const [one, other] = [
    await newTeam('One', [w.people.review.id]),
    await newTeam('Other', [w.people.review.id]),
  ]
  const ask = (as: PersonName) => w.call('POST', path, { as, body: { users: [], teams: [one, other] } })
  await ask('edit')
  await ask('create')
  const { body } = await w.call('GET', path)
  assert.deepEqual([body.count, body.items[0].requestedBy.id], [2, w.people.create.id])
  for (const team of [one, one, 'nothing'])
    assert.equal((await w.call('DELETE', `${path}/teams/${team}`, { as: 'edit' })).status, 204)
  assert.deepEqual(await eventsOf(item.id, 'change_request.review_request_withdrawn'), [
    { payload: { changeRequest: item.id, users: [], teams: [one] }, actor: w.people.edit.id },
  ])
  await w.call('DELETE', `/orgs/${w.organizationId}/teams/${other}`)
  assert.equal((await w.call('GET', path)).body.count, 0)
  assert.deepEqual((await eventsOf(item.id, 'change_request.review_request_withdrawn')).slice(1), [
    { payload: { changeRequest: item.id, users: [], teams: [other] }, actor: w.people.admin.id },
  ])
})

test('a team that nobody may see here, or in which nobody may review, refuses the whole request', async () => {
  const { id } = await w.createSpace()
  const item = await open(id)
  const path = `${pathOf(id, item)}/requested-reviewers`
  const { review, read, guest } = w.people
  const readers = await newTeam('Readers', [read.id])
  const empty = await newTeam('Empty', [])
  const able = await newTeam('Able', [review.id])
  const ask = (teams: unknown, as: PersonName = 'admin') =>
    w.call('POST', path, { as, body: { users: [review.id], teams } })
  for (const [teams, message] of [
    [[able, readers], /^body\.teams\.1: nobody in \w+ has the role review/],
    [[empty], /^body\.teams\.0: nobody in/],
    [['nothing'], /^body\.teams\.0: nothing is not a team/],
    ['all', /^body\.teams/],
  ] as const) {
    const refused = await ask(teams)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, message)
  }
  assert.equal((await w.call('GET', path)).body.count, 0)
  await w.call('PATCH', `/spaces/${id}/permissions/users/${guest.id}`, { body: { role: 'edit' } })
  assert.match((await ask([able], 'guest')).body.error.message, /is not a team/)
  assert.equal((await ask([able])).status, 200)
  const seenBy = async (as: PersonName) =>
    (await w.call('GET', path, { as })).body.items.map(({ kind }: { kind: string }) => kind).sort()
  assert.deepEqual(await seenBy('read'), ['team', 'user'])
  assert.deepEqual(await seenBy('guest'), ['user'], 'a guest does not learn that there is such a team')
})

test('contributors are those who edited or commented, each with how often and when last', async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  const changeRequest = await open(space, 'create')
  const path = `${pathOf(space, changeRequest)}/contributors`
  assert.deepEqual((await w.call('GET', path)).body, { items: [], count: 0 })
  for (const [text, by] of [
    ['One', 'edit'],
    ['Two', 'edit'],
    ['Three', 'review'],
  ] as const)
    await proposeFiles(w, changeRequest.id, { 'README.md': `# ${text}\n` }, by)
  const first = newId()
  await w.services.transaction(async trx => {
    const on = { space_id: space, change_request_id: changeRequest.id, revision_id: 'any', body: 'Hm' }
    const by = (name: PersonName, posted_at: string) => ({ posted_by: w.people[name].id, posted_at })
    await trx
      .insertInto('comments')
      .values([
        { ...on, id: first, ...by('edit', '2020-01-01T00:00:00Z') },
        { ...on, id: newId(), ...by('comment', '2020-01-03T00:00:00Z') },
        { ...on, id: newId(), change_request_id: null, ...by('read', '2020-01-09T00:00:00Z') },
      ])
      .execute()
    await trx
      .insertInto('comment_replies')
      .values({ id: newId(), comment_id: first, body: 'So?', ...by('comment', '2020-01-05T00:00:00Z') })
      .execute()
  })
  const { body } = await w.call('GET', path, { as: 'read' })
  const told = body.items.map((item: { user: { id: string }; actionType: string; count: number }) => [
    item.user.id,
    item.actionType,
    item.count,
  ])
  const { edit, review, comment } = w.people
  assert.deepEqual(told, [
    [review.id, 'edit', 1],
    [edit.id, 'edit', 2],
    [comment.id, 'comment', 2],
    [edit.id, 'comment', 1],
  ])
  assert.equal(body.count, 4)
  assert.equal(body.items[2].updatedAt, '2020-01-05T00:00:00.000Z')
})

test('change requests of an open space are not for those who only visit it', async () => {
  const { id } = await w.createSpace({ visibility: 'public' })
  const item = await open(id)
  for (const as of ['stranger', 'guest'] as const) {
    assert.equal((await w.call('GET', `/spaces/${id}/change-requests`, { as })).status, 403)
    for (const below of ['', '/requested-reviewers', '/contributors']) {
      assert.equal((await w.call('GET', `${pathOf(id, item)}${below}`, { as })).status, 404)
    }
  }
})

test('a space counts all of its change requests, and of those the open ones and the drafts', async () => {
  const { id } = await w.createSpace()
  const other = await w.createSpace()
  await open(other.id)
  const counted = async () => {
    const { body } = await w.call('GET', `/spaces/${id}`)
    return [body.changeRequests, body.changeRequestsOpen, body.changeRequestsDraft]
  }
  assert.deepEqual(await counted(), [0, 0, 0])
  for (const status of ['draft', 'draft', 'draft', 'open', 'open', 'archived']) {
    const item = await open(id)
    await w.call('PATCH', pathOf(id, item), { body: { status } })
  }
  const merged = await open(id)
  await setMerged(merged.id)
  assert.deepEqual(await counted(), [7, 2, 3])
})
