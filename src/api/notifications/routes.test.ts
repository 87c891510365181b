import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { allTold, kindsOf, mentionOf, notificationsOf } from '../../../test/support/notifications.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { removeOldNotifications } from './rows.ts'
import { writeNotifications } from './writing.ts'

async function scene() {
  const w = await world()
  const { id: space } = await w.createSpace({ title: 'Handbook' })
  const open = async (as: PersonName = 'edit') => {
    const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
      as,
      body: { subject: 'Better words' },
    })
    return `/spaces/${space}/change-requests/${body.id}`
  }
  const say = async (at: string, markdown: string, as: PersonName = 'review') => {
    const { body } = await w.call('POST', `${at}/comments`, { as, body: { body: { markdown } } })
    return body.id as string
  }
  return { w, space, s: `/spaces/${space}`, open, say }
}

test('a comment that names somebody → a mention of it, with what it is about', async () => {
  const { w, space, s, say } = await scene()
  const comment = await say(s, `What do you think, ${mentionOf(w, 'edit')}?`)
  const [one, ...more] = await notificationsOf(w, 'edit')
  assert.deepEqual(more, [])
  assert.deepEqual(
    [one.kind, one.actor.id, one.organization, one.space, one.comment, one.readAt],
    ['mention', w.people.review.id, w.organizationId, { id: space, title: 'Handbook' }, comment, undefined],
  )
})

test('a name in code, and a mention of oneself → nobody is told', async () => {
  const { w, s, say } = await scene()
  await say(s, `\`${mentionOf(w, 'edit')}\` ${mentionOf(w, 'review')}`)
  assert.deepEqual([await kindsOf(w, 'edit'), await kindsOf(w, 'review')], [[], []])
})

test('only some kinds are asked for → only these', async () => {
  const { w, open, say } = await scene()
  const at = await open('edit')
  await say(at, 'A word')
  await say(at, mentionOf(w, 'edit'))
  const some = await notificationsOf(w, 'edit', '?kind=mention&kind=conflict')
  assert.deepEqual(
    some.map(({ kind }: { kind: string }) => kind),
    ['mention'],
  )
})

test('an edit that names another person → that one is told, and the first not again', async () => {
  const { w, s, say } = await scene()
  const comment = await say(s, `Hello ${mentionOf(w, 'edit')}`)
  await allTold(w)
  await w.call('PUT', `${s}/comments/${comment}`, {
    as: 'review',
    body: { body: { markdown: `Hello ${mentionOf(w, 'edit')} and ${mentionOf(w, 'create')}` } },
  })
  assert.deepEqual([await kindsOf(w, 'edit'), await kindsOf(w, 'create')], [['mention'], ['mention']])
})

test('a comment and its replies in a change request → its author and those who take part', async () => {
  const { w, open, say } = await scene()
  const at = await open('edit')
  const comment = await say(at, 'Why?')
  assert.deepEqual([await kindsOf(w, 'edit'), await kindsOf(w, 'review')], [['comment'], []])
  await w.call('POST', `${at}/comments/${comment}/replies`, {
    as: 'create',
    body: { body: { markdown: `Because, ${mentionOf(w, 'review')}` } },
  })
  assert.deepEqual(
    [await kindsOf(w, 'edit'), await kindsOf(w, 'review'), await kindsOf(w, 'create')],
    [['comment', 'comment'], ['mention'], []],
  )
})

test('a review that is asked of a person and of a team → they are told; who gives it tells the author', async () => {
  const { w, open } = await scene()
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Writers', members: [w.people.create.id] },
  })
  const at = await open('edit')
  await w.call('POST', `${at}/requested-reviewers`, {
    as: 'edit',
    body: { users: [w.people.review.id], teams: [team.id] },
  })
  assert.deepEqual(
    [await kindsOf(w, 'review'), await kindsOf(w, 'create'), await kindsOf(w, 'edit')],
    [['review-requested'], ['review-requested'], []],
  )
  await w.call('POST', `${at}/reviews`, {
    as: 'review',
    body: { status: 'approved', comment: { markdown: 'Good' } },
  })
  assert.deepEqual(await kindsOf(w, 'edit'), ['review-given'])
})

test('a change request that is merged → its author and its reviewers, but who merged it', async () => {
  const { w, open } = await scene()
  const at = await open('edit')
  await w.call('POST', `${at}/content`, {
    as: 'edit',
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# Rain\n' } }] },
  })
  await w.call('PATCH', at, { as: 'edit', body: { status: 'open' } })
  await w.call('POST', `${at}/reviews`, { as: 'review', body: { status: 'approved' } })
  const { status } = await w.call('POST', `${at}/merge`)
  assert.equal(status, 200)
  assert.deepEqual(
    [await kindsOf(w, 'edit'), await kindsOf(w, 'review'), await kindsOf(w, 'admin')],
    [['merged', 'review-given'], ['merged'], []],
  )
})

