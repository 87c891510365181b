import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { importWorld } from '../../test/support/imports.ts'
import { zipOf } from '../../test/support/zip.ts'
import { Failure } from '../base/errors.ts'
import { checkImport } from './check-import.ts'
import { importInto, titleOf } from './import.ts'
import { isRepository } from './source.ts'

const w = await importWorld()

test('an address is a repository, whatever its protocol; everything else is a folder', () => {
  for (const source of [
    'https://h/a.git',
    'HTTP://h/a',
    'ssh://git@h/a',
    'git@github.com:a/b.git',
    'file:///a',
  ])
    assert.equal(isRepository(source), true, source)
  for (const source of ['/a/b', '.', 'docs', '../a@b/c', 'C:\\docs', 'a:b'])
    assert.equal(isRepository(source), false, source)
})

test('a new space is titled after the repository or folder, and never after a password', () => {
  const expected: [string, string][] = [
    ['https://host/team/guide.git', 'guide'],
    ['https://host/team/guide/', 'guide'],
    ['https://host/team/user%20guide.git', 'user guide'],
    ['https://host/team/100%.git', '100%'],
    ['https://ada:secret@host', 'Imported'],
    ['/home/ada/Handbook', 'Handbook'],
    ['/', 'Imported'],
  ]
  for (const [source, title] of expected) assert.equal(titleOf(source), title, source)
})

test('a long name is cut between characters, to what a title may be', () => {
  const title = titleOf(`/home/${'a'.repeat(49)}\u{1f4d8}\u{1f4d8}`)
  assert.equal(title, 'a'.repeat(49))
})

async function findClosedPort(): Promise<number> {
  const server = createServer()
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    }),
  )
}

test('what cannot be imported is refused with its reason and leaves no space', async () => {
  const repository = await w.repository([{ path: 'README.md', content: '# Guide\n' }])
  const address = w.host.urlOf(repository.name)
  const refused: [{ source: string; ref?: string; title?: string; space?: string }, RegExp][] = [
    [{ source: '/nowhere/at/all' }, /There is no folder "\/nowhere\/at\/all"/],
    [{ source: address.replace('ada', 'eve') }, /refused the user and password/],
    [{ source: `http://127.0.0.1:${await findClosedPort()}/guide.git` }, /127\.0\.0\.1/],
    [{ source: address, ref: 'gone' }, /gone/],
    [{ source: 'git@example.com:team/guide.git' }, /https?:\/\//],
    [{ source: 'ssh://git@example.com/team/guide.git' }, /http:\/\/ or https:\/\//],
    [{ source: address, title: 'x'.repeat(51) }, /--title: at most 50/],
    [{ source: address, space: 'nonsense' }, /There is no such space/],
  ]
  for (const [options, message] of refused) {
    const order = { ref: 'HEAD', organization: w.organizationId, ...options }
    await assert.rejects(
      importInto(w.services, order, { emit: () => {}, signal: new AbortController().signal }),
      (error: unknown) =>
        error instanceof Failure && message.test(error.message) && !/p@ss|p%40ss/.test(error.message),
      options.source,
    )
  }
  assert.deepEqual((await w.get(`/orgs/${w.organizationId}/spaces`)).items, [])
})

test('documentation of another tool, in a folder or an archive, becomes a space in its order, with what was left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-foreign-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const files = {
    'mkdocs.yml': 'nav:\n  - Home: index.md\n  - Setup: setup.md\n  - none.md\n',
    'docs/index.md': '# Welcome\n\n![Dot](dot.png) and [set up](setup.md).\n',
    'docs/setup.md': '# Set up\n\n!!! note\n    Mind this.\n',
    'docs/dot.png': 'png',
  }
  const archive = join(folder, 'site.zip')
  writeFileSync(archive, zipOf(Object.entries(files).map(([path, text]) => ({ path: `site/${path}`, text }))))
  mkdirSync(join(folder, 'site/docs'), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, 'site', path), text)
  for (const source of [archive, join(folder, 'site')]) {
    const context = { emit: () => {}, signal: new AbortController().signal }
    const order = { ref: 'HEAD', organization: w.organizationId, source }
    const { space, layout, problems } = await importInto(w.services, order, context)
    assert.equal(layout, 'mkdocs')
    assert.deepEqual(problems, ['mkdocs.yml: “none.md” is in “nav” but is not a page.'])
    assert.deepEqual(await w.tree({ id: space }), ['document readme | Home', 'document setup | Setup'])
    const { pages } = await w.get(`/spaces/${space}/content/pages`)
    const { markdown } = await w.get(`/spaces/${space}/content/page/${pages[1].id}?format=markdown`)
    assert.match(markdown, /\{% hint style="info" %\}\nMind this\.\n\{% endhint %\}/)
    assert.equal((await w.get(`/spaces/${space}/content/files`)).count, 1)
  }
  const wrong = { ref: 'HEAD', organization: w.organizationId, source: archive, from: 'wiki' }
  await assert.rejects(
    importInto(w.services, wrong, { emit: () => {}, signal: new AbortController().signal }),
    {
      code: 'format_unknown',
    },
  )
})

