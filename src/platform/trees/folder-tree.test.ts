import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Change, createRepository } from '../../../test/support/repositories.ts'
import { Failure } from '../../base/errors.ts'
import { gitBlobOid } from '../../base/git-blob.ts'
import { createGit } from '../git/git.ts'
import type { TreeEntry, TreeSource } from '../tree-source.ts'
import { folderTree } from './folder-tree.ts'

let root: string
let folder: string

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'octavo-folder-'))
  folder = join(root, 'docs')
  await mkdir(join(folder, 'guides', 'deep'), { recursive: true })
  await writeFile(join(folder, 'README.md'), '# Docs\r\n')
  await writeFile(join(folder, 'guides.md'), 'before guides/\n')
  await writeFile(join(folder, 'guides-more.md'), '')
  await writeFile(join(folder, 'guides', 'ünïcode 漢字.md'), 'names\n')
  await writeFile(join(folder, 'guides', 'deep', 'run.sh'), '#!/bin/sh\n')
  await chmod(join(folder, 'guides', 'deep', 'run.sh'), 0o755)
  await symlink('/etc/passwd', join(folder, 'guides', 'link.md'))
})

after(() => rm(root, { recursive: true, force: true }))

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run
    return 'fine'
  } catch (reason) {
    if (reason instanceof Failure) return reason.code
    throw reason
  }
}

async function readAll(tree: TreeSource, entries: readonly TreeEntry[]): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const { entry, bytes } of tree.read(entries, { bytesMax: 1000 }))
    found.push([entry.path, bytes.toString('latin1')])
  return found
}

async function readStream(tree: TreeSource, entry: TreeEntry): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of tree.stream(entry)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

