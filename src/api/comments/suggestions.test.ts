// Comments on words of a block, and suggestions: what is promised of both discussions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DISCUSSIONS, messageOf, type Somewhere, talkIn } from '../../../test/support/discussions.ts'
import { type PersonName, type Reply, world } from '../../../test/support/world.ts'

const w = await world()
const { say, blocksOf } = talkIn(w)

const edit = (at: Somewhere, page: string, markdown: string): Promise<Reply> =>
  w.call('POST', `${at.path}/content`, {
    body: { changes: [{ operation: 'update_page', page, document: { markdown } }] },
  })
const textOf = async (at: Somewhere, page: string): Promise<string> =>
  (await w.call('GET', `${at.path}/content/page/${page}?format=markdown`)).body.markdown
const apply = (at: Somewhere, id: string, as: PersonName = 'edit') =>
  w.call('POST', `${at.path}/comments/${id}/apply`, { as })

for (const [name, begin] of DISCUSSIONS) {
  const start = async () => {
    const at = await begin(w)
    const { page, keys } = await blocksOf(at)
    const suggest = (before: string, after: string) =>
      say(at, 'Like this?', {
        as: 'comment',
        on: { page, node: keys.paragraph, suggestion: { before, after } },
      })
    return { at, page, node: keys.paragraph, suggest }
  }
  const find = async (at: Somewhere, id: string) => (await w.call('GET', `${at.path}/comments/${id}`)).body

  test(`${name}: a comment on words of a block has them, and follows the block`, async () => {
    const { at, page, node } = await start()
    const range = { quote: 'first', prefix: 'The ', suffix: ' paragraph' }
    const { body } = await say(at, 'Why?', { on: { page, node, range } })
    assert.deepEqual(body.target.range, range)
    const text = await textOf(at, page)
    await edit(at, page, text.replace('The first paragraph.', 'Here is the first paragraph.'))
    const { target } = await find(at, body.id)
    assert.deepEqual([target.range, target.outdated], [range, undefined])
    assert.notEqual(target.node.id, node)
    const short = await say(at, 'Why?', { on: { page, node: target.node.id, range: { quote: 'first' } } })
    assert.deepEqual(short.body.target.range, { quote: 'first', prefix: '', suffix: '' })
  })

  test(`${name}: a suggestion that is applied changes its words and nothing else, and resolves the comment`, async () => {
    const { at, page, suggest } = await start()
    const before = await textOf(at, page)
    const { body } = await suggest('The first', 'A first')
    assert.deepEqual(body.suggestion, { before: 'The first', after: 'A first' })
    const { status, body: applied, text } = await apply(at, body.id)
    assert.equal(status, 200, text)
    assert.equal(applied.status, 'resolved')
    assert.equal(applied.resolvedBy.id, w.people.edit.id)
    assert.equal(typeof applied.suggestion.appliedAt, 'string')
    assert.equal(await textOf(at, page), before.replace('The first paragraph', 'A first paragraph'))
    const again = await apply(at, body.id)
    assert.equal(again.status, 409)
    assert.match(messageOf(again), /applied already/)
  })

  test(`${name}: a suggestion after other edits of its page → is applied where its block is now`, async () => {
    const { at, page, suggest } = await start()
    const { body } = await suggest('first', 'foremost')
    const text = await textOf(at, page)
    await edit(
      at,
      page,
      text.replace('The first paragraph.', 'The second paragraph.\n\nThe first paragraph!'),
    )
    assert.equal((await apply(at, body.id)).status, 200)
    assert.match(await textOf(at, page), /The second paragraph\.\n\nThe foremost paragraph!\n/)
  })

  test(`${name}: a suggestion whose text changed meanwhile → 409, and nothing is written`, async () => {
    const { at, page, suggest } = await start()
    const { body } = await suggest('The first', 'A first')
    const text = await textOf(at, page)
    for (const now of ['Some first paragraph.', 'The first, The first paragraph.']) {
      const changed = text.replace('The first paragraph.', now)
      await edit(at, page, changed)
      const refused = await apply(at, body.id)
      assert.equal(refused.status, 409)
      assert.match(messageOf(refused), /has changed meanwhile/)
      assert.equal(await textOf(at, page), changed)
    }
    await w.call('POST', `${at.path}/content`, { body: { changes: [{ operation: 'delete_page', page }] } })
    assert.equal((await apply(at, body.id)).status, 409)
    assert.equal((await find(at, body.id)).status, 'open')
  })

  test(`${name}: a suggestion that two apply at the same time → is applied once`, async () => {
    const { at, page, suggest } = await start()
    const { body } = await suggest('The', 'The only')
    const answers = await Promise.all([apply(at, body.id), apply(at, body.id, 'admin')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.match(await textOf(at, page), /\nThe only first paragraph\.\n/)
  })

  test(`${name}: who may comment and not edit → may suggest, and not apply`, async () => {
    const { at, page, suggest } = await start()
    const before = await textOf(at, page)
    const { body } = await suggest('The first', 'A first')
    assert.equal((await apply(at, body.id, 'comment')).status, 403)
    assert.equal((await apply(at, body.id, 'stranger')).status, 404)
    assert.equal(await textOf(at, page), before)
  })

  test(`${name}: a range or a suggestion that is of no block, or of other words → 400 with its field`, async () => {
    const { at, page, node, suggest } = await start()
    const refusals: [object, RegExp][] = [
      [{ page, range: { quote: 'a' } }, /body\.range: send node/],
      [{ page, suggestion: { before: 'a', after: 'b' } }, /body\.suggestion: send node/],
      [{ page, node, suggestion: { before: 'The', after: 'The' } }, /body\.suggestion: before and after/],
      [{ page, node, suggestion: { before: 'second', after: 'b' } }, /body\.suggestion: before is not there/],
      [{ page, node, suggestion: { before: 'a', after: 'b' } }, /body\.suggestion: before is not there once/],
      [{ page, node, range: { quote: '' } }, /body\.range\.quote/],
      [{ page, node, range: { quote: 'a'.repeat(2_001) } }, /body\.range\.quote/],
      [{ page, node, suggestion: { before: 'The', after: 'a'.repeat(20_001) } }, /body\.suggestion\.after/],
    ]
    for (const [on, message] of refusals) {
      const reply = await say(at, 'Words.', { on })
      assert.equal(reply.status, 400, JSON.stringify(on).slice(0, 200))
      assert.match(messageOf(reply), message)
    }
    const { body } = await say(at, 'No suggestion.', { on: { page, node } })
    assert.equal((await apply(at, body.id)).status, 400)
    assert.equal((await suggest('The first paragraph.', '')).status, 200)
  })
}
