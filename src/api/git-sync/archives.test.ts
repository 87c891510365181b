// Archives that are sent to be imported.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import type { PersonName } from '../../../test/support/world.ts'
import { type ZipEntry, zipOf } from '../../../test/support/zip.ts'
import { receiveArchive } from './archives.ts'

const w = await importWorld()

const SITE: readonly ZipEntry[] = [
  { path: 'site/mkdocs.yml', text: 'nav:\n  - Home: index.md\n  - Setup: setup.md\n  - none.md\n' },
  { path: 'site/docs/index.md', text: '# Welcome\n\n![Dot](dot.png) and [set up](setup.md).\n' },
  { path: 'site/docs/setup.md', text: '# Set up\n\n!!! note\n    Mind this.\n' },
  { path: 'site/docs/dot.png', text: 'png' },
]

async function send(
  space: { id: string },
  bytes: Uint8Array,
  { as = 'admin', query = '', key }: { as?: PersonName; query?: string; key?: string } = {},
) {
  const answer = await w.app.inject({
    method: 'PUT',
    url: `/v1/spaces/${space.id}/git/archive${query}`,
    headers: {
      authorization: `Bearer ${w.people[as].token}`,
      'content-type': 'application/zip',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: Buffer.from(bytes),
  })
  const { statusCode: status, headers, payload: text } = answer
  return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
}
const received = () => readdir(join(w.config.home, 'archives'))

test('an archive in the layout of another tool becomes a space, and its operation says what was left out', async () => {
  const space = await w.createSpace()
  const operation = await w.operation((await send(space, zipOf(SITE))) as never)
  assert.equal(operation.state, 'success', operation.error)
  assert.equal(operation.layout, 'mkdocs')
  assert.deepEqual(operation.problems, [
    {
      code: 'not_converted',
      message: '“none.md” is in “nav” but is not a page.',
      values: { reason: 'nav_no_page', name: 'none.md' },
      file: 'mkdocs.yml',
    },
  ])
  assert.deepEqual(await w.tree(space), ['document readme | Home', 'document setup | Setup'])
  assert.equal((await w.get(`/spaces/${space.id}/content/files`)).count, 1)
  assert.deepEqual(await received(), [], 'nothing of it stays')
  const { body: listed } = await w.call('GET', `/spaces/${space.id}/git/operations`)
  assert.equal(listed.items[0].id, operation.id)
})

test('an archive that is sent twice under one key is imported once, and one that was refused frees the key', async () => {
  const space = await w.createSpace()
  const key = `archive of ${space.id}`
  assert.equal((await send(space, Buffer.from('no archive'), { key })).status, 400)
  const [first, second] = [await send(space, zipOf(SITE), { key }), await send(space, zipOf(SITE), { key })]
  assert.deepEqual([first.status, second.status], [204, 204])
  assert.equal(second.headers.location, first.headers.location)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.equal((await w.operation(first as never)).state, 'success')
  const other = await send(space, zipOf(SITE.slice(1)), { key })
  assert.equal(other.status, 409)
  assert.match(other.body.error.message, /this key belongs to another request/)
  assert.equal((await w.get(`/spaces/${space.id}/git/operations`)).count, 1)
  assert.deepEqual(await received(), [])
})

test('archives in an archive, as Notion gives an export, are read as one, and nothing of them stays', async () => {
  const id = '0123456789abcdef0123456789abcdef'
  const part = (...entries: ZipEntry[]) => zipOf(entries)
  const parts: ZipEntry[] = [
    { path: 'Export-Part-1.zip', text: part({ path: `Export/Home ${id}.md`, text: '# Home\n' }) },
    {
      path: 'Export-Part-2.zip',
      text: part({ path: `Export/Home ${id}/Next ${id.replace('0', 'f')}.md`, text: '# Next\n' }),
    },
  ]
  const space = await w.createSpace()
  const operation = await w.operation((await send(space, zipOf(parts))) as never)
  assert.equal(operation.state, 'success', operation.error)
  assert.equal(operation.layout, 'notion')
  assert.deepEqual(await w.tree(space), ['document home | Home', '  document home/next | Next'])
  assert.deepEqual(await received(), [])

  const broken = [parts[0] as ZipEntry, { path: 'Export-Part-2.zip', text: 'PK' }]
  const nested = [{ path: 'all.zip', text: zipOf(parts) }]
  for (const [entries, code] of [
    [broken, 'archive_invalid'],
    [nested, 'archive_of_archives'],
  ] as const) {
    const failed = await w.operation((await send(await w.createSpace(), zipOf(entries))) as never)
    assert.equal(failed.errorCode, code)
    assert.deepEqual(await received(), [])
  }
})

test('the layout that is named decides, and one that nobody knows is refused', async () => {
  const plain = [
    { path: 'SUMMARY.md', text: '* [Two](src/two.md)\n' },
    { path: 'book.toml', text: '' },
    { path: 'src/SUMMARY.md', text: '* [One](one.md)\n' },
    { path: 'src/one.md', text: '# One\n' },
    { path: 'src/two.md', text: '# Two\n' },
  ]
  const space = await w.createSpace()
  const operation = await w.operation((await send(space, zipOf(plain), { query: '?from=mdbook' })) as never)
  assert.equal(operation.state, 'success', operation.error)
  assert.equal(operation.layout, 'mdbook')
  assert.deepEqual(await w.tree(space), ['document one | One'])
  assert.equal((await send(space, zipOf(plain), { query: '?from=wiki' })).status, 400)
})

test('an operation says that Markdown of no known layout was read as it is, also where it failed', async () => {
  const space = await w.createSpace()
  const read = await w.operation((await send(space, zipOf([{ path: 'a.md', text: '# A\n' }]))) as never)
  assert.deepEqual([read.state, read.layout], ['success', 'gitbook'])
  const wrong = [{ path: '.gitbook.yaml', text: 'structure:\n  summary: none.md\n' }]
  const failed = await w.operation((await send(space, zipOf(wrong))) as never)
  assert.deepEqual([failed.state, failed.layout], ['failure', 'gitbook'])
})

test('a body that is not an archive is refused at once, a corrupt archive fails its operation, and neither is kept', async () => {
  const space = await w.createSpace()
  const refused = await send(space, Buffer.from('no archive at all'))
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /^The archive cannot be read/)
  assert.equal((await send(space, new Uint8Array())).status, 400)
  assert.deepEqual((await w.get(`/spaces/${space.id}/git/operations`)).items, [])
  const bomb = zipOf([{ path: 'README.md', text: 'x'.repeat(20_000), claimedBytes: 10 }])
  const operation = await w.operation((await send(space, bomb)) as never)
  assert.deepEqual([operation.state, operation.errorCode], ['failure', 'archive_invalid'])
  assert.deepEqual(await received(), [])
})