describe('a folder as a tree', () => {
  it('is read like the same files in a repository: paths, order, kinds, ids and bytes', async () => {
    const repository = await createRepository(root)
    const changes: Change[] = [
      { path: 'README.md', content: '# Docs\r\n' },
      { path: 'guides.md', content: 'before guides/\n' },
      { path: 'guides-more.md', content: '' },
      { path: 'guides/ünïcode 漢字.md', content: 'names\n' },
      { path: 'guides/deep/run.sh', content: '#!/bin/sh\n', mode: '100755' },
      { path: 'guides/link.md', linkTo: '/etc/passwd' },
    ]
    const oid = await repository.commit({ changes })
    const committed = createGit().tree(repository.directory, oid)
    const local = await folderTree(folder)
    for (const subdirectory of ['', 'guides', '/guides/deep/']) {
      const options = { entriesMax: 100, subdirectory }
      const entries = await local.list(options)
      assert.ok(entries.length > 0)
      assert.deepEqual(entries, await committed.list(options))
      assert.deepEqual(await readAll(local, entries), await readAll(committed, entries))
      for (const entry of entries)
        assert.equal(await readStream(local, entry), await readStream(committed, entry))
    }
  })

  it('never follows a link: not a file, not a folder, not the subdirectory', async () => {
    const linked = join(root, 'linked')
    await mkdir(linked)
    await mkdir(join(root, 'outside', 'inner'), { recursive: true })
    await writeFile(join(root, 'outside', 'secret.md'), 'secret')
    await symlink(join(root, 'outside'), join(linked, 'out'))
    await symlink(join(root, 'outside', 'secret.md'), join(linked, 'secret.md'))
    const tree = await folderTree(linked)
    const entries = await tree.list({ entriesMax: 10 })
    assert.deepEqual(
      entries.map(({ path, kind }) => [path, kind]),
      [
        ['out', 'symlink'],
        ['secret.md', 'symlink'],
      ],
    )
    assert.ok(!JSON.stringify(await readAll(tree, entries)).includes('"secret"'))
    for (const subdirectory of ['out', 'out/inner']) {
      assert.equal(await codeOf(tree.list({ entriesMax: 10, subdirectory })), 'directory_missing')
    }
    // As if a file had become a link after it was listed.
    const swapped = entries.map(entry => ({
      ...entry,
      kind: 'file' as const,
      size: 6,
      oid: gitBlobOid(Buffer.from('secret')),
    }))
    assert.deepEqual(await readAll(tree, swapped), [])
    assert.equal(await codeOf(readStream(tree, swapped[1] as TreeEntry)), 'file_changed')
  })

  it('leaves out .git, node_modules, pipes and sockets', async () => {
    const messy = join(root, 'messy')
    for (const name of ['.git', 'node_modules', 'a/node_modules']) {
      await mkdir(join(messy, name), { recursive: true })
      await writeFile(join(messy, name, 'x.md'), 'x')
    }
    await writeFile(join(messy, 'a', 'page.md'), 'p')
    execFileSync('mkfifo', [join(messy, 'pipe.md')])
    const tree = await folderTree(messy)
    assert.deepEqual(
      (await tree.list({ entriesMax: 10 })).map(({ path }) => path),
      ['a/page.md'],
    )
  })

  it('lists names that are not UTF-8, and reads them all the same', async () => {
    const odd = join(root, 'odd')
    await mkdir(odd)
    await writeFile(
      Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
      'latin',
    )
    await writeFile(join(odd, 'back\\slash.md'), 'b')
    const tree = await folderTree(odd)
    const entries = await tree.list({ entriesMax: 10 })
    assert.deepEqual(
      entries.map(({ path, oddity }) => [path, oddity]),
      [
        ['back\\slash.md', 'unsafe'],
        ['caf\ufffd.md', 'not_utf8'],
      ],
    )
    assert.deepEqual(
      (await readAll(tree, entries)).map(([, bytes]) => bytes),
      ['b', 'latin'],
    )
  })

  it('has a bound for its files, and leaves out those too large to read', async () => {
    const tree = await folderTree(folder)
    assert.equal(await codeOf(tree.list({ entriesMax: 5 })), 'too_many_files')
    assert.equal(await codeOf(tree.list({ entriesMax: 6 })), 'fine')
    const large = join(root, 'large')
    await mkdir(large)
    await writeFile(join(large, 'large.bin'), '')
    await truncate(join(large, 'large.bin'), 5_000_000)
    const tall = await folderTree(large)
    const entries = await tall.list({ entriesMax: 1 })
    assert.equal(entries[0]?.size, 5_000_000)
    assert.deepEqual(await readAll(tall, entries), [])
    assert.equal((await readStream(tall, entries[0])).length, 5_000_000)
  })

  it('leaves out a file that changed after it was listed', async () => {
    const changing = join(root, 'changing')
    await mkdir(changing)
    for (const name of ['a.md', 'b.md', 'c.md']) await writeFile(join(changing, name), name)
    const tree = await folderTree(changing)
    const entries = await tree.list({ entriesMax: 10 })
    await writeFile(join(changing, 'a.md'), 'A.md')
    await rm(join(changing, 'b.md'))
    await writeFile(join(changing, 'c.md'), 'c.md and more')
    assert.deepEqual(await readAll(tree, entries), [])
    for (const entry of entries) assert.equal(await codeOf(readStream(tree, entry)), 'file_changed')
  })

  it('says that there is no such folder', async () => {
    assert.equal(await codeOf(folderTree(join(root, 'nope'))), 'directory_missing')
    assert.equal(await codeOf(folderTree(join(folder, 'README.md'))), 'directory_missing')
    const tree = await folderTree(folder)
    for (const subdirectory of ['nope', 'README.md', '..', 'guides/../..', 'guides/link.md']) {
      assert.equal(
        await codeOf(tree.list({ entriesMax: 10, subdirectory })),
        'directory_missing',
        subdirectory,
      )
    }
  })

  it('does not read what was not listed there', async () => {
    const tree = await folderTree(folder)
    const forged: TreeEntry = { path: '../outside/secret.md', kind: 'file', oid: '0'.repeat(40), size: 6 }
    assert.equal(await codeOf(readAll(tree, [forged])), 'file_changed')
  })
})
