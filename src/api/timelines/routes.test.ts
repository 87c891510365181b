import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'

const w = await world()
const { people } = w

const FILES = { 'README.md': '# Start\n\nWords.\n' }

type Item = {
  readonly type: string
  readonly actor?: { readonly id: string }
  readonly id?: string
  readonly revision?: string
  readonly fields?: string[]
  readonly status?: string
  readonly users?: { readonly id: string }[]
  readonly teams?: object[]
  readonly review?: object
  readonly comment?: { readonly replies: number; readonly body: { readonly html?: string } }
}

async function open() {
  const space = await spaceWith(w, FILES)
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'One' },
  })
  return { space, id: body.id as string, path: `/spaces/${space}/change-requests/${body.id}` }
}
type Opened = Awaited<ReturnType<typeof open>>

const list = async (at: Opened, query = '', as: PersonName = 'read'): Promise<Item[]> =>
  (await w.call('GET', `${at.path}/timeline${query}`, { as })).body.items
const types = async (at: Opened, query = '') => (await list(at, query)).map(({ type }) => type)

test('everything that happens to a change request is listed once, with who did it, oldest first', async () => {
  const at = await open()
  await proposeFiles(w, at.id, { 'README.md': '# Start\n\nOther words.\n' }, 'edit')
  await w.call('PATCH', at.path, { as: 'edit', body: { subject: 'Two', status: 'archived' } })
  await w.call('PATCH', at.path, { as: 'create', body: { status: 'open' } })
  await w.call('POST', `${at.path}/requested-reviewers`, { as: 'edit', body: { users: [people.review.id] } })
  await w.call('DELETE', `${at.path}/requested-reviewers/${people.review.id}`, { as: 'edit' })
  const said = await w.call('POST', `${at.path}/comments`, {
    as: 'comment',
    body: { body: { markdown: 'Why **now**?' } },
  })
  await w.call('POST', `${at.path}/comments/${said.body.id}/replies`, {
    as: 'edit',
    body: { body: { markdown: 'Because.' } },
  })
  const given = await w.call('POST', `${at.path}/reviews`, {
    as: 'review',
    body: { status: 'approved', comment: { markdown: 'Well done.' } },
  })
  await w.call('POST', `/spaces/${at.space}/content`, {
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# Meanwhile\n' } }] },
  })
  await w.call('POST', `${at.path}/update`, { as: 'edit' })
  const { body: merged } = await w.call('POST', `${at.path}/merge`, { as: 'admin' })
  const { body: undone } = await w.call('POST', `/spaces/${at.space}/revisions/${merged.revision}/rollback`)
  const items = await list(at)
  assert.deepEqual(
    items.map(({ type, actor }) => [type, actor?.id]),
    [
      ['created', people.edit.id],
      ['edited', people.edit.id],
      ['changed', people.edit.id],
      ['changed', people.create.id],
      ['review-requested', people.edit.id],
      ['review-request-withdrawn', people.edit.id],
      ['commented', people.comment.id],
      ['reviewed', people.review.id],
      ['updated', people.edit.id],
      ['merged', people.admin.id],
      ['undone', people.admin.id],
    ],
  )
  const [, edited, archived, reopened, asked, withdrawn, comment, review, , mergedItem, undoneItem] = items
  assert.equal(typeof edited?.revision, 'string')
  assert.deepEqual([archived?.fields, archived?.status], [['subject', 'status'], 'archived'])
  assert.deepEqual([reopened?.fields, reopened?.status], [['status'], 'open'])
  for (const request of [asked, withdrawn]) {
    assert.deepEqual(
      request?.users?.map(({ id }) => id),
      [people.review.id],
    )
    assert.deepEqual(request?.teams, [])
  }
  assert.equal(comment?.comment?.replies, 1)
  assert.deepEqual(
    review?.review,
    (await w.call('GET', `${at.path}/reviews/${given.body.id}`, { as: 'read' })).body,
  )
  assert.deepEqual([mergedItem?.revision, undoneItem?.revision], [merged.revision, undone.revision])
  assert.deepEqual(await types(at, '?order=desc'), items.map(({ type }) => type).reverse())
  const rollBack = async (revision: string) =>
    (await w.call('POST', `/spaces/${at.space}/revisions/${revision}/rollback`)).body.revision
  const redone = await rollBack(undone.revision)
  await rollBack(await rollBack(redone))
  const after = (await list(at)).slice(items.length)
  assert.deepEqual(
    after.map(({ type }) => type),
    ['redone', 'undone', 'redone'],
  )
  assert.equal(after[0]?.revision, redone)
  assert.deepEqual(await types(at, '?order=desc&type=undone&type=redone'), [
    'redone',
    'undone',
    'redone',
    'undone',
  ])
  assert.deepEqual(await types(at, '?type=edited'), ['edited'])
  assert.deepEqual(await types(at, '?type=updated'), ['updated'])
})