test('documentation in a directory of a repository or a folder is imported by its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-within-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'docs/guide'), { recursive: true })
  writeFileSync(join(folder, 'README.md'), '# Code\n')
  writeFileSync(join(folder, 'docs/guide/README.md'), '# Guide\n')
  const repository = await w.repository([
    { path: 'README.md', content: '# Code\n' },
    { path: 'docs/guide/README.md', content: '# Guide\n' },
  ])
  const context = { emit: () => {}, signal: new AbortController().signal }
  for (const source of [folder, w.host.urlOf(repository.name)])
    for (const directory of ['docs/guide', './docs/guide/']) {
      const order = { ref: 'HEAD', organization: w.organizationId, source, directory }
      const { space } = await importInto(w.services, order, context)
      assert.deepEqual(await w.tree({ id: space }), ['document readme | Guide'])
    }
  const outside = { ref: 'HEAD', organization: w.organizationId, source: folder, directory: '../other' }
  await assert.rejects(importInto(w.services, outside, context), { code: 'project_directory_invalid' })
})

test('a check says what an import would make of a repository, a folder or an archive, and makes no space', async () => {
  const before = (await w.get(`/orgs/${w.organizationId}/spaces?limit=1000`)).items.length
  const context = { emit: () => {}, signal: new AbortController().signal }
  const folder = mkdtempSync(join(tmpdir(), 'octavo-check-'))
  try {
    writeFileSync(join(folder, 'mkdocs.yml'), 'nav:\n  - Home: index.md\n  - none.md\n')
    mkdirSync(join(folder, 'docs'))
    writeFileSync(join(folder, 'docs', 'index.md'), '# Home\n')
    const converted = {
      pages: 1,
      files: 0,
      layout: 'mkdocs',
    }
    const { problems, ...counts } = await checkImport(w.services, { source: folder, ref: 'HEAD' }, context)
    assert.deepEqual(counts, converted)
    assert.deepEqual(
      problems.map(({ file, message }) => [file, message]),
      [['mkdocs.yml', '“none.md” is in “nav” but is not a page.']],
    )
    const zip = join(folder, 'guide.zip')
    writeFileSync(zip, zipOf([{ path: 'README.md', text: '# Guide\n' }]))
    const plain = { pages: 1, files: 0, layout: 'gitbook', problems: [] }
    assert.deepEqual(await checkImport(w.services, { source: zip, ref: 'HEAD' }, context), plain)
  } finally {
    rmSync(folder, { recursive: true })
  }
  const repository = await w.repository([{ path: 'docs/README.md', content: '# Guide\n' }])
  const source = w.host.urlOf(repository.name)
  const ofRepository = await checkImport(w.services, { source, ref: 'HEAD', directory: 'docs' }, context)
  assert.deepEqual([ofRepository.pages, ofRepository.layout], [1, 'gitbook'])
  assert.equal((await w.get(`/orgs/${w.organizationId}/spaces?limit=1000`)).items.length, before)
})
