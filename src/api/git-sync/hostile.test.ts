// What repositories try that nobody should have to read: each is refused or bounded, and the space stays sound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import { importFiles } from '../../../test/support/pages.ts'
import {
  type CraftedEntry,
  commitTree,
  createRepository,
  writeBlob,
  writeTree,
} from '../../../test/support/repositories.ts'
import type { Failure } from '../../base/errors.ts'
import { type ImportOutcome, importRepository } from './import.ts'
import { HELD_BYTES_MAX } from './sources.ts'

const world = await importWorld()
const codes = ({ problems }: Pick<ImportOutcome, 'problems'>) => problems.map(({ code }) => code).sort()

test('a SUMMARY.md that climbs out of the repository names no file', async () => {
  const space = await world.createSpace()
  const climbing = '* [A](a.md)\n* [B](../../../../etc/passwd)\n* [C](/../b.md)\n* [D](..%2f..%2fc.md)\n'
  const outcome = await importFiles(world, space.id, { 'SUMMARY.md': climbing, 'a.md': '# A' })
  assert.deepEqual(await world.tree(space), [
    'document a | A',
    'document b | B',
    'document c | C',
    'document d | D',
  ])
  assert.deepEqual(codes(outcome), ['path_outside', 'path_outside', 'path_outside'])
})

test('links and submodules are not followed, and names that git itself never makes are left out', async () => {
  const space = await world.createSpace()
  const repository = await createRepository(world.root, 'crafted.git')
  const oid = await writeBlob(repository, '# Hello')
  const blob = (name: string | Buffer) => ({ mode: '100644', name, oid })
  const link = async (name: string, to: string) => ({
    ...{ mode: '120000', name, oid: await writeBlob(repository, to) },
  })
  const folder = async (name: string, entry: CraftedEntry) => ({
    ...{ mode: '40000', name, oid: await writeTree(repository, [entry]) },
  })
  const key = await link('key.png', '../../../../root/.ssh/id_rsa')
  const tree = await writeTree(repository, [
    await folder('..', blob('config')),
    await folder('.git', blob('config')),
    await folder('.gitbook', await folder('assets', key)),
    await link('.gitbook.yaml', 'README.md'),
    blob('README.md'),
    blob('a/../../b.md'),
    blob(Buffer.from([0x66, 0xff, 0x2e, 0x6d, 0x64])),
    await link('passwd.md', '/etc/passwd'),
    blob('tab\there.md'),
    blob('twice.md'),
    blob('twice.md'),
    { mode: '160000', name: 'vendor', oid: '1'.repeat(40) },
  ])
  await commitTree(repository, tree)
  const operation = await world.import(space, repository)
  assert.equal(operation.state, 'success', operation.error)
  assert.deepEqual(await world.tree(space), ['document readme | Hello', 'document twice | Hello'])
  assert.deepEqual(codes(operation), [
    ...Array(6).fill('name_skipped'),
    ...['submodule_skipped', 'symlink_skipped', 'symlink_skipped', 'symlink_skipped'],
  ])
  assert.equal((await world.get(`/spaces/${space.id}/content/files`)).count, 0)
})

test('names in every script, with signs of every kind, are pages with addresses that work', async () => {
  const space = await world.createSpace()
  const names = [
    '快速入门.md',
    'Ünïcödé.md',
    'e\u0301.md',
    "it's (a) name.md",
    '100%25.md',
    'a b+c&d=e#f.md',
    '🚀.md',
    'q?x.md',
  ]
  await importFiles(world, space.id, Object.fromEntries(names.map(name => [name, `# ${name}`])))
  const { pages } = await world.get(`/spaces/${space.id}/content/pages`)
  assert.equal(pages.length, names.length)
  for (const { path, git } of pages) {
    const page = await world.get(
      `/spaces/${space.id}/content/path/${encodeURIComponent(path)}?format=markdown`,
    )
    assert.equal(page.markdown, `# ${git.path}`)
  }
})

test('pages that are no UTF-8, hold NUL or nothing at all come in, and every byte that is text comes back', async () => {
  const space = await world.createSpace()
  const outcome = await importFiles(world, space.id, {
    'SUMMARY.md': '* [L](latin.md)\n* [N](nul.md)\n* [E](empty.md)\n* [W](wide.md)\n',
    'latin.md': Buffer.from('# Caf\xe9', 'latin1'),
    'nul.md': '# N\u0000ul\n',
    'empty.md': '',
    'wide.md': Buffer.from('\ufeff# Wide', 'utf16le'),
  })
  assert.deepEqual(codes(outcome), ['encoding_invalid', 'encoding_invalid'])
  const read = async (path: string) =>
    (await world.get(`/spaces/${space.id}/content/path/${path}?format=markdown`)).markdown
  assert.equal(await read('latin'), '# Caf\ufffd')
  assert.equal(await read('nul'), '# N\u0000ul\n')
  assert.equal(await read('empty'), '')
})

test('files beyond the bound are left out and named, those within it come in', async () => {
  const space = await world.createSpace()
  const services = { ...world.services, config: { ...world.services.config, fileBytesMax: 1_000 } }
  const outcome = await importFiles({ ...world, services }, space.id, {
    'README.md': '# Hello',
    'small.zip': Buffer.alloc(1_000),
    'large.zip': Buffer.alloc(1_001),
  })
  assert.deepEqual(
    outcome.problems.map(problem => [problem.code, problem.file]),
    [['file_too_large', 'large.zip']],
  )
  assert.equal(outcome.files, 1)
})

test('a file too large to be held is streamed into the blob store', async () => {
  const space = await world.createSpace()
  const bytes = Buffer.alloc(HELD_BYTES_MAX + 1, 'octavo ')
  await importFiles(world, space.id, { 'README.md': '# Hello', 'film.mp4': bytes })
  const { items } = await world.get(`/spaces/${space.id}/content/files`)
  assert.deepEqual([items[0].size, items[0].contentType], [bytes.length, 'video/mp4'])
  const { pathname, search } = new URL(items[0].downloadURL)
  const { rawPayload } = await world.app.inject({ method: 'GET', url: pathname + search })
  assert.ok(rawPayload.equals(bytes))
})

test('files beyond the bound are refused with the way out, and a directory of them can be imported', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([
    ...Array.from({ length: 100 }, (_, at) => file(`src/${at % 10}/${at}.txt`, 'x')),
    file('docs/README.md', '# Docs'),
  ])
  const services = { ...world.services, config: { ...world.services.config, repositoryFilesMax: 100 } }
  const from = { spaceId: space.id, url: world.host.urlOf(repository.name), createdBy: null }
  await assert.rejects(importRepository(services, from), (error: Failure) => {
    assert.equal(error.code, 'too_many_files')
    assert.match(error.message, /more than 100 files.*repoProjectDirectory/)
    return true
  })
  await importRepository(services, { ...from, projectDirectory: 'docs' })
  assert.deepEqual(await world.tree(space), ['document readme | Docs'])
})

test('a redirect, to a private address or anywhere, is not followed', async () => {
  const space = await world.createSpace()
  const repository = await world.repository()
  world.host.misbehave({ kind: 'redirect', to: 'http://169.254.169.254' })
  try {
    const operation = await world.import(space, repository)
    assert.deepEqual([operation.state, operation.errorCode], ['failure', 'git_redirect_refused'])
  } finally {
    world.host.misbehave(undefined)
  }
})