test('who may not import a repository may not send an archive', async () => {
  const space = await w.createSpace()
  assert.equal((await send(space, zipOf(SITE), { as: 'edit' })).status, 403)
  assert.equal((await send(space, zipOf(SITE), { as: 'stranger' })).status, 404)
})

test('an archive has the bounds of a repository, and one person sends a few at once', async () => {
  const small = Object.assign(Object.create(w.services), {
    config: { ...w.config, repositoryBytesMax: 30 },
  })
  const bytes = zipOf(SITE)
  const incoming = () => ({
    bytes: (async function* () {
      yield bytes
    })(),
    size: undefined,
    contentType: undefined,
  })
  await assert.rejects(receiveArchive(small, 'one', incoming()), { code: 'blob_too_large' })
  await assert.rejects(receiveArchive(small, 'one', { ...incoming(), size: 31 }), { code: 'blob_too_large' })
  const [first, second] = [
    await receiveArchive(w.services, 'one', incoming()),
    await receiveArchive(w.services, 'one', incoming()),
  ]
  await assert.rejects(receiveArchive(w.services, 'one', incoming()), { code: 'archives_busy' })
  await first.discard()
  const third = await receiveArchive(w.services, 'one', incoming())
  for (const archive of [second, third]) await archive.discard()
  assert.deepEqual(await received(), [])
})

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`

test('symbolic links and pointers of Git LFS in an archive are named, whatever its layout', async () => {
  const odd: ZipEntry[] = [
    { path: 'more.md', text: 'README.md', isLink: true },
    { path: 'docs/a.png', text: POINTER },
  ]
  for (const entries of [
    [{ path: 'README.md', text: '# Home\n' }, ...odd],
    [...SITE.map(within), ...odd],
  ]) {
    const operation = await w.operation((await send(await w.createSpace(), zipOf(entries))) as never)
    const named = (operation.problems as { code: string; file: string }[]).filter(
      ({ code }) => code !== 'not_converted' && code !== 'pages_unlisted',
    )
    assert.deepEqual(named.map(({ code, file }) => [code, file.split('/').at(-1)]).sort(), [
      ['lfs_pointer', 'a.png'],
      ['symlink_skipped', 'more.md'],
    ])
  }
})

const within = ({ path, text }: ZipEntry): ZipEntry => ({ path: path.replace('site/', ''), text })

test('a pointer of Git LFS is named by each import of a repository that has it', async () => {
  const space = await w.createSpace()
  const repository = await w.repository([file('README.md', '# Home\n'), file('a.png', POINTER)])
  const codes = async () =>
    (await w.import(space, repository)).problems.map(({ code }: { code: string }) => code)
  assert.deepEqual(await codes(), ['lfs_pointer'])
  await repository.commit({ changes: [file('README.md', '# Home\n\nNew.\n')] })
  assert.deepEqual(await codes(), ['lfs_pointer'])
})

test('an archive is imported from a directory in it, with or without a folder around everything', async () => {
  const pages = (start: string): ZipEntry[] => [
    { path: `${start}docs/guide/README.md`, text: '# Guide\n' },
    { path: `${start}docs/guide/a.md`, text: '# A\n' },
  ]
  const query = '?repoProjectDirectory=docs%2Fguide'
  for (const entries of [
    pages(''),
    pages('project/'),
    [...pages(''), { path: 'README.md', text: '# Top\n' }],
  ]) {
    const space = await w.createSpace()
    const operation = await w.operation((await send(space, zipOf(entries), { query })) as never)
    assert.equal(operation.state, 'success', operation.error)
    assert.deepEqual(await w.tree(space), ['document readme | Guide', 'document a | A'])
  }
  const missing = await send(await w.createSpace(), zipOf(pages('')), { query: '?repoProjectDirectory=none' })
  assert.equal((await w.operation(missing as never)).errorCode, 'directory_missing')
})