test('who watches a space, a page or a change request → is told of comments there, and of its merge', async () => {
  const { w, s, open, say } = await scene()
  const insert = { changes: [{ operation: 'insert_page', document: { markdown: '# Rain\n' } }] }
  await w.call('POST', `${s}/content`, { body: insert })
  const { body: content } = await w.call('GET', `${s}/content/pages`)
  const [{ id: page }] = content.pages
  const [at, other] = [await open('edit'), await open('edit')]
  const put = async (path: string, as: PersonName) =>
    assert.equal((await w.call('PUT', `${path}/watch`, { as })).status, 204)
  await put(s, 'read')
  await put(`${s}/content/page/${page}`, 'comment')
  for (let again = 0; again < 2; again += 1) await put(at, 'create')
  const { body: number } = await w.call('GET', at)
  assert.deepEqual((await w.call('GET', `${s}/watch`, { as: 'create' })).body, {
    object: 'watched',
    space: false,
    pages: [],
    changeRequests: [number.id],
  })
  await w.call('POST', `${s}/comments`, { as: 'review', body: { page, body: { markdown: 'On the page' } } })
  await say(at, 'In the change request')
  await say(other, 'In the other')
  const heard = async () => [
    (await kindsOf(w, 'read')).length,
    (await kindsOf(w, 'comment')).length,
    (await kindsOf(w, 'create')).length,
  ]
  assert.deepEqual(await heard(), [3, 1, 1])
  for (const [path, as] of [
    [s, 'read'],
    [`${s}/content/page/${page}`, 'comment'],
    [at, 'create'],
  ] as const)
    assert.equal((await w.call('DELETE', `${path}/watch`, { as })).status, 204)
  await say(at, 'Again')
  await say(s, 'And again')
  assert.deepEqual(await heard(), [3, 1, 1])
  const missing = await w.call('PUT', `${s}/content/page/nowhere/watch`)
  assert.equal(missing.status, 404)
})

test('all that somebody watches → a list of their own, without what they may no longer see', async () => {
  const w = await world()
  const { id: space } = await w.createSpace({ title: 'Handbook' })
  const written = await w.call('POST', `/spaces/${space}/content`, {
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# Rain\n' } }] },
  })
  assert.equal(written.status, 200)
  const { body: pages } = await w.call('GET', `/spaces/${space}/content/pages`)
  const page = pages.pages.at(-1)
  const { body: request } = await w.call('POST', `/spaces/${space}/change-requests`, {
    body: { subject: 'Say when' },
  })
  for (const path of ['/watch', `/content/page/${page.id}/watch`, `/change-requests/${request.id}/watch`])
    assert.equal((await w.call('PUT', `/spaces/${space}${path}`, { as: 'edit' })).status, 204)
  const list = async () => (await w.call('GET', '/user/watched', { as: 'edit' })).body
  const { items, count } = await list()
  assert.equal(count, 3)
  assert.deepEqual(
    items.map((one: { space: object; page?: object; changeRequest?: object }) => [
      one.space,
      one.page,
      one.changeRequest,
    ]),
    [
      [{ id: space, title: 'Handbook' }, undefined, { id: request.id, number: 1, subject: 'Say when' }],
      [{ id: space, title: 'Handbook' }, { id: page.id, title: page.title }, undefined],
      [{ id: space, title: 'Handbook' }, undefined, undefined],
    ],
  )
  assert.equal((await w.call('GET', '/user/watched', { as: 'read' })).body.count, 0)
  await w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.edit.id}`, { body: { role: null } })
  assert.equal((await list()).count, 0)
})

test('an import that fails → who began it, and who watches and may import; a failed export or a good import → nobody', async () => {
  const { w, s, space } = await scene()
  for (const as of ['read', 'admin'] as const) await w.call('PUT', `${s}/watch`, { as })
  const complete = (direction: string, state: 'success' | 'failure') =>
    w.services.transaction(trx =>
      w.services.events.append(trx, {
        type: 'space.git_sync_completed',
        organizationId: w.organizationId,
        spaceId: space,
        actorId: w.people.create.id,
        payload: { operation: 'one', direction, state },
      }),
    )
  await complete('export', 'failure')
  await complete('import', 'success')
  const told = async () => [await kindsOf(w, 'create'), await kindsOf(w, 'admin'), await kindsOf(w, 'read')]
  assert.deepEqual(await told(), [[], [], []])
  await complete('import', 'failure')
  assert.deepEqual(await told(), [['import-failed'], ['import-failed'], []])
})

test('who watches a space and loses it → is told nothing more', async () => {
  const { w, s, space, say } = await scene()
  await w.call('PUT', `${s}/watch`, { as: 'read' })
  await w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.read.id}`, { body: { role: null } })
  await say(s, 'Secret')
  await allTold(w)
  const { rows } = await sql`select from notifications where user_id = ${w.people.read.id}`.execute(
    w.services.db,
  )
  assert.equal(rows.length, 0)
})

