import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { file, flattenPages, importWorld, PASSWORD } from '../../../test/support/imports.ts'

// At the top of the file and not in a hook: what it opens is closed after the last test.
const world = await importWorld()

const SUMMARY = `# Table of contents

* [Introduction](README.md)

## Guides

* [Set up](guides/setup.md)
  * [Support](https://example.com/support)
`
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAC0lEQVR4nGNgQAUAABIAAWx4tsEAAAAASUVORK5CYII=',
  'base64',
)
const files = () => [
  file('SUMMARY.md', SUMMARY),
  file('README.md', '\ufeff# Welcome\r\n\r\nHello.  \r\n'),
  file(
    'guides/setup.md',
    '---\ndescription: How to begin\nlayout:\n  outline:\n    visible: false\n---\n\n# Set up\n',
  ),
  file('.gitbook/assets/dot.png', PNG),
]

// Tests that write to one of them take a copy.
const example = { space: await world.createSpace(), repository: await world.repository(files()) }
const operation = await world.import(example.space, example.repository, {
  repoCommitURL: 'https://git.example.com/acme/docs/commit/',
  gitInfo: { provider: 'github', url: 'https://git.example.com/acme/docs' },
})

test('a repository comes in: tree, fields, bytes, files, revision and link', async () => {
  const { space, repository } = example
  assert.equal(operation.state, 'success', operation.error)
  assert.deepEqual(
    [operation.direction, operation.stage, operation.skipped, operation.problems],
    ['import', 'finalize', false, []],
  )
  assert.deepEqual(await world.tree(space), [
    'document readme | Introduction',
    'group guides | Guides',
    '  document guides/setup | Set up',
    '    link https://example.com/support | Support',
  ])
  const content = await world.get(`/spaces/${space.id}/content`)
  assert.equal(content.id, operation.revision)
  assert.deepEqual(content.git, {
    oid: operation.commit,
    message: 'Commit 1',
    createdByGitBook: false,
    url: `https://git.example.com/acme/docs/commit/${operation.commit}`,
    ref: 'refs/heads/main',
  })
  const [picture] = content.files
  assert.deepEqual(
    [picture.name, picture.contentType, picture.size, picture.dimensions, picture.git.path],
    ['dot.png', 'image/png', PNG.length, { width: 3, height: 2 }, '.gitbook/assets/dot.png'],
  )
  const readme = await world.get(`/spaces/${space.id}/content/path/readme?format=markdown`)
  assert.equal(readme.markdown, '\ufeff# Welcome\r\n\r\nHello.  \r\n')
  const setup = await world.get(`/spaces/${space.id}/content/path/guides/setup`)
  assert.deepEqual(
    [setup.description, setup.layout.outline, setup.git.path],
    ['How to begin', false, 'guides/setup.md'],
  )
  const info = await world.get(`/spaces/${space.id}/git/info`)
  assert.deepEqual(
    [info.repoName, info.installationProvider, info.url],
    [repository.name.replace('.git', ''), 'github', 'https://git.example.com/acme/docs'],
  )
})

test('a file that came in can be downloaded', async () => {
  const { items } = await world.get(`/spaces/${example.space.id}/content/files`)
  const { pathname, search } = new URL(items[0].downloadURL)
  const reply = await world.app.inject({ method: 'GET', url: pathname + search })
  assert.equal(reply.statusCode, 200)
  assert.deepEqual(reply.rawPayload, PNG)
})

test('one commit more touches only what it changed, and a renamed page keeps its id', async () => {
  const { space, repository } = await world.copyOf(example)
  const before = flattenPages((await world.get(`/spaces/${space.id}/content/pages`)).pages)
  const first = (await world.get(`/spaces/${space.id}/content`)).id
  await repository.commit({
    changes: [
      { path: 'guides/setup.md', renamedTo: 'guides/install.md' },
      file('SUMMARY.md', SUMMARY.replace('setup.md', 'install.md')),
    ],
  })
  const operation = await world.import(space, repository)
  assert.equal(operation.state, 'success', operation.error)
  const after = flattenPages((await world.get(`/spaces/${space.id}/content/pages`)).pages)
  assert.deepEqual(
    after.map(page => page.id),
    before.map(page => page.id),
  )
  assert.equal(after.find(page => page.title === 'Set up').path, 'guides/install')
  const { items } = await world.get(`/spaces/${space.id}/revisions`)
  assert.deepEqual([items[0].type, items[0].parents], ['edits', [first]])
})

