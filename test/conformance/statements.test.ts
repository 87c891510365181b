// How many statements an edit and a read send to the database, transactions included: each is a wait of its own.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, mock, test } from 'node:test'
import { Client } from 'pg'
import { newTestDatabase } from '../support/database.ts'
import { changeRequestOn, type EditTarget, edit, headOf, idAt, liveAt } from '../support/edits.ts'
import { spaceWith } from '../support/pages.ts'
import { serverOn } from '../support/server.ts'
import { worldOn } from '../support/world.ts'

// A server without jobs, so that every statement is of the request.
const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
// What the server hears of other requests' writes, it may read in between: only what a request sends itself counts.
const counted = new AsyncLocalStorage<unknown[]>()
const query = Client.prototype.query
mock.method(Client.prototype, 'query', function (this: Client, ...args: Parameters<typeof query>) {
  counted.getStore()?.push(args[0])
  return query.apply(this, args)
})
after(async () => {
  mock.restoreAll()
  await server.close()
  await database.close()
})

const at = liveAt(await spaceWith(w, { 'README.md': '# Start\n', 'page.md': '# Page\n' }))
const page = await idAt(w, at, 'page')

async function countStatements(run: () => Promise<unknown>): Promise<number> {
  const statements: unknown[] = []
  await counted.run(statements, run)
  return statements.length
}

let edits = 0
const editPage = (place: EditTarget) =>
  edit(w, place, {
    operation: 'update_page',
    page,
    document: { markdown: `# Page\n\nEdit ${edits++}, with a [link](https://example.com).\n\n## Part\n` },
  })

test('an edit of a page of a space takes at most 3 statements', async () => {
  await editPage(at)
  const statements = await countStatements(() => editPage(at))
  assert.ok(statements > 0 && statements <= 3)
})

test('an edit of a page of a change request takes at most 2 statements', async () => {
  const changeRequest = await changeRequestOn(w, at.spaceId)
  await editPage(changeRequest)
  assert.ok((await countStatements(() => editPage(changeRequest))) <= 2)
})

test('an edit that names an older base takes one statement more, and one that names the head none', async () => {
  const changeRequest = await changeRequestOn(w, at.spaceId)
  for (const [place, most] of [
    [at, 3],
    [changeRequest, 2],
  ] as const) {
    const readAt = await headOf(w, place)
    const retitle = (base: string) =>
      edit(w, place, { operation: 'update_page', page, base, icon: `icon-${edits++}` })
    assert.ok((await countStatements(() => retitle(readAt))) <= most)
    const description = `Another ${edits++}`
    const describe = { operation: 'update_page', page, base: readAt, description }
    assert.ok((await countStatements(() => edit(w, place, describe))) <= most + 1)
  }
})

test('a merge takes at most 18 statements', async () => {
  const changeRequest = await changeRequestOn(w, at.spaceId)
  await editPage(changeRequest)
  const merge = () => w.call('POST', `${changeRequest.path}/merge`)
  assert.ok((await countStatements(merge)) <= 18)
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

const OF_CONTENT = ['', '/pages', '/files', `/page/${page}`, `/page/${page}?format=markdown`, '/path/page']

test('writes elsewhere cost a cached read no extra statement', async () => {
  const here = liveAt(await spaceWith(w, { 'README.md': '# Start\n', 'page.md': '# Page\n' }))
  await w.call('PATCH', here.path, { body: { visibility: 'public' } })
  const herePage = await idAt(w, here, 'page')
  const changeRequest = await changeRequestOn(w, here.spaceId)
  const revision = await headOf(w, here)
  const contents = [
    `${here.path}/content`,
    `${changeRequest.path}/content`,
    `${here.path}/revisions/${revision}`,
  ]
  const reads = [
    ...contents.flatMap(content => OF_CONTENT.map(path => `${content}${path.replace(page, herePage)}`)),
    changeRequest.path,
    `${changeRequest.path}/changes`,
    `${here.path}/search?query=page`,
    `/orgs/${w.organizationId}`,
    '/user',
  ]
  const read = async (as: 'admin' | 'edit' | null, path: string) => {
    const isForMembers = path.startsWith(changeRequest.path) || !path.startsWith(here.path)
    if (as === null && isForMembers) return
    assert.equal((await w.call('GET', path, { as })).status, 200, path)
  }
  const other = await changeRequestOn(w, at.spaceId)
  for (const write of [
    () => editPage(at),
    () => editPage(other),
    () => w.call('POST', `${other.path}/comments`, { body: { markdown: 'Read.' } }),
    () => w.call('POST', `${other.path}/merge`),
    () => w.call('PATCH', at.path, { body: { title: 'Other' } }),
    () => w.call('POST', '/user/tokens', { body: { label: 'other' } }),
  ])
    for (const as of ['admin', 'edit', null] as const) {
      for (const path of reads) await read(as, path)
      await write()
      for (const path of reads) assert.equal(await countStatements(() => read(as, path)), 0, path)
    }
})
