// Two servers with a folder each on one PostgreSQL: what one writes, the other answers with, although both keep
// what they have read.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { isPostgres, ownDatabase } from '../support/own-database.ts'
import { type Environment, type Server, serve, temporaryFolder } from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'

const skip = isPostgres ? false : 'the embedded database belongs to one process; with PostgreSQL this runs'

describe('two processes on one database', { skip }, () => {
  let env: Environment
  let one: Server
  let other: Server
  let organization = ''
  let host: GitServer

  before(async () => {
    env = await ownDatabase()
    ;[one, other] = await Promise.all([serve(temporaryFolder(), { env }), serve(temporaryFolder(), { env })])
    const { body } = await one.call('GET', '/orgs')
    assert.equal(body.items.length, 1, 'of two first starts at once one begins')
    organization = body.items[0].id
    const root = temporaryFolder()
    const repository = await createRepository(root)
    await repository.commit({
      changes: [{ path: 'README.md', content: '# Seen by both\n\nUnmistakable.\n' }],
    })
    host = await startGitServer({ root })
  })
  after(() => host?.close())

  const createSpace = async (title: string): Promise<string> =>
    (await one.call('POST', `/orgs/${organization}/spaces`, { body: { title, visibility: 'public' } })).body
      .id

  const startImport = async (space: string): Promise<string> => {
    const { headers } = await one.call('POST', `/spaces/${space}/git/import`, {
      body: { url: host.urlOf('docs.git'), ref: 'refs/heads/main' },
    })
    return new URL(headers.get('location') ?? '').pathname.replace('/v1', '')
  }

  /** Reads until it is as it should be. Caches do not expire by time, so a missed notification is never made up for. */
  const seen = async (isSeen: () => Promise<boolean>): Promise<void> => {
    while (!(await isSeen()));
  }

  test('two processes that start together set up the first space once', async () => {
    const { body } = await other.call('GET', `/orgs/${organization}/spaces`)
    assert.deepEqual(
      body.items.map((space: { title: string }) => space.title),
      ['Octavo'],
    )
    const [space] = body.items
    const read = (server: Server) => server.call('GET', `/spaces/${space.id}/content/pages`)
    const [pages, others] = await Promise.all([read(one), read(other)])
    assert.ok(pages.body.pages.length > 0)
    assert.equal(others.text.replaceAll(other.url, one.url), pages.text)
  })

  test('a change written through one process is read through the other', async () => {
    const id = await createSpace('Title 0')
    const titleThere = async () => (await other.call('GET', `/spaces/${id}`)).body.title
    for (let index = 1; index <= 20; index += 1) {
      assert.equal(await titleThere(), `Title ${index - 1}`)
      await one.call('PATCH', `/spaces/${id}`, { body: { title: `Title ${index}` } })
      await seen(async () => (await titleThere()) === `Title ${index}`)
    }
  })

  test('a space that one makes, and a role that one gives, is in the lists of the other', async () => {
    const countThere = async () => (await other.call('GET', `/orgs/${organization}/spaces`)).body.count
    const { id: admin } = (await one.call('GET', '/user')).body
    const before = await countThere()
    const id = await createSpace('Listed')
    await seen(async () => (await countThere()) === before + 1)
    const given = async () => (await other.call('GET', `/spaces/${id}/permissions/explain`)).body.way[0].given
    assert.equal(await given(), undefined)
    await one.call('PATCH', `/spaces/${id}/permissions/users/${admin}`, { body: { role: 'read' } })
    await seen(async () => (await given()) === 'read')
  })

  test('a token that is revoked is refused by the other', async () => {
    const { body: token } = await one.call('POST', '/user/tokens', { body: { label: 'soon revoked' } })
    const statusThere = async () => (await other.call('GET', '/user', { token: token.token })).status
    assert.equal(await statusThere(), 200)
    await one.call('DELETE', `/user/tokens/${token.id}`)
    await seen(async () => (await statusThere()) === 401)
  })

  test('what one process imports or hides, the other shows or hides', async () => {
    const id = await createSpace('Shown')
    assert.equal((await other.get(`/s/${id}`)).status, 200)
    await startImport(id)
    await seen(async () => (await other.get(`/s/${id}`)).text.includes('Unmistakable'))
    const { body } = await other.call('GET', `/spaces/${id}/search?query=unmistakable`)
    assert.equal(body.items.length, 1)
    await one.call('PATCH', `/spaces/${id}`, { body: { visibility: 'private' } })
    await seen(async () => (await other.get(`/s/${id}`)).status === 404)
  })

  test('what one writes is found through the other, and what it deletes or closes is not', async () => {
    const id = await createSpace('Found')
    const write = (markdown: string) =>
      one.call('POST', `/spaces/${id}/content`, {
        body: { changes: [{ operation: 'insert_page', title: 'A page', document: { markdown } }] },
      })
    const countThere = async (query: string, path = `/orgs/${organization}/search`) =>
      (await other.call('GET', `${path}?query=${query}`)).body.count ?? 0
    const inSpace = `/spaces/${id}/search`
    for (const word of ['quokka', 'wombat', 'numbat']) {
      assert.equal(await countThere(word), 0)
      await write(`Of a ${word} alone.\n`)
      await seen(async () => (await countThere(word)) === 1 && (await countThere(word, inSpace)) === 1)
    }
    await one.call('DELETE', `/spaces/${id}`)
    await seen(async () => (await countThere('quokka')) === 0 && (await countThere('quokka', inSpace)) === 0)
    await one.call('POST', `/spaces/${id}/restore`)
    await seen(async () => (await countThere('quokka')) === 1)
  })

  test('a process that starts leaves the imports of the others alone', async () => {
    const id = await createSpace('Busy')
    host.misbehave({ kind: 'hang', onlyPacks: true })
    const operation = await startImport(id)
    const third = await serve(temporaryFolder(), { env })
    assert.equal((await third.call('GET', operation)).body.state, 'running')
    assert.equal((await third.end('SIGTERM')).code, 0)
    host.misbehave(undefined)
  })

  test('when notifications are lost with their connection, nothing old is answered', async () => {
    const id = await createSpace('Heard')
    const titleThere = async () => (await other.call('GET', `/spaces/${id}`)).body.title
    assert.equal(await titleThere(), 'Heard')
    const client = new Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'octavo changes'`,
    )
    await client.end()
    assert.ok((rowCount ?? 0) >= 2)
    await one.call('PATCH', `/spaces/${id}`, { body: { title: 'Not heard' } })
    await seen(async () => (await titleThere()) === 'Not heard')
    await other.says(/caches are off until reconnected/, 'stderr')
  })
})