test('who may not see the space → is not told; who no longer may → does not see what they were told', async () => {
  const { w, space, s, say } = await scene()
  await say(s, `${mentionOf(w, 'guest')} ${mentionOf(w, 'stranger')} ${mentionOf(w, 'edit')}`)
  assert.deepEqual([await kindsOf(w, 'guest'), await kindsOf(w, 'stranger')], [[], []])
  const [told] = await notificationsOf(w, 'edit')
  const grant = (role: string | null) =>
    w.call('PATCH', `/spaces/${space}/permissions/users/${w.people.edit.id}`, { body: { role } })
  assert.ok((await grant(null)).status < 300)
  assert.deepEqual(await kindsOf(w, 'edit'), [])
  const one = await w.call('PATCH', `/user/notifications/${told.id}`, { as: 'edit', body: { read: true } })
  assert.equal(one.status, 404)
  await grant('read')
  assert.deepEqual(await kindsOf(w, 'edit'), ['mention'])
})

test('one is marked as read and unread; all are, up to the newest that was seen; those of others are missing', async () => {
  const { w, s, say } = await scene()
  for (const words of ['one', 'two', 'three']) await say(s, `${words} ${mentionOf(w, 'edit')}`)
  const [newest, middle, oldest] = await notificationsOf(w, 'edit')
  const unread = async () =>
    (await notificationsOf(w, 'edit', '?unread=true')).map(({ id }: { id: string }) => id)
  const mark = (id: string, read: boolean, as: PersonName = 'edit') =>
    w.call('PATCH', `/user/notifications/${id}`, { as, body: { read } })
  assert.ok((await mark(oldest.id, true)).body.readAt)
  assert.deepEqual(await unread(), [newest.id, middle.id])
  assert.equal((await mark(oldest.id, false)).body.readAt, undefined)
  assert.equal((await mark(oldest.id, true, 'review')).status, 404)
  await sql`update notifications set created_at = created_at + interval '1 hour' where id = ${newest.id}`.execute(
    w.services.db,
  )
  const all = (body: object) => w.call('PATCH', '/user/notifications', { as: 'edit', body })
  assert.equal((await all({ read: true, until: middle.createdAt })).status, 204)
  assert.deepEqual(await unread(), [newest.id])
  await all({ read: true })
  assert.deepEqual(await unread(), [])
})

test('a kind that somebody does not want in the app → is not in their list', async () => {
  const { w, s, say } = await scene()
  const { body } = await w.call('PATCH', '/user/notification-settings', {
    as: 'edit',
    body: { kinds: { mention: { app: false } } },
  })
  assert.deepEqual(
    [body.kinds.mention, body.kinds.comment],
    [
      { app: false, mail: true },
      { app: true, mail: true },
    ],
  )
  await say(s, mentionOf(w, 'edit'))
  assert.deepEqual(await kindsOf(w, 'edit'), [])
  const { body: other } = await w.call('GET', '/user/notification-settings', { as: 'review' })
  assert.deepEqual(other.kinds.mention, { app: true, mail: true })
})

test('a job that was killed after it had told somebody → tells nobody twice', async () => {
  const { w, s, say } = await scene()
  await say(s, `${mentionOf(w, 'edit')} ${mentionOf(w, 'create')}`)
  await allTold(w)
  const { db } = w.services
  await sql`delete from notifications where user_id = ${w.people.create.id}`.execute(db)
  await sql`insert into unnoticed_events select organization_id, position, event_id from event_positions
    where organization_id = ${w.organizationId} and type = 'comment.created'`.execute(db)
  await writeNotifications(w.services, w.organizationId, new AbortController().signal)
  assert.deepEqual([await kindsOf(w, 'edit'), await kindsOf(w, 'create')], [['mention'], ['mention']])
})

test('what is older than 90 days, and beyond the newest 1,000 of a person → is removed', async () => {
  const { w, space } = await scene()
  const { db } = w.services
  const userId = w.people.edit.id
  await sql`insert into notifications (id, user_id, event_id, kind, space_id, in_app, to_mail, created_at)
    select ${userId} || n, ${userId}, n::text, 'comment', ${space}, true, false,
      now() - make_interval(days => case when n = 1 then 91 else 1 end, secs => 2000 - n)
    from generate_series(1, 1003) as n`.execute(db)
  await removeOldNotifications(db)
  const rows = await db.selectFrom('notifications').select('event_id').where('user_id', '=', userId).execute()
  assert.equal(rows.length, 1000)
  assert.ok(!rows.some(({ event_id }) => ['1', '2', '3'].includes(event_id)))
})