test('the same commit again makes no revision; with force it is read again and changes nothing', async () => {
  const { space, repository } = example
  const again = await world.import(space, repository)
  assert.deepEqual([again.state, again.skipped, again.revision], ['success', true, operation.revision])
  const forced = await world.import(space, repository, { force: true })
  assert.deepEqual([forced.state, forced.skipped, forced.revision], ['success', false, operation.revision])
  assert.equal((await world.get(`/spaces/${space.id}/revisions`)).count, 2)
})

test('an event older than the last one is recorded as skipped, unless it is forced', async () => {
  const space = await world.createSpace()
  const repository = await example.repository.copy('docs-events.git')
  await world.import(space, repository, { timestamp: '2030-01-02T00:00:00Z' })
  await repository.commit({ changes: [file('README.md', '# New')] })
  const old = await world.import(space, repository, { timestamp: '2030-01-01T00:00:00Z' })
  assert.deepEqual([old.state, old.skipped], ['success', true])
  assert.notEqual(
    (await world.get(`/spaces/${space.id}/content/path/readme?format=markdown`)).markdown,
    '# New',
  )
  const forced = await world.import(space, repository, { timestamp: '2030-01-01T00:00:00Z', force: true })
  assert.deepEqual([forced.state, forced.skipped], ['success', false])
  assert.equal((await world.get(`/spaces/${space.id}/content/path/readme?format=markdown`)).markdown, '# New')
  await repository.commit({ changes: [file('README.md', '# Newer')] })
  const later = await world.import(space, repository, { timestamp: '2030-01-01T12:00:00Z' })
  assert.equal(later.skipped, true, 'the newest event that was carried out counts')
})

test('a standalone import makes a revision beside the head', async () => {
  const space = await world.createSpace()
  const operation = await world.import(space, example.repository, { standalone: true })
  assert.equal(operation.state, 'success', operation.error)
  assert.deepEqual(await world.tree(space), [])
  const { pages } = await world.get(`/spaces/${space.id}/revisions/${operation.revision}/pages`)
  assert.equal(flattenPages(pages).length, 4)
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/info`)).status, 404)
})

test('a project directory is all that is seen, and one that is not there is named', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([
    file('docs/README.md', '# Docs'),
    file('other/README.md', '# Other'),
  ])
  await world.import(space, repository, { repoProjectDirectory: './docs/' })
  assert.deepEqual(await world.tree(space), ['document readme | Docs'])
  const operation = await world.import(space, repository, { repoProjectDirectory: 'manual' })
  assert.deepEqual([operation.state, operation.errorCode], ['failure', 'directory_missing'])
})

test('a failed import says why and leaves the space unchanged', async () => {
  const { space, repository } = example
  const before = await world.get(`/spaces/${space.id}/content`)
  const broken = await world.repository([file('SUMMARY.md', '* [Gone](gone.md)\n'), file('a.md', '# A')])
  const closed = await freePort()
  const cases: [string, object][] = [
    ['git_unauthorized', { url: `http://ada:wrong@127.0.0.1:${world.host.port}/${repository.name}` }],
    ['git_unauthorized', { url: `${world.host.url}/${repository.name}` }],
    ['git_unreachable', { url: `http://127.0.0.1:${closed}/docs.git` }],
    ['git_ref_missing', { ref: 'refs/heads/nowhere' }],
    ['git_repository_missing', { url: world.host.urlOf('none.git') }],
    ['summary_empty', { url: world.host.urlOf(broken.name) }],
    ['address_refused', { url: 'http://10.0.0.1/docs.git' }],
  ]
  for (const [code, body] of cases) {
    const operation = await world.import(space, repository, body)
    assert.deepEqual([operation.state, operation.errorCode], ['failure', code], operation.error)
    assert.ok(operation.error.length > 10 && operation.completedAt !== undefined)
  }
  assert.deepEqual((await world.get(`/spaces/${space.id}/content`)).id, before.id)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>(resolve => server.close(() => resolve()))
  return port
}

