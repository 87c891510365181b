// Every promise is kept at both places: on a space, and on a change request of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodies, DISCUSSIONS, markdown, talkIn } from '../../../test/support/discussions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { Failure } from '../../base/errors.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { findSpace } from '../spaces/rows.ts'
import { changeComment, postComment } from './actions.ts'
import { changeReply, postReply } from './reply-actions.ts'

const w = await world()
const { people } = w
const { eventsOf, put, said, say, walk } = talkIn(w)

for (const [name, make] of DISCUSSIONS) {
  describe(`comments on ${name}`, () => {
    test('an edit sets editedAt, unless the body is unchanged', async () => {
      const at = await make(w)
      const posted = await say(at, 'Once.')
      const one = `${at.path}/comments/${posted.body.id}`
      assert.deepEqual((await put(one, {})).body, posted.body)
      assert.deepEqual((await put(one, { body: markdown('Once.') })).body, posted.body)
      const { body: edited } = await put(one, { body: markdown('Twice.') })
      assert.ok(edited.editedAt > posted.body.postedAt)
      assert.deepEqual([edited.body.markdown, edited.postedAt], ['Twice.', posted.body.postedAt])
    })

    test('resolving and reopening append one event each, with actor and time; counts follow', async () => {
      const at = await make(w)
      const open = async () => (await w.call('GET', at.path)).body.comments
      const one = `${at.path}/comments/${await said(at, 'Fix this.')}`
      await said(at, 'And this.')
      assert.equal(await open(), 2)
      const { body: resolved } = await put(one, { resolved: true }, 'review')
      assert.deepEqual([resolved.status, resolved.resolvedBy.id], ['resolved', people.review.id])
      assert.ok(resolved.resolvedAt >= resolved.postedAt)
      assert.equal(resolved.editedAt, undefined)
      assert.equal(await open(), 1)
      const { body: again } = await put(one, { resolved: true }, 'admin')
      assert.deepEqual([again.resolvedBy.id, again.resolvedAt], [people.review.id, resolved.resolvedAt])
      const { body: reopened } = await put(one, { resolved: false })
      assert.deepEqual(
        [reopened.status, reopened.resolvedAt, reopened.resolvedBy],
        ['open', undefined, undefined],
      )
      assert.equal(await open(), 2)
    })

    test('replies: posted, read, listed in order, counted, edited, deleted', async () => {
      const at = await make(w)
      const one = `${at.path}/comments/${await said(at, 'A question.')}`
      const reply = async (text: string, as: PersonName) =>
        (await w.call('POST', `${one}/replies`, { as, body: { body: markdown(text) } })).body
      const first = await reply('first', 'comment')
      assert.deepEqual(Object.keys(first).sort(), [
        ...['body', 'id', 'object', 'permissions', 'postedAt', 'postedBy', 'reactions', 'urls'],
      ])
      assert.equal(first.object, 'comment-reply')
      assert.equal(first.urls.location, `http://octavo.test/v1${one}/replies/${first.id}`)
      assert.deepEqual(first.permissions, { view: true, edit: true, reply: true, delete: true })
      const second = await reply('second', 'edit')
      await reply('third', 'comment')
      const path = `${one}/replies/${first.id}`
      assert.deepEqual((await w.call('GET', path, { as: 'comment' })).body, first)
      assert.deepEqual(bodies(await w.call('GET', `${one}/replies`)), ['first', 'second', 'third'])
      assert.deepEqual((await walk(`${one}/replies`, 2)).map(item => item.id).slice(0, 2), [
        first.id,
        second.id,
      ])
      const { body: comment } = await w.call('GET', one)
      assert.equal(comment.replies, 3)
      assert.deepEqual(
        comment.repliers.map((one: { user: { id: string }; count: number }) => [one.user.id, one.count]),
        [
          [people.comment.id, 2],
          [people.edit.id, 1],
        ],
      )
      assert.equal((await put(path, { body: markdown('x') }, 'edit')).status, 403)
      assert.equal(
        (await put(path, { body: markdown('x'), resolved: true }, 'comment')).body.body.markdown,
        'x',
      )
      assert.equal((await w.call('GET', one)).body.status, 'open')
      assert.equal((await put(path, { body: markdown('by an admin') })).status, 200)
      const { body: reacted } = await put(path, { addedReactions: ['🎉'] }, 'edit')
      assert.deepEqual([reacted.reactions[0].emoji, reacted.body.markdown], ['🎉', 'by an admin'])
      assert.ok(reacted.editedAt > first.postedAt)
      const asDocument = await w.call('GET', `${one}/replies?format=document`)
      assert.ok(asDocument.body.items.every((item: { body: object }) => 'document' in item.body))
      assert.equal((await w.call('POST', `${one}/replies`, { body: { body: { markdown: '' } } })).status, 400)
      assert.equal((await w.call('DELETE', path, { as: 'edit' })).status, 403)
      assert.equal((await w.call('DELETE', path, { as: 'comment' })).status, 204)
      assert.equal((await w.call('GET', path)).status, 404)
      assert.equal((await put(path, { addedReactions: ['🎉'] })).status, 404)
      assert.equal((await w.call('DELETE', path)).status, 204)
      assert.deepEqual(bodies(await w.call('GET', `${one}/replies`)), ['second', 'third'])
    })

    test('deleting a comment deletes its replies and reactions', async () => {
      const at = await make(w)
      const id = await said(at, 'Going.')
      const one = `${at.path}/comments/${id}`
      const { body: reply } = await w.call('POST', `${one}/replies`, { body: { body: markdown('Me too.') } })
      await put(one, { addedReactions: ['👍'] })
      await put(`${one}/replies/${reply.id}`, { addedReactions: ['👍'] })
      assert.equal((await w.call('DELETE', one)).status, 204)
      assert.equal((await w.call('GET', `${one}/replies/${reply.id}`)).status, 404)
      const left = await w.services.db
        .selectFrom('reactions')
        .selectAll()
        .where(is => is.or([is('comment_id', '=', id), is('reply_id', '=', reply.id)]))
        .execute()
      assert.deepEqual(left, [])
    })

    test('events are written in the same transaction, with ids', async () => {
      const at = await make(w)
      const comment = await said(at, 'one', 'comment')
      const one = `${at.path}/comments/${comment}`
      await put(one, { body: markdown('two'), addedReactions: ['👍'] }, 'comment')
      await put(one, { resolved: true, removedReactions: ['🎉'] })
      await put(one, { resolved: true })
      await put(one, { resolved: false })
      const { body } = await w.call('POST', `${one}/replies`, { body: { body: markdown('r') } })
      await put(`${one}/replies/${body.id}`, { body: markdown('s') })
      await w.call('DELETE', `${one}/replies/${body.id}`)
      await w.call('DELETE', one)
      const changeRequest = at.changeRequest?.id ?? null
      const about = { comment, changeRequest }
      const { admin, comment: author } = people
      assert.deepEqual(await eventsOf(at), [
        { type: 'comment.created', actor: author.id, payload: { ...about, review: null } },
        { type: 'comment.changed', actor: author.id, payload: { ...about, fields: ['body', 'reactions'] } },
        { type: 'comment.resolved', actor: admin.id, payload: about },
        { type: 'comment.reopened', actor: admin.id, payload: about },
        { type: 'comment_reply.created', actor: admin.id, payload: { ...about, reply: body.id } },
        {
          type: 'comment_reply.changed',
          actor: admin.id,
          payload: { ...about, reply: body.id, fields: ['body'] },
        },
        { type: 'comment_reply.deleted', actor: admin.id, payload: { ...about, reply: body.id } },
        { type: 'comment.deleted', actor: admin.id, payload: about },
      ])
    })

    test('concurrent comments, replies and reactions are each stored once', async () => {
      const at = await make(w)
      const posts = await Promise.all(Array.from({ length: 12 }, (_, n) => say(at, `post ${n}`)))
      assert.equal(new Set(posts.map(({ body }) => body.id)).size, 12)
      const one = `${at.path}/comments/${posts[0]?.body.id}`
      const who = ['comment', 'edit', 'review', 'create', 'admin'] as const
      const replies = await Promise.all([
        ...who.flatMap(as => [
          put(one, { addedReactions: ['👍'] }, as),
          put(one, { addedReactions: ['👍', '🎉'] }, as),
          put(one, { removedReactions: ['🚀'] }, as),
          w.call('POST', `${one}/replies`, { as, body: { body: markdown(as) } }),
        ]),
      ])
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      const { body } = await w.call('GET', one)
      const counts = body.reactions.map(({ emoji, count }: { emoji: string; count: number }) => [
        emoji,
        count,
      ])
      assert.deepEqual(counts.sort(), [
        ['🎉', 5],
        ['👍', 5],
      ])
      assert.deepEqual([body.replies, body.repliers.length], [5, 5])
      assert.equal((await walk(`${at.path}/comments`, 5)).length, 12)
    })

    test('resolving a comment concurrently resolves it once', async () => {
      const at = await make(w)
      const one = `${at.path}/comments/${await said(at, 'Done?', 'comment')}`
      const who = ['comment', 'review', 'create', 'admin'] as const
      const answers = await Promise.all(who.map(as => put(one, { resolved: true }, as)))
      assert.equal(new Set(answers.map(({ body }) => body.resolvedBy.id)).size, 1)
      assert.equal((await eventsOf(at)).filter(({ type }) => type === 'comment.resolved').length, 1)
    })

    test('a target that is deleted after admission is missing', async () => {
      const at = await make(w)
      const space = await findSpace(w.services.db, at.spaceId)
      const changeRequest = at.changeRequest && (await findChangeRequest(w.services.db, at.changeRequest.id))
      const principal = await w.principalOf('admin')
      const [comment] = await w.services.db
        .selectFrom('comments')
        .selectAll()
        .where('id', '=', await said(at, 'Going.'))
        .execute()
      assert.ok(space && comment)
      const stale = { space, changeRequest: changeRequest ?? null, comment, role: 'admin' as const }
      const reply = await postReply({ ...w.services, principal }, stale, { body: markdown('In time.') })
      const isMissing = (code: string) => (error: unknown) =>
        error instanceof Failure && error.kind === 'missing' && error.code === code
      await w.call('DELETE', `${at.path}/comments/${comment.id}`)
      const body = { body: markdown('Late.') }
      const { services } = w
      await assert.rejects(
        changeComment({ ...services, principal }, stale, body),
        isMissing('comment_missing'),
      )
      await assert.rejects(postReply({ ...services, principal }, stale, body), isMissing('comment_missing'))
      const staleReply = { ...stale, reply }
      await assert.rejects(
        changeReply({ ...services, principal }, staleReply, body),
        isMissing('comment_reply_missing'),
      )
      await w.call('DELETE', `/spaces/${at.spaceId}`)
      const code = at.changeRequest === undefined ? 'space_missing' : 'change_request_missing'
      await assert.rejects(postComment({ ...services, principal }, stale, body), isMissing(code))
    })
  })
}
