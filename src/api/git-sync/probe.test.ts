// Looking at a repository before it is imported.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { test } from 'node:test'
import { file, importWorld, PASSWORD } from '../../../test/support/imports.ts'
import type { Call } from '../../../test/support/world.ts'
import { probesFolder } from './probe.ts'
import { suggestRoots } from './roots.ts'

const w = await importWorld()

const probe = (body: object, call: Call = {}) =>
  w.call('POST', `/orgs/${w.organizationId}/git/probe`, { body, ...call })

const GUIDE = () => [
  file('README.md', '# Welcome\n\nHello.\n'),
  file('setup.md', '# Set up\n'),
  file('SUMMARY.md', '* [Home](README.md)\n* [Gone](gone.md)\n'),
]
const MKDOCS = () => [
  file('mkdocs.yml', 'nav:\n  - Home: index.md\n  - none.md\n'),
  file('docs/index.md', '# Welcome\n\n!!! note\n    Mind this.\n'),
]

test('a repository says its branches, the default one first, before anything of it is fetched', async () => {
  const repository = await w.repository(GUIDE())
  await repository.commit({ ref: 'refs/heads/another', changes: GUIDE() })
  const { status, body, text } = await probe({ repositoryUrl: w.host.urlOf(repository.name) })
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.object, body.defaultBranch, body.ref, body.branches, body.hasMoreBranches],
    ['git-probe', 'refs/heads/main', 'refs/heads/main', ['refs/heads/main', 'refs/heads/another'], false],
  )
  assert.equal(body.commit, await repository.tip())
  assert.equal(body.content, undefined)
  assert.equal(text.includes('ada'), false, 'no user and no password')
})

test('with deep it says what an import has then, and nothing stays of it', async () => {
  const repository = await w.repository(GUIDE())
  const { status, body, text } = await probe({ repositoryUrl: w.host.urlOf(repository.name), deep: true })
  assert.equal(status, 200, text)
  const { root, layout, pages, files, problems } = body.content
  const space = await w.createSpace()
  const operation = await w.import(space, repository)
  // Only what is imported has a page.
  const withoutPages = operation.problems.map(({ page: _, ...problem }: { page?: string }) => problem)
  assert.deepEqual(problems, withoutPages)
  assert.deepEqual(
    problems.map(({ code }: { code: string }) => code),
    ['pages_unlisted', 'page_missing'],
  )
  assert.deepEqual([root, layout, files], ['', 'gitbook', 0])
  assert.equal(pages, (await w.tree(space)).length)
  assert.deepEqual(existsSync(probesFolder(w.config)) ? readdirSync(probesFolder(w.config)) : [], [])
})

test('the layout of another tool is named with what cannot be carried over, and an import converts it when told to', async () => {
  const repository = await w.repository(MKDOCS().map(one => ({ ...one, path: `site/${one.path}` })))
  const { body, text } = await probe({ repositoryUrl: w.host.urlOf(repository.name), deep: true })
  assert.deepEqual(
    [body.content?.layout, body.content?.root, body.content?.pages],
    ['mkdocs', 'site', 1],
    text,
  )
  const notConverted = [
    {
      code: 'not_converted',
      message: '“none.md” is in “nav” but is not a page.',
      values: { reason: 'nav_no_page', name: 'none.md' },
      file: 'mkdocs.yml',
    },
  ]
  assert.deepEqual(body.content.problems, notConverted)

  const space = await w.createSpace()
  const from = { from: 'mkdocs', repoProjectDirectory: 'site' }
  const operation = await w.import(space, repository, from)
  assert.deepEqual(
    [operation.state, operation.layout, operation.problems],
    ['success', 'mkdocs', notConverted],
  )
  assert.deepEqual(await w.tree(space), ['document readme | Home'])
  const { status } = await w.call('GET', `/spaces/${space.id}/git/info`)
  assert.equal(status, 404, 'the space is not connected with it')

  await repository.commit({ changes: [file('site/docs/next.md', '# Next\n')] })
  assert.equal((await w.import(space, repository, from)).state, 'success')
  const tree = await w.tree(space)
  assert.ok(tree.join().includes('| Next'), 'a later import takes what is new')
})

test('a directory of the repository is looked at when the request names it', async () => {
  const repository = await w.repository([...GUIDE(), file('other/a.md', '# A\n')])
  const url = w.host.urlOf(repository.name)
  const { body } = await probe({ repositoryUrl: url, root: 'other', deep: true })
  assert.deepEqual([body.content.root, body.content.pages, body.content.roots], ['other', 1, undefined])
  const missing = await probe({ repositoryUrl: url, root: 'nowhere', deep: true })
  assert.deepEqual([missing.status, missing.body.error.reason], [400, 'directory_missing'])
})

