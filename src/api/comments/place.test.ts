// Every promise is kept at both places: on a space, and on a change request of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  DISCUSSIONS,
  markdown,
  messageOf,
  onChangeRequest,
  talkIn,
} from '../../../test/support/discussions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const { people } = w
const { put, said, say } = talkIn(w)

for (const [name, make] of DISCUSSIONS) {
  describe(`who may do what with comments on ${name}`, () => {
    test('every reader reads, who may comment posts, and visitors and strangers find nothing', async () => {
      const at = await make(w)
      const id = await said(at, 'Read me.')
      const one = `${at.path}/comments/${id}`
      assert.equal((await w.call('GET', one, { as: 'read' })).status, 200)
      assert.equal((await w.call('GET', `${one}/replies`, { as: 'read' })).status, 200)
      assert.equal((await w.call('GET', `${at.path}/commenters`, { as: 'read' })).status, 200)
      assert.equal((await say(at, 'x', { as: 'read' })).status, 403)
      const body = { body: markdown('x') }
      assert.equal((await w.call('POST', `${one}/replies`, { as: 'read', body })).status, 403)
      assert.equal((await put(one, { addedReactions: ['👍'] }, 'read')).status, 403)
      await w.call('PATCH', `/spaces/${at.spaceId}`, { body: { visibility: 'public' } })
      for (const as of ['stranger', 'guest'] as const) {
        assert.equal((await w.call('GET', `/spaces/${at.spaceId}`, { as })).status, 200)
        for (const path of [one, `${one}/replies`])
          assert.equal((await w.call('GET', path, { as })).status, 404)
        for (const path of ['comments', 'commenters'])
          assert.ok([403, 404].includes((await w.call('GET', `${at.path}/${path}`, { as })).status))
        assert.equal((await w.call('DELETE', one, { as })).status, 204)
      }
      assert.equal((await w.call('GET', one)).status, 200)
    })

    test('the author and admins edit and delete, the author and reviewers resolve, everybody who comments reacts', async () => {
      const at = await make(w)
      const id = await said(at, 'Mine.', 'comment')
      const one = `${at.path}/comments/${id}`
      const change = { body: markdown('Changed.') }
      for (const as of ['edit', 'review', 'create'] as const) {
        const refused = await put(one, change, as)
        assert.equal(refused.status, 403, as)
        assert.match(messageOf(refused), /^body\.body: only its author, or an admin/)
        assert.equal((await w.call('DELETE', one, { as })).status, 403, as)
      }
      const unresolved = await put(one, { resolved: true }, 'edit')
      assert.equal(unresolved.status, 403)
      assert.match(
        messageOf(unresolved),
        /^body\.resolved: only its author, or somebody with the role review/,
      )
      assert.equal((await put(one, { ...change, addedReactions: ['👍'] }, 'edit')).status, 403)
      assert.deepEqual((await w.call('GET', one)).body.reactions, [], 'all or nothing')
      assert.equal((await put(one, { resolved: true }, 'review')).body.resolvedBy.id, people.review.id)
      assert.equal((await put(one, { resolved: false }, 'comment')).body.status, 'open')
      assert.equal((await put(one, { addedReactions: ['👍'] }, 'edit')).body.reactions[0].count, 1)
      assert.equal((await put(one, change, 'comment')).body.body.markdown, 'Changed.')
      assert.equal(
        (await put(one, { body: markdown('Moderated.') }, 'admin')).body.body.markdown,
        'Moderated.',
      )
      const permissions = async (as: PersonName) => (await w.call('GET', one, { as })).body.permissions
      const none = { edit: false, reply: false, delete: false, resolve: false }
      assert.deepEqual(await permissions('read'), { view: true, ...none })
      assert.deepEqual(await permissions('edit'), { view: true, ...none, reply: true })
      assert.deepEqual(await permissions('review'), { view: true, ...none, reply: true, resolve: true })
      const all = { view: true, edit: true, reply: true, delete: true, resolve: true }
      assert.deepEqual(await permissions('comment'), all)
      assert.deepEqual(await permissions('admin'), all)
      assert.equal((await w.call('DELETE', one, { as: 'comment' })).status, 204)
      assert.equal((await w.call('GET', one)).status, 404)
      assert.equal((await w.call('DELETE', one, { as: 'comment' })).status, 204)
    })

    test('an author who may only read now is a reader like others', async () => {
      const at = await make(w)
      const one = `${at.path}/comments/${await said(at, 'Mine.', 'comment')}`
      await w.call('PATCH', `/spaces/${at.spaceId}`, { body: { defaultLevel: 'read' } })
      assert.equal((await put(one, { body: markdown('x') }, 'comment')).status, 403)
      assert.equal((await w.call('DELETE', one, { as: 'comment' })).status, 403)
      assert.equal((await w.call('GET', one, { as: 'comment' })).body.permissions.edit, false)
      await w.call('PATCH', `/spaces/${at.spaceId}`, { body: { defaultLevel: null } })
      assert.equal((await w.call('GET', one, { as: 'comment' })).status, 404)
    })
  })
}

test('an archived change request can still be commented on; a deleted space has no comments', async () => {
  const at = await onChangeRequest(w)
  await w.call('PATCH', at.path, { body: { status: 'archived' } })
  assert.equal((await say(at, 'Why?')).status, 200)
  await w.call('DELETE', `/spaces/${at.spaceId}`)
  assert.equal((await say(at, 'Hello?')).status, 404)
  assert.equal((await w.call('GET', `${at.path}/comments`)).status, 404)
})
