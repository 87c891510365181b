import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRead, conversation } from '../../../test/support/conversations.ts'
import { type Call, type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { BODY_CHARACTERS_MAX, CONVERSATIONS_MAX, PARTS_MAX } from './schema.ts'

const pathOf = ({ organizationId }: World) => `/orgs/${organizationId}`

async function ingest(w: World, body: unknown, as: Call['as'] = 'admin'): Promise<void> {
  const brought = await w.call('POST', `${pathOf(w)}/conversations`, { body, as })
  assert.equal(brought.status, 204, brought.text)
  assert.equal(brought.text, '')
  await allRead(w)
}

const listOf = async (w: World, path: string) => {
  const { status, body, text } = await w.call('GET', `${pathOf(w)}/${path}`)
  assert.equal(status, 200, text)
  return body
}

/** The token of an installation in the world, with these scopes. */
async function installed(w: World, scopes: readonly string[]): Promise<{ token: string; source: string }> {
  const name = `desk-${newId().toLowerCase()}`
  const i = `/integrations/${name}`
  const about = { title: 'Desk', description: 'A desk.', script: '', visibility: 'public' }
  await w.call('POST', i, { body: { organization: w.organizationId, ...about, scopes } })
  const { body: as } = await w.call('POST', `${i}/tokens`, { body: { label: 'test' } })
  const { body: installation } = await w.call('POST', `${i}/installations`, {
    body: { organization: w.organizationId },
  })
  const made = await w.call('POST', `${i}/installations/${installation.id}/tokens`, { as })
  return { token: made.body.token, source: `integration:${name}:${installation.id}` }
}

const PRINTING = [
  'The printer prints empty pages from its second tray. How do I get my printer to print?',
  'Since the update our printer leaves pages empty when it prints from the tray.',
  'Why does the printer print empty pages? The tray is full.',
]
const INVOICES = [
  'We need the tax number of our company on the invoice. How can I change the invoice address?',
  'The invoice shows the wrong tax number and address of our company.',
  'Please change the company address and tax number on my invoice!',
]

test('a conversation is ingested as sent, and its issue is found', async () => {
  const w = await world()
  const metadata = {
    url: 'https://desk.example/1',
    attributes: { plan: 'pro' },
    createdAt: '2025-03-01T10:00:00.000Z',
  }
  const parts = [
    { type: 'message', role: 'user', body: 'How do I reset my **password**?' },
    { type: 'message', role: 'team-member', body: '<p>Click "Forgot".</p>' },
  ]
  await ingest(w, { id: 'a', subject: 'Locked out of my account', metadata, parts })
  const { items, count } = await listOf(w, 'conversations')
  assert.equal(count, 1)
  const [one] = items
  assert.deepEqual(
    [one.object, one.subject, one.source],
    ['conversation', 'Locked out of my account', 'email'],
  )
  assert.equal(one.createdAt, metadata.createdAt)
  assert.equal(one.urls.source, metadata.url)
  assert.ok(one.processedAt)
  const whole = await listOf(w, `conversations/${one.id}`)
  assert.deepEqual(whole, { conversation: one, parts, metadata })
  const { items: issues } = await listOf(w, 'conversations-issues')
  assert.equal(issues.length, 1)
  assert.deepEqual(issues[0].conversation, one)
  assert.equal(issues[0].issue.title, 'Locked out of my account')
  assert.equal(issues[0].issue.summary, 'How do I reset my password?')
  assert.equal(issues[0].issue.createdAt, metadata.createdAt)
  assert.equal(issues[0].issue.cluster, undefined, 'one issue makes no cluster')
  assert.deepEqual(await listOf(w, `conversations-issues/${issues[0].issue.id}`), issues[0])
})

test('a conversation that is ingested again is replaced, read again, and keeps its ids', async () => {
  const w = await world()
  const early = { metadata: { createdAt: '2025-03-01T10:00:00.000Z' } }
  await ingest(w, conversation('a', 'How do I export a page as PDF?', early))
  const before = (await listOf(w, 'conversations-issues')).items[0]
  await ingest(w, [
    conversation('a', 'This is overwritten.'),
    conversation('a', 'How do I import a page from Word?'),
  ])
  const { items, count } = await listOf(w, 'conversations-issues')
  assert.equal(count, 1)
  assert.equal(items[0].issue.title, 'How do I import a page from Word?')
  assert.deepEqual([items[0].issue.id, items[0].conversation.id], [before.issue.id, before.conversation.id])
  assert.equal(
    items[0].conversation.createdAt,
    before.conversation.createdAt,
    'a date not said again is kept',
  )
  assert.notEqual(items[0].conversation.processedAt, before.conversation.processedAt)
  await ingest(w, conversation('a', []))
  assert.equal((await listOf(w, 'conversations-issues')).count, 0)
})

test('an unchanged conversation is not read again', async () => {
  const w = await world()
  await ingest(w, conversation('a', 'How do I export a page as PDF?'))
  const [before] = (await listOf(w, 'conversations')).items
  await ingest(w, conversation('a', 'How do I export a page as PDF?'))
  assert.deepEqual((await listOf(w, 'conversations')).items, [before])
})

test('a cluster does not quote the old text of a replaced conversation', async () => {
  const w = await world()
  const first = 'My printer of Ottilie Wunderlich prints empty pages from the second tray. Why, printer?'
  await ingest(w, [conversation('a', first), ...PRINTING.map((said, at) => conversation(`${at}`, said))])
  const { items } = await listOf(w, 'conversations-issues')
  const { issue } = items.find((one: { issue: { summary: string } }) => /Ottilie/.test(one.issue.summary))
  const id = issue.cluster
  const { db } = w.services
  await db
    .updateTable('conversation_clusters')
    .set({ label: first, summary: first })
    .where('id', '=', id)
    .execute()
  await ingest(w, conversation('a', first.replace('Ottilie Wunderlich', 'Benedict Summer')))
  const cluster = await listOf(w, `conversations-clusters/${id}`)
  assert.equal((await listOf(w, `conversations-issues/${issue.id}`)).issue.cluster, id)
  assert.doesNotMatch(JSON.stringify(cluster), /Ottilie/)
  const described = cluster.updatedAt
  await ingest(
    w,
    conversation('0', PRINTING[0] as string, { subject: '', metadata: { url: 'https://desk.example/0' } }),
  )
  assert.equal(
    (await listOf(w, `conversations-clusters/${id}`)).updatedAt,
    described,
    'the same words change nothing',
  )
})

test('an installation ingests conversations of its own source, only with the scope', async () => {
  const w = await world()
  const desk = await installed(w, ['conversations:ingest'])
  const other = await installed(w, ['space:content:read'])
  await ingest(w, conversation('a', 'How do I export?'), desk)
  await ingest(w, conversation('a', 'How do I import?'))
  const refused = await w.call('POST', `${pathOf(w)}/conversations`, {
    as: other,
    body: conversation('b', 'No.'),
  })
  assert.equal(refused.status, 403)
  const elsewhere = await world()
  const away = await elsewhere.call('POST', `${pathOf(elsewhere)}/conversations`, { as: desk, body: [] })
  assert.equal(away.status, 404)
  assert.equal((await w.call('GET', `${pathOf(w)}/conversations`, { as: desk })).status, 403)
  assert.equal((await listOf(w, 'conversations')).count, 2, 'ids are those of their sources')
  const { items, count } = await listOf(w, `conversations?source=${encodeURIComponent(desk.source)}`)
  assert.deepEqual([count, items[0].source], [1, desk.source])
})

test('all conversations are ingested or none, and errors name the field', async () => {
  const w = await world()
  const good = conversation('good', 'How?')
  const refused = async (body: unknown, said: RegExp, status = 400) => {
    const reply = await w.call('POST', `${pathOf(w)}/conversations`, { body })
    assert.equal(reply.status, status, reply.text)
    assert.match(reply.body.error.message, said)
  }
  await refused([good, { parts: [] }], /^body\.1\.id: this is required/)
  await refused({ id: 'x' }, /^body\.parts: this is required/)
  await refused([good, conversation('', 'How?')], /^body\.1\.id/)
  await refused(conversation('x'.repeat(256), 'How?'), /^body\.id/)
  await refused(conversation('x', 'How?', { subject: 'x'.repeat(513) }), /^body\.subject/)
  await refused(conversation('x', 'How?', { metadata: { url: 'javascript:1' } }), /^body\.metadata\.url/)
  await refused(conversation('x', 'x'.repeat(BODY_CHARACTERS_MAX + 1)), /^body\.parts\.0\.body/)
  await refused(conversation('x', Array(PARTS_MAX + 1).fill('')), /^body\.parts/)
  await refused(
    { id: 'x', parts: [{ type: 'message', role: 'robot', body: '' }] },
    /user, assistant, team-member/,
  )
  const dated = (createdAt: string) => conversation('x', 'How?', { metadata: { createdAt } })
  await refused([good, dated('2999-01-01T00:00:00Z')], /^body\.1\.metadata\.createdAt.*not in the future/)
  await refused(dated('0000-01-01T00:00:00Z'), /^body\.metadata\.createdAt/)
  await refused(Array(CONVERSATIONS_MAX + 1).fill(good), /^body/)
  assert.equal((await listOf(w, 'conversations')).count, 0)
  await ingest(w, [])
  await ingest(
    w,
    conversation('\0', 'Odd \0 letters in a question?', {
      subject: '\0',
      metadata: { attributes: { '\0': '\0' } },
    }),
  )
  assert.equal((await listOf(w, 'conversations')).count, 1)
})

test('lists continue by cursor, with right counts and filters', async () => {
  const w = await world()
  await ingest(
    w,
    PRINTING.map((said, at) =>
      conversation(`${at}`, said, { metadata: { createdAt: `2025-03-0${at + 1}T00:00:00Z` } }),
    ),
  )
  for (const path of ['conversations', 'conversations-issues']) {
    const first = await listOf(w, `${path}?limit=2`)
    const rest = await listOf(w, `${path}?limit=2&page=${first.next.page}`)
    assert.deepEqual([first.count, first.items.length, rest.items.length, rest.next], [3, 2, 1, undefined])
    const dates = [...first.items, ...rest.items].map(one => (one.conversation ?? one).createdAt.slice(0, 10))
    assert.deepEqual(dates, ['2025-03-03', '2025-03-02', '2025-03-01'])
  }
  const [{ id }] = (await listOf(w, 'conversations?limit=1')).items
  const found = await listOf(w, `conversations-issues?conversation=${id}`)
  assert.deepEqual(
    found.items.map((one: { issue: { conversation: string } }) => one.issue.conversation),
    [id],
  )
  assert.equal((await listOf(w, 'conversations-issues?cluster=none')).count, 0)
  assert.equal((await listOf(w, 'conversations?source=none')).count, 0)
})

test('editors read conversations, creators ingest and delete them, and readers see none', async () => {
  const w = await world()
  await ingest(w, conversation('a', 'How do I export?'), 'create')
  const [{ id }] = (await listOf(w, 'conversations')).items
  const c = `${pathOf(w)}/conversations/${id}`
  for (const as of ['guest', 'read', 'comment'] as const)
    assert.equal((await w.call('GET', c, { as })).status, 403, as)
  assert.equal((await w.call('GET', c, { as: 'edit' })).status, 200)
  assert.equal((await w.call('DELETE', c, { as: 'review' })).status, 403)
  const elsewhere = await world()
  assert.equal((await w.call('GET', `${pathOf(elsewhere)}/conversations/${id}`)).status, 404)
  assert.equal((await elsewhere.call('GET', `${pathOf(elsewhere)}/conversations/${id}`)).status, 404)
})

test('issues about the same thing make clusters, with counts, sources and weeks', async () => {
  const w = await world()
  const desk = await installed(w, ['conversations:ingest'])
  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString()
  await ingest(w, [
    ...PRINTING.map((said, at) => conversation(`p${at}`, said)),
    ...INVOICES.slice(0, 2).map((said, at) => conversation(`i${at}`, said)),
    conversation('alone', 'Can dolphins sing?'),
  ])
  await ingest(w, conversation('i2', INVOICES[2] as string, { metadata: { createdAt: weekAgo } }), desk)
  const { items, count } = await listOf(w, 'conversations-clusters?orderBy=issues')
  assert.equal(count, 2)
  const invoices = items.find((one: { sources: object }) => desk.source in one.sources)
  const printing = items.find((one: { id: string }) => one.id !== invoices.id)
  assert.match(printing.label, /print/)
  assert.match(invoices.summary, /invoice/)
  assert.equal(invoices.icon, 'credit-card')
  assert.deepEqual(invoices.sources, { email: 2, [desk.source]: 1 })
  assert.deepEqual(
    [invoices.stats.issues, invoices.stats.conversations, invoices.stats.tasksTotal],
    [3, 3, 0],
  )
  assert.deepEqual(invoices.weeklyPulse, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
  assert.deepEqual(await listOf(w, `conversations-clusters/${invoices.id}`), invoices)
  const { items: issues } = await listOf(w, `conversations-issues?cluster=${printing.id}`)
  assert.equal(issues.length, 3)
  for (const { issue } of issues) assert.match(issue.summary, /print/)
  for (const status of ['pending', 'analysing'])
    assert.equal((await listOf(w, `conversations-clusters?status=${status}`)).count, 0, 'all are described')
})

test('clusters keep their ids when conversations are replaced or added', async () => {
  const w = await world()
  const all = [...PRINTING, ...INVOICES].map((said, at) => conversation(`${at}`, said))
  await ingest(w, all)
  const idsOf = async () =>
    new Map<string, string>(
      (await listOf(w, 'conversations-issues')).items.map(
        (one: { issue: { title: string; cluster: string } }) => [one.issue.title, one.issue.cluster],
      ),
    )
  const before = await idsOf()
  assert.equal(new Set(before.values()).size, 2)
  await ingest(
    w,
    [...all].reverse().map(one => ({ ...one, metadata: { url: 'https://desk.example/again' } })),
  )
  assert.deepEqual([...(await idsOf())].sort(), [...before].sort())
  await ingest(w, conversation('more', 'My printer prints empty pages from the second tray, too.'))
  const after = await idsOf()
  for (const [title, cluster] of before) assert.equal(after.get(title), cluster, title)
  assert.equal(new Set(after.values()).size, 2)
})

test('a deleted conversation is gone for good, with its issues and their words in clusters', async () => {
  const w = await world()
  const secret = 'My printer of Ottilie Wunderlich prints empty pages from the second tray. Why, printer?'
  await ingest(w, [
    conversation('secret', secret),
    ...PRINTING.map((said, at) => conversation(`${at}`, said)),
  ])
  const { items } = await listOf(w, 'conversations-issues')
  const { issue } = items.find((one: { issue: { summary: string } }) => /Ottilie/.test(one.issue.summary))
  const { db } = w.services
  await db
    .updateTable('conversation_clusters')
    .set({ label: secret, summary: secret })
    .where('id', '=', issue.cluster)
    .execute()
  const c = `${pathOf(w)}/conversations/${issue.conversation}`
  assert.equal((await w.call('DELETE', c)).status, 204)
  for (const path of ['conversations', 'conversations-issues', 'conversations-clusters', 'audit-events'])
    assert.doesNotMatch(JSON.stringify(await listOf(w, path)), /Ottilie/, `${path}, at once`)
  assert.equal((await w.call('GET', c)).status, 404)
  assert.equal((await w.call('DELETE', c)).status, 204)
  await allRead(w)
  assert.equal((await listOf(w, `conversations-clusters/${issue.cluster}`)).stats.issues, 3)
  for (const table of [
    'conversations',
    'conversation_issues',
    'conversation_clusters',
    'jobs',
    'events',
    'idempotency_keys',
  ] as const) {
    const rows = await db.selectFrom(table).selectAll().execute()
    assert.doesNotMatch(JSON.stringify(rows), /Ottilie/, table)
  }
})

test('a cluster that an issue has just left does not quote its conversation once that is deleted', async () => {
  const w = await world()
  await ingest(
    w,
    PRINTING.map((said, at) => conversation(`${at}`, said)),
  )
  await ingest(w, conversation('secret', 'Where is the invoice of Ottilie Wunderlich for the last year?'))
  const { items } = await listOf(w, 'conversations-issues')
  const { issue } = items.find((one: { issue: { summary: string } }) => /Ottilie/.test(one.issue.summary))
  await w.services.db
    .updateTable('conversation_clusters')
    .set({ label: issue.summary, summary: issue.summary, state: 'pending' })
    .where('organization_id', '=', w.organizationId)
    .execute()
  assert.match(JSON.stringify(await listOf(w, 'conversations-clusters')), /Ottilie/)
  await w.call('DELETE', `${pathOf(w)}/conversations/${issue.conversation}`)
  assert.doesNotMatch(JSON.stringify(await listOf(w, 'conversations-clusters')), /Ottilie/)
})

test('clusters are listed by every key, in both orders, page by page', async () => {
  const w = await world()
  await ingest(
    w,
    [...PRINTING, ...INVOICES.slice(0, 2)].map((said, at) => conversation(`${at}`, said)),
  )
  const [large, small] = (await listOf(w, 'conversations-clusters?orderBy=issues')).items
  assert.deepEqual([large.stats.issues, small.stats.issues], [3, 2])
  const space = await w.createSpace()
  for (const title of ['one', 'two'])
    await w.call('POST', `/spaces/${space.id}/agent-tasks`, { body: { title, cluster: small.id } })
  await w.call('POST', `/spaces/${space.id}/agent-tasks`, { body: { title: 'three', cluster: large.id } })
  const { items: tasks } = await listOf(w, `agent-tasks?cluster=${large.id}`)
  await w.call('PATCH', `${pathOf(w)}/agent-tasks/${tasks[0].id}`, { body: { status: 'started' } })
  for (const [key, first] of [
    ['issues', large.id],
    ['conversations', large.id],
    ['tasksTotal', small.id],
    ['tasksBacklog', small.id],
    ['tasksStarted', large.id],
  ]) {
    const { items } = await listOf(w, `conversations-clusters?orderBy=${key}`)
    assert.equal(items[0].id, first, key)
    const page = await listOf(w, `conversations-clusters?orderBy=${key}&order=asc&limit=1`)
    assert.deepEqual([page.items[0].id === first, page.count], [false, 2], key)
    const next = await listOf(w, `conversations-clusters?orderBy=${key}&order=asc&page=${page.next.page}`)
    assert.equal(next.items[0].id, first, key)
  }
  const { items: newest } = await listOf(w, 'conversations-clusters')
  assert.ok(newest[0].updatedAt >= newest[1].updatedAt)
  assert.equal((await w.call('GET', `${pathOf(w)}/conversations-clusters?orderBy=label`)).status, 400)
})