test('roots are where a configuration or a table of contents is, then usual names, then the top', () => {
  const paths = [
    'README.md',
    'docs/a.md',
    'src/a.ts',
    'site/SUMMARY.md',
    'site/b.md',
    '.github/docs/SUMMARY.md',
  ]
  assert.deepEqual(
    suggestRoots(paths).map(({ path, markdownFiles }) => [path, markdownFiles]),
    [
      ['site', 2],
      ['docs', 1],
      ['', 5],
    ],
  )
})

test('a private repository is read with credentials beside its address or in it, and refused without', async () => {
  const repository = await w.repository(GUIDE())
  const repositoryUrl = `${w.host.url}/${repository.name}`
  const without = await probe({ repositoryUrl })
  assert.deepEqual([without.status, without.body.error.reason], [400, 'git_unauthorized'])
  const wrong = await probe({ repositoryUrl, credentials: { username: 'ada', password: 'not-this-one' } })
  assert.deepEqual([wrong.status, wrong.body.error.reason], [400, 'git_unauthorized'])
  assert.equal(wrong.text.includes('not-this-one'), false)
  const right = await probe({
    repositoryUrl,
    credentials: { username: 'ada', password: PASSWORD },
    deep: true,
  })
  assert.equal(right.status, 200, right.text)
  assert.equal(right.body.url, repositoryUrl)
})

test('who may create content in the organization may look, and nobody else', async () => {
  const repository = await w.repository(GUIDE())
  const body = { repositoryUrl: w.host.urlOf(repository.name) }
  const statuses = async (...people: NonNullable<Call['as']>[]) =>
    Promise.all(people.map(async as => (await probe(body, { as })).status))
  assert.deepEqual(await statuses('create', 'admin'), [200, 200])
  assert.deepEqual(await statuses('edit', 'read', 'stranger'), [403, 403, 404])
  assert.equal((await probe(body, { as: null })).status, 401)
})

test('what is no address of a repository is refused, and a private network is not asked', async () => {
  const reasonOf = async (body: object) => {
    const { status, body: answer } = await probe(body)
    return [status, answer.error.reason]
  }
  assert.deepEqual(await reasonOf({ repositoryUrl: 'file:///etc' }), [400, 'git_url_invalid'])
  assert.deepEqual(await reasonOf({ repositoryUrl: 'https://10.0.0.1/a.git' }), [400, 'address_refused'])
  assert.deepEqual(await reasonOf({ repositoryUrl: 'https://a.example/', ref: '../x' }), [
    400,
    'git_ref_invalid',
  ])
  const outside = { repositoryUrl: 'https://a.example/', root: '../..' }
  assert.deepEqual(await reasonOf(outside), [400, 'project_directory_invalid'])
  assert.equal((await probe({})).status, 400)
  const empty = await w.repository()
  const repositoryUrl = w.host.urlOf(empty.name)
  assert.deepEqual(await reasonOf({ repositoryUrl }), [400, 'git_repository_empty'])
  const some = w.host.urlOf((await w.repository(GUIDE())).name)
  assert.deepEqual(await reasonOf({ repositoryUrl: some, ref: 'nowhere' }), [400, 'git_ref_missing'])
})

test('a repository that vanishes, and a host that fails or sends something else, say so', async () => {
  const repository = await w.repository(GUIDE())
  const body = { repositoryUrl: w.host.urlOf(repository.name), deep: true }
  assert.equal((await probe(body)).status, 200)
  await rename(repository.directory, `${repository.directory}.gone`)
  const gone = await probe(body)
  assert.deepEqual([gone.status, gone.body.error.reason], [400, 'git_repository_missing'])
  await rename(`${repository.directory}.gone`, repository.directory)
  try {
    w.host.misbehave({ kind: 'status', status: 500 })
    const failed = await probe(body)
    assert.deepEqual([failed.status, failed.body.error.reason], [503, 'git_host_failed'])
    w.host.misbehave({ kind: 'status', status: 200, body: '<h1>Hello</h1>', contentType: 'text/html' })
    const page = await probe(body)
    assert.deepEqual([page.status, page.body.error.reason], [400, 'git_repository_missing'])
    w.host.misbehave({ kind: 'cut', afterBytes: 40 })
    const cut = await probe(body)
    assert.deepEqual([cut.status, cut.body.error.reason], [503, 'git_interrupted'])
  } finally {
    w.host.misbehave(undefined)
  }
})

test('one person looks at a few repositories at once, and the next one is told to wait', async () => {
  const repository = await w.repository(GUIDE())
  const body = { repositoryUrl: w.host.urlOf(repository.name) }
  const replies = await Promise.all(Array.from({ length: 6 }, () => probe(body)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 429, 429, 429])
  assert.equal((await probe(body)).status, 200, 'places are given back')
})
