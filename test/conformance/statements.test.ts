// How many statements an edit and a read send to the database, transactions included: each is a wait of its own.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { Client } from 'pg'
import { newTestDatabase } from '../support/database.ts'
import { changeRequestOn, edit, idAt, liveAt, type Place } from '../support/edits.ts'
import { spaceWith } from '../support/pages.ts'
import { serverOn } from '../support/server.ts'
import { worldOn } from '../support/world.ts'

// A server without jobs, so that every statement is of the request.
const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
const sent = mock.method(Client.prototype, 'query')
after(async () => {
  sent.mock.restore()
  await server.close()
  await database.close()
})

const at = liveAt(await spaceWith(w, { 'README.md': '# Start\n', 'page.md': '# Page\n' }))
const page = await idAt(w, at, 'page')

async function countStatements(run: () => Promise<unknown>): Promise<number> {
  sent.mock.resetCalls()
  await run()
  return sent.mock.callCount()
}

let edits = 0
const editPage = (place: Place) =>
  edit(w, place, {
    operation: 'update_page',
    page,
    document: { markdown: `# Page\n\nEdit ${edits++}, with a [link](https://example.com).\n\n## Part\n` },
  })

test('an edit of a page of a space takes at most 8 statements', async () => {
  await editPage(at)
  assert.ok((await countStatements(() => editPage(at))) <= 8)
})

test('an edit of a page of a change request takes at most 7 statements', async () => {
  const changeRequest = await changeRequestOn(w, at.spaceId)
  await editPage(changeRequest)
  assert.ok((await countStatements(() => editPage(changeRequest))) <= 7)
})

test('a merge takes at most 22 statements', async () => {
  const changeRequest = await changeRequestOn(w, at.spaceId)
  await editPage(changeRequest)
  const merge = () => w.call('POST', `${changeRequest.path}/merge`)
  assert.ok((await countStatements(merge)) <= 22)
})

for (const [name, path] of [
  ['a head that a merge made', '/content'],
  ['its page tree', '/content/pages'],
  ['a page', `/content/page/${page}?format=markdown`],
]) {
  test(`reading ${name} again takes no statement, with and without If-None-Match`, async () => {
    const { headers } = await w.call('GET', `${at.path}${path}`)
    const read = (more = {}) => countStatements(() => w.call('GET', `${at.path}${path}`, { headers: more }))
    assert.equal(await read(), 0)
    assert.equal(await read({ 'if-none-match': headers.etag as string }), 0)
  })
}
