import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyed } from '../../test/support/keyed-requests.ts'
import { world } from '../../test/support/world.ts'
import { BODY_VALUES_MAX } from '../compute/json-body.ts'

const w = await world()

// More than is read at once.
const PARAGRAPHS = 1_000

const textOf = (text: string) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] })
const block = (type: string, text: string) => ({ object: 'block', type, data: {}, nodes: [textOf(text)] })
const document = (words: string, count = PARAGRAPHS) => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    block('heading-1', 'Sent'),
    ...Array.from({ length: count }, (_, at) => block('paragraph', `${words} ${at}`)),
  ],
})
const insertion = (rich: object) => ({
  changes: [{ operation: 'insert_page', document: { document: rich } }],
})
const inserted = (reply: { body: { changes: { page: { id: string } }[] } }) => reply.body.changes[0]?.page.id

test('a large rich document becomes the page that it says, named by its heading', async () => {
  const { id } = await w.createSpace()
  const path = `/spaces/${id}/content`
  for (const count of [1, PARAGRAPHS]) {
    const rich = document('Words', count)
    const sent = await w.call('POST', `${path}?compat=false`, { body: insertion(rich) })
    assert.equal(sent.status, 200, sent.text)
    const { body: page } = await w.call('GET', `${path}/page/${inserted(sent)}?format=markdown`)
    assert.equal(page.title, 'Sent')
    assert.ok(page.markdown.includes(`Words ${count - 1}\n`), page.markdown.slice(-100))
    assert.equal(page.markdown.match(/^Words \d+$/gm).length, count)
  }
})

test('an error within a folded document is reported with its path', async () => {
  const { id } = await w.createSpace()
  const rich = {
    ...document('Words'),
    nodes: [...document('Words').nodes, { object: 'block', type: 'no-type', data: {} }],
  }
  const { status, text } = await w.call('POST', `/spaces/${id}/content`, { body: insertion(rich) })
  assert.equal(status, 400)
  assert.match(text, new RegExp(`body\\.changes\\.0\\.document\\.document\\.nodes\\.${PARAGRAPHS + 1}`))
})

test('a key knows one rich document from another', async () => {
  const { id } = await w.createSpace()
  const path = `/spaces/${id}/content?compat=false`
  const send = (rich: object) => w.call('POST', path, keyed('rich', { body: insertion(rich) }))
  const first = await send(document('One'))
  assert.equal(first.status, 200, first.text)
  const { nodes, data, object } = document('One')
  assert.equal((await send({ nodes, data, object })).text, first.text)
  assert.equal((await send(document('Two'))).status, 409)
})

test('a body of more values than one may have is refused, and says what to do', async () => {
  const { id } = await w.createSpace()
  const payload = `{"changes":[${'{},'.repeat(BODY_VALUES_MAX)}{}]}`
  const { status, body } = await w.call('POST', `/spaces/${id}/content`, { payload })
  assert.equal(status, 413)
  assert.match(body.error.message, /values\. Send it in several requests/)
})