test('a comment that was deleted is not listed, and one that was changed is as it is now', async () => {
  const at = await open()
  const say = (markdown: string) =>
    w.call('POST', `${at.path}/comments`, { as: 'comment', body: { body: { markdown } } })
  const { body: first } = await say('First')
  const { body: second } = await say('Second')
  await w.call('PUT', `${at.path}/comments/${second.id}`, {
    as: 'comment',
    body: { body: { markdown: 'Changed' }, resolved: true },
  })
  await w.call('DELETE', `${at.path}/comments/${first.id}`, { as: 'comment' })
  const items = await list(at)
  assert.deepEqual(
    items.map(({ type }) => type),
    ['created', 'commented'],
  )
  assert.deepEqual(
    items[1]?.comment,
    (await w.call('GET', `${at.path}/comments/${second.id}`, { as: 'read' })).body,
  )
  const [, asHtml] = await list(at, '?format=html')
  assert.match(asHtml?.comment?.body.html ?? '', /Changed/)
})

test('it has pages in both orders, and a page token of one order is refused by the other', async () => {
  const at = await open()
  for (let count = 0; count < 4; count++)
    await w.call('PATCH', at.path, { as: 'edit', body: { subject: `Subject ${count}` } })
  const all = await list(at)
  for (const order of ['asc', 'desc']) {
    const seen: unknown[] = []
    let query = `?limit=2&order=${order}`
    for (;;) {
      const { body } = await w.call('GET', `${at.path}/timeline${query}`)
      assert.equal(body.count, 5)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      if (body.next === undefined) break
      query = `?limit=2&order=${order}&page=${body.next.page}`
    }
    const ids = all.map(({ id }) => id)
    assert.deepEqual(seen, order === 'asc' ? ids : ids.reverse())
  }
  const { body } = await w.call('GET', `${at.path}/timeline?limit=2`)
  const other = await w.call('GET', `${at.path}/timeline?limit=2&order=desc&page=${body.next.page}`)
  assert.equal(other.status, 400)
  for (const query of ['?order=newest', '?format=pdf', '?limit=-1'])
    assert.equal((await w.call('GET', `${at.path}/timeline${query}`)).status, 400)
})

test('a team that was asked is named to those who may see it', async () => {
  const at = await open()
  const { body: team } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
    body: { title: 'Editors', members: [people.review.id] },
  })
  await w.call('POST', `${at.path}/requested-reviewers`, {
    as: 'edit',
    body: { users: [], teams: [team.id] },
  })
  const asked = async (as: PersonName) =>
    (await list(at, '', as)).find(({ type }) => type === 'review-requested')?.teams
  assert.deepEqual(await asked('read'), [{ id: team.id, title: 'Editors' }])
  await w.call('PATCH', `/spaces/${at.space}/permissions/users/${people.guest.id}`, {
    body: { role: 'read' },
  })
  assert.deepEqual(await asked('guest'), [])
})

test('people of the space read it, visitors and strangers do not; another change request has another one', async () => {
  const at = await open()
  const other = await open()
  await w.call('PATCH', `/spaces/${at.space}`, { body: { visibility: 'public' } })
  assert.equal((await w.call('GET', `${at.path}/timeline`, { as: 'stranger' })).status, 404)
  assert.equal((await w.call('GET', `${at.path}/timeline`, { as: null })).status, 401)
  await w.call('PATCH', other.path, { body: { subject: 'Another' } })
  assert.deepEqual(await types(at), ['created'])
  const missing = await w.call('GET', `/spaces/${at.space}/change-requests/${newId()}/timeline`)
  assert.equal(missing.status, 404)
})