test('a password is in no row, answer or message', async () => {
  const { space, repository } = example
  await world.import(space, repository, { ref: 'nowhere' })
  const { db } = world.services
  const rows = [
    ...(await db.selectFrom('git_operations').selectAll().where('space_id', '=', space.id).execute()),
    ...(await db.selectFrom('git_links').selectAll().where('space_id', '=', space.id).execute()),
    ...(await db.selectFrom('events').selectAll().where('space_id', '=', space.id).execute()),
    ...(await db.selectFrom('revisions').selectAll().where('space_id', '=', space.id).execute()),
    await world.get(`/spaces/${space.id}/git/operations`),
    await world.get(`/spaces/${space.id}/git/info`),
  ]
  const refused = await world.call('POST', `/spaces/${space.id}/git/import`, {
    body: { url: `ftp://ada:${PASSWORD}@host/x`, ref: 'main' },
  })
  const text = JSON.stringify([rows, refused.text])
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), 'ada:'])
    assert.ok(!text.includes(secret), secret)
})

test('operations are listed newest first and read one by one, by members only', async () => {
  const space = await world.createSpace({ visibility: 'public' })
  const url = 'http://10.0.0.1/docs.git'
  await world.import(space, example.repository, { url })
  const newest = await world.import(space, example.repository, { url })
  const { items, count } = await world.get(`/spaces/${space.id}/git/operations?limit=1`)
  assert.deepEqual([count, items.length, items[0].id], [2, 1, newest.id])
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/operations/${items[0].id}`)).status, 200)
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/operations/unknown`)).status, 404)
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/operations`, { as: 'read' })).status, 200)
  assert.equal(
    (await world.call('GET', `/spaces/${space.id}/git/operations`, { as: 'stranger' })).status,
    403,
  )
})

test('importing needs the right to it, and a sound request', async () => {
  const space = await world.createSpace()
  const body = { url: 'https://example.com/docs.git', ref: 'main' }
  const start = async (change: object, as: 'create' | 'review' | 'stranger' | null = 'create') =>
    (await world.call('POST', `/spaces/${space.id}/git/import`, { body: { ...body, ...change }, as })).status
  assert.equal(await start({}, null), 401)
  assert.equal(await start({}, 'stranger'), 404)
  assert.equal(await start({}, 'review'), 403)
  for (const wrong of [
    { url: undefined },
    { url: 'file:///etc' },
    { url: 'ssh://git@host/x.git' },
    { url: 'ext::sh -c id' },
    { url: '--upload-pack=touch /tmp/x' },
    { ref: undefined },
    { ref: '--all' },
    { ref: 'a..b' },
    { ref: 'refs/heads/a:refs/heads/b' },
    { repoProjectDirectory: '../x' },
    { repoProjectDirectory: 'a/../../x' },
    { repoProjectDirectory: 'a\u0000b' },
    { repoCommitURL: 'javascript:alert(1)' },
    { repoTreeURL: 'nothing' },
    { gitInfo: { url: 'javascript:alert(1)' } },
    { gitInfo: { provider: 'sourcehut' } },
    { timestamp: 'yesterday' },
    { force: 'yes' },
    { standalone: 1 },
  ])
    assert.equal(await start(wrong), 400, JSON.stringify(wrong))
  assert.equal((await world.get(`/spaces/${space.id}/git/operations`)).count, 0)
})

test('a space with no repository has no git info', async () => {
  const space = await world.createSpace()
  const { status, body } = await world.call('GET', `/spaces/${space.id}/git/info`)
  assert.deepEqual([status, body.error.code], [404, 404])
})
