// Every promise is kept at both places: on a space, and on a change request of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  DISCUSSIONS,
  type Item,
  markdown,
  messageOf,
  onSpace,
  talkIn,
} from '../../../test/support/discussions.ts'
import { type Reply, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { REACTION_USERS_SHOWN_MAX } from './participants.ts'
import { EMOJI_PER_COMMENT_MAX } from './reactions.ts'
import { REACTIONS_AT_ONCE_MAX } from './schema.ts'

const w = await world()
const { people } = w
const { put, said } = talkIn(w)

for (const [name, make] of DISCUSSIONS) {
  describe(`reactions to a comment on ${name}`, () => {
    test('reactions are emoji, one of a kind for each person, given and taken back in one step', async () => {
      const at = await make(w)
      const one = `${at.path}/comments/${await said(at, 'Nice?')}`
      const shown = (reply: Reply) =>
        reply.body.reactions.map((reaction: { emoji: string; count: number; users: { user: Item }[] }) => [
          reaction.emoji,
          reaction.count,
          reaction.users.map(({ user }) => user.id),
        ])
      await put(one, { addedReactions: ['👍', '👍'] }, 'edit')
      await put(one, { addedReactions: ['🎉', '👍'] }, 'comment')
      const both = await put(one, { addedReactions: ['🎉', '👍'] }, 'comment')
      assert.deepEqual(shown(both), [
        ['👍', 2, [people.edit.id, people.comment.id]],
        ['🎉', 1, [people.comment.id]],
      ])
      const swapped = await put(
        one,
        { addedReactions: ['👨‍👩‍👧'], removedReactions: ['👍', '🚀'] },
        'comment',
      )
      assert.deepEqual(shown(swapped), [
        ['👍', 1, [people.edit.id]],
        ['🎉', 1, [people.comment.id]],
        ['👨‍👩‍👧', 1, [people.comment.id]],
      ])
      const spelled = await put(one, { addedReactions: ['1f44d', '❤', '❤️', '🇫🇷', '1️⃣'] }, 'create')
      assert.deepEqual(
        shown(spelled).map(([emoji, count]: [string, number]) => [emoji, count]),
        [
          ['👍', 2],
          ['🎉', 1],
          ['👨‍👩‍👧', 1],
          ['❤️', 1],
          ['🇫🇷', 1],
          ['1️⃣', 1],
        ],
      )
      for (const [body, message] of [
        [{ addedReactions: [':+1:'] }, /^body\.addedReactions\.0: ":\+1:" is no emoji/],
        [{ addedReactions: ['👍', 'thumbsup'] }, /^body\.addedReactions\.1/],
        [{ removedReactions: ['a'] }, /^body\.removedReactions\.0/],
        [{ addedReactions: ['👍👍'] }, /is no emoji/],
        [{ addedReactions: ['1'] }, /is no emoji/],
        [{ addedReactions: [''] }, /^body\.addedReactions\.0/],
        [{ addedReactions: ['🎉'], removedReactions: ['🎉'] }, /is in removedReactions as well/],
        [{ addedReactions: Array(REACTIONS_AT_ONCE_MAX + 1).fill('👍') }, /^body\.addedReactions/],
      ] as const) {
        const refused = await put(one, body)
        assert.equal(refused.status, 400, JSON.stringify(body))
        assert.match(messageOf(refused), message)
      }
      assert.deepEqual(shown(await w.call('GET', one)), shown(spelled))
    })

    test('the number of different reactions to one comment is bounded', async () => {
      const at = await make(w)
      const one = `${at.path}/comments/${await said(at, 'Many.')}`
      const emoji = (place: number) => String.fromCodePoint(0x1f600 + place)
      const some = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, place) => emoji(from + place))
      await put(one, { addedReactions: some(0, 20) })
      await put(one, { addedReactions: some(20, EMOJI_PER_COMMENT_MAX) })
      const refused = await put(one, { addedReactions: ['🎉'], body: markdown('And changed.') })
      assert.equal(refused.status, 409)
      assert.match(messageOf(refused), /32 different reactions/)
      assert.equal((await put(one, { addedReactions: [emoji(3)] }, 'edit')).status, 200)
      const exchanged = await put(one, { addedReactions: ['🎉'], removedReactions: [emoji(0)] })
      assert.equal(exchanged.status, 200)
      assert.deepEqual(
        [exchanged.body.reactions.length, exchanged.body.body.markdown],
        [EMOJI_PER_COMMENT_MAX, 'Many.'],
      )
    })
  })
}

test('of many people with the same reaction the first are named and all are counted', async () => {
  const at = await onSpace(w)
  const id = await said(at, 'Popular.')
  const count = REACTION_USERS_SHOWN_MAX + 3
  const users = Array.from({ length: count }, () => newId())
  await w.services.transaction(async trx => {
    await trx
      .insertInto('users')
      .values(users.map(user => ({ id: user, email: `${user}@people.test`, display_name: user })))
      .execute()
    await trx
      .insertInto('reactions')
      .values(
        users.map((user, n) => ({
          comment_id: id,
          emoji: '👍',
          user_id: user,
          reacted_at: new Date(1_900_000_000_000 + n),
        })),
      )
      .execute()
  })
  const [reaction] = (await w.call('GET', `${at.path}/comments/${id}`)).body.reactions
  assert.equal(reaction.count, count)
  assert.deepEqual(
    reaction.users.map(({ user }: { user: Item }) => user.id),
    users.slice(0, REACTION_USERS_SHOWN_MAX),
  )
})
