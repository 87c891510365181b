// Every promise is kept at both places: on a space, and on a change request of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bodies,
  DISCUSSIONS,
  type Item,
  markdown,
  messageOf,
  talkIn,
} from '../../../test/support/discussions.ts'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { BODY_CHARACTERS_MAX } from './schema.ts'

const w = await world()
const { people } = w
const { blocksOf, put, said, say, walk } = talkIn(w)

for (const [name, make] of DISCUSSIONS) {
  describe(`comments on ${name}`, () => {
    test('a posted comment is returned and listed with its body, target and author', async () => {
      const at = await make(w)
      const { status, body } = await say(at, 'Well **said**.', { as: 'comment' })
      assert.equal(status, 200)
      const location = `http://octavo.test/v1${at.path}/comments/${body.id}`
      assert.deepEqual(
        { ...body, postedAt: typeof body.postedAt },
        {
          object: 'comment',
          id: body.id,
          postedBy: {
            object: 'user',
            id: people.comment.id,
            displayName: people.comment.email.split('@')[0],
            email: people.comment.email,
            urls: { location: `http://octavo.test/v1/users/${people.comment.id}` },
          },
          postedAt: 'string',
          reactions: [],
          replies: 0,
          repliers: [],
          body: { markdown: 'Well **said**.' },
          target: {
            space: at.spaceId,
            ...(at.changeRequest === undefined ? {} : { changeRequest: at.changeRequest.id }),
            revision: at.revision,
          },
          urls: { location },
          permissions: { view: true, edit: true, reply: true, delete: true, resolve: true },
          status: 'open',
        },
      )
      const read = await w.call('GET', `${at.path}/comments/${body.id}`, { as: 'comment' })
      assert.deepEqual(read.body, body)
      const list = await w.call('GET', `${at.path}/comments`, { as: 'comment' })
      assert.deepEqual(list.body, { items: [body], count: 1 })
    })

    test('one discussion has none of the other’s comments, in lists and by id', async () => {
      const at = await make(w)
      const id = await said(at, 'Here.')
      const opened = await w.call('POST', `/spaces/${at.spaceId}/change-requests`)
      const elsewhere =
        at.changeRequest === undefined
          ? [
              `/spaces/${at.spaceId}/change-requests/${opened.body.id}`,
              `/spaces/${(await w.createSpace()).id}`,
            ]
          : [`/spaces/${at.spaceId}`, `/spaces/${at.spaceId}/change-requests/${opened.body.id}`]
      for (const path of elsewhere) {
        assert.equal((await w.call('GET', `${path}/comments`)).body.count, 0, path)
        assert.equal((await w.call('GET', `${path}/comments/${id}`)).status, 404, path)
        assert.equal((await put(`${path}/comments/${id}`, { resolved: true })).status, 404, path)
        assert.equal((await w.call('DELETE', `${path}/comments/${id}`)).status, 204, path)
        assert.equal((await w.call('GET', `${path}/comments/${id}/replies`)).status, 404, path)
      }
      assert.equal((await w.call('GET', `${at.path}/comments/${id}`)).status, 200)
    })

    test('a body has one of two formats, is not empty, and is bounded', async () => {
      const at = await make(w)
      const post = async (body: unknown) => w.call('POST', `${at.path}/comments`, { body: { body } })
      for (const [body, message] of [
        [{}, /^body\.body: send either markdown or document/],
        [{ markdown: 'a', document: documentOf('b') }, /^body\.body: send either/],
        [{ markdown: ' \n\t ' }, /^body\.body\.markdown: this says nothing/],
        [{ markdown: 'x'.repeat(BODY_CHARACTERS_MAX + 1) }, /^body\.body\.markdown: 20001 characters/],
        [{ markdown: 3 }, /^body\.body\.markdown/],
        [{ markdown: 'a\u0000b' }, /U\+0000/],
        [
          { document: { object: 'document', data: {}, nodes: [{ object: 'block', type: 'nothing' }] } },
          /^body\.body\.document/,
        ],
        [
          { document: { object: 'document', data: {}, nodes: [] } },
          /^body\.body\.document: this says nothing/,
        ],
      ] as const) {
        const refused = await post(body)
        assert.equal(refused.status, 400, JSON.stringify(body).slice(0, 80))
        assert.match(messageOf(refused), message)
      }
      assert.equal((await post({ markdown: 'x'.repeat(BODY_CHARACTERS_MAX) })).status, 200)
      assert.equal((await w.call('POST', `${at.path}/comments`, { body: {} })).status, 400)
      assert.equal((await w.call('GET', `${at.path}/comments`)).body.count, 1)
    })

    test('a rich document is kept as Markdown, and either is answered as asked', async () => {
      const at = await make(w)
      const posted = await w.call('POST', `${at.path}/comments`, {
        body: { body: { document: documentOf('Strong words', 'bold') } },
      })
      assert.equal(posted.status, 200, posted.text)
      assert.deepEqual(posted.body.body, { markdown: '**Strong words**\n' })
      const path = `${at.path}/comments/${posted.body.id}`
      for (const read of [
        await w.call('GET', `${path}?format=document`),
        await w.call('PUT', `${path}?format=document`, { body: {} }),
        { body: (await w.call('GET', `${at.path}/comments?format=document`)).body.items[0] },
      ]) {
        assert.deepEqual(Object.keys(read.body.body), ['document'])
        const [paragraph] = read.body.body.document.nodes
        assert.equal(paragraph.nodes[0].leaves[0].text, 'Strong words')
      }
      assert.equal((await w.call('GET', `${path}?format=words`)).status, 400)
    })

    test('a list comes in the order of posting, walks page by page, and is filtered', async () => {
      const at = await make(w)
      const { page } = await blocksOf(at, 1)
      await say(at, 'one', { as: 'edit' })
      await say(at, 'two', { as: 'comment', on: { page } })
      await say(at, 'three', { as: 'review' })
      await say(at, 'four', { as: 'comment' })
      const resolved = await said(at, 'five')
      await put(`${at.path}/comments/${resolved}`, { resolved: true })
      const find = async (query: string) => bodies(await w.call('GET', `${at.path}/comments${query}`))
      assert.deepEqual(await find(''), ['five', 'four', 'three', 'two', 'one'])
      assert.deepEqual(await find('?order=asc'), ['one', 'two', 'three', 'four', 'five'])
      assert.deepEqual(await find('?status=open'), ['four', 'three', 'two', 'one'])
      assert.deepEqual(await find('?status=resolved'), ['five'])
      assert.deepEqual(await find(`?targetPage=${page}`), ['two'])
      assert.deepEqual(await find(`?authors=${people.comment.id}`), ['four', 'two'])
      const two = `?authors=${people.comment.id}&authors=${people.edit.id}`
      assert.deepEqual(await find(two), ['four', 'two', 'one'])
      assert.deepEqual(await find(`?authors=${people.stranger.id}`), [])
      for (const limit of [1, 2, 3]) {
        const walked = await walk(`${at.path}/comments?order=asc`, limit)
        assert.deepEqual(
          walked.map(item => (item.body as { markdown: string }).markdown),
          ['one', 'two', 'three', 'four', 'five'],
        )
      }
      const first = await w.call('GET', `${at.path}/comments?limit=2`)
      assert.equal(first.body.count, 5)
      for (const query of [
        `?order=asc&page=${first.body.next.page}`,
        `?status=open&page=${first.body.next.page}`,
        '?status=closed',
        '?order=up',
        '?limit=1001',
        `?authors=${Array.from({ length: 101 }, newId).join('&authors=')}`,
      ])
        assert.equal((await w.call('GET', `${at.path}/comments${query}`)).status, 400, query)
    })

    test('a place in the content has to be there, and each part that is not is named', async () => {
      const at = await make(w)
      const { page, keys } = await blocksOf(at)
      const other = await blocksOf(at, 1)
      const cell = { record: 'r2', definition: 'c1' }
      for (const [on, message] of [
        [{ page: newId() }, /^body\.page: there is no such page/],
        [{ node: keys.paragraph }, /^body\.node: send page as well/],
        [{ page, tableCell: cell }, /^body\.tableCell: send node as well/],
        [{ page, node: 'nowhere' }, /^body\.node: the page has no such block/],
        [{ page: other.page, node: keys.paragraph }, /^body\.node: the page has no such block/],
        [{ page, node: keys.paragraph, tableCell: cell }, /^body\.tableCell: the block is not a table/],
        [{ page, node: keys.table, tableCell: { ...cell, record: 'r9' } }, /no record "r9"/],
        [{ page, node: keys.table, tableCell: { ...cell, definition: 'c9' } }, /no definition "c9"/],
        [{ page, node: keys.table, tableCell: { record: '__proto__', definition: 'c1' } }, /no record/],
        [{ page, node: keys.table, tableCell: { record: 'r1' } }, /^body\.tableCell\.definition/],
      ] as const) {
        const refused = await say(at, 'x', { on })
        assert.equal(refused.status, 400, JSON.stringify(on))
        assert.match(messageOf(refused), message)
      }
      assert.equal((await w.call('GET', `${at.path}/comments`)).body.count, 0)
      const onPage = await say(at, 'x', { on: { page } })
      assert.deepEqual(onPage.body.target.page, { id: page })
      const onBlock = await say(at, 'x', { on: { page, node: keys.paragraph } })
      assert.deepEqual(onBlock.body.target.node, { id: keys.paragraph })
      const { target } = (await say(at, 'x', { on: { page, node: keys.table, tableCell: cell } })).body
      assert.deepEqual(
        [target.node, target.tableCell, target.outdated],
        [{ id: keys.table }, cell, undefined],
      )
    })

    test('commenters are the members with a comment, by name, with the spaces that they may see', async () => {
      const at = await make(w)
      assert.deepEqual((await w.call('GET', `${at.path}/commenters`)).body, { items: [], count: 0 })
      const comment = await said(at, 'one', 'admin')
      await said(at, 'two', 'comment')
      await said(at, 'three', 'comment')
      await w.call('POST', `${at.path}/comments/${comment}/replies`, {
        as: 'edit',
        body: { body: markdown('only a reply') },
      })
      const { body } = await w.call('GET', `${at.path}/commenters`)
      assert.equal(body.count, 2)
      const byId = new Map(body.items.map((item: Item) => [item.id, item]))
      assert.deepEqual([...byId.keys()].sort(), [people.admin.id, people.comment.id].sort())
      const member = byId.get(people.comment.id) as Record<string, unknown>
      const seen = (await w.call('GET', `/orgs/${w.organizationId}/spaces?limit=0`, { as: 'comment' })).body
        .count
      assert.deepEqual(
        { ...member, joinedAt: typeof member.joinedAt, user: (member.user as Item).id },
        {
          object: 'member',
          id: people.comment.id,
          role: 'comment',
          user: people.comment.id,
          disabled: false,
          joinedAt: 'string',
          sso: false,
          spaces: seen,
          teams: 0,
        },
      )
      const walked = await walk(`${at.path}/commenters`, 1)
      assert.deepEqual(
        walked.map(({ id }) => id),
        body.items.map((item: Item) => item.id),
      )
    })
  })
}

/** A rich document of one paragraph. */
function documentOf(text: string, mark?: 'bold') {
  const marks = mark === undefined ? [] : [{ object: 'mark', type: mark }]
  const leaves = [{ object: 'leaf', text, marks }]
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [
      { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [{ object: 'text', leaves }] },
    ],
  }
}
