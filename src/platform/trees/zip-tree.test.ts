import assert from 'node:assert/strict'
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ZipEntry, zipOf } from '../../../test/support/zip.ts'
import { gitBlobOid } from '../../base/git-blob.ts'
import { openZip } from './zip-tree.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-zip-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'archive.zip')

async function list(entries: readonly ZipEntry[] | Buffer, { entriesMax = 100, bytesMax = 10_000 } = {}) {
  writeFileSync(file, Buffer.isBuffer(entries) ? entries : zipOf(entries))
  const tree = await openZip(file, bytesMax)
  try {
    const listed = await tree.list({ entriesMax })
    const read: Record<string, string> = {}
    for await (const { entry, bytes } of tree.read(listed, { bytesMax })) read[entry.path] = bytes.toString()
    return { listed, read }
  } finally {
    tree.close()
  }
}

test('files are listed in git’s order with git’s ids, without the folder that all are in and what systems add', async () => {
  const { listed, read } = await list([
    { path: 'docs/b/ü.md', text: 'two' },
    { path: 'docs/', text: '' },
    { path: 'docs/a.md', text: 'one' },
    { path: 'docs/.DS_Store', text: 'x' },
    { path: 'docs/link.md', text: '/etc/passwd', isLink: true },
  ])
  assert.deepEqual(listed, [
    { path: 'a.md', kind: 'file', oid: gitBlobOid(Buffer.from('one')), size: 3 },
    { path: 'b/ü.md', kind: 'file', oid: gitBlobOid(Buffer.from('two')), size: 3 },
    { path: 'link.md', kind: 'symlink', oid: gitBlobOid(Buffer.from('/etc/passwd')), size: 11 },
  ])
  assert.deepEqual(read, { 'a.md': 'one', 'b/ü.md': 'two', 'link.md': '/etc/passwd' })
})

test('a file is executable where the system that made the archive has modes', async () => {
  const { listed } = await list([
    { path: 'a.sh', text: 'one', isExecutable: true },
    { path: 'b.sh', text: 'two', isExecutable: true, isOfDos: true },
    { path: 'c.sh', text: 'three' },
  ])
  assert.deepEqual(
    listed.map(({ kind }) => kind),
    ['executable', 'file', 'file'],
  )
})

for (const [name, entries, code] of [
  ['no archive', Buffer.from('no archive at all'), 'archive_invalid'],
  ['an archive that was cut off', zipOf([{ path: 'a.md', text: 'one' }]).subarray(0, 40), 'archive_invalid'],
  ['a name that leads out of the archive', [{ path: '../../etc/cron.md', text: 'x' }], 'archive_invalid'],
  ['one with a password', [{ path: 'a.md', text: 'one', isEncrypted: true }], 'archive_encrypted'],
  ['a bomb that admits to its size', [{ path: 'a.md', text: 'x'.repeat(20_000) }], 'archive_too_large'],
  ['a bomb that does not', [{ path: 'a.md', text: 'x'.repeat(20_000), claimedBytes: 10 }], 'archive_invalid'],
  [
    'one of many files',
    Array.from({ length: 101 }, (_, n) => ({ path: `${n}.md`, text: '' })),
    'too_many_files',
  ],
  [
    'one of many empty folders',
    Array.from({ length: 401 }, (_, n) => ({ path: `${n}/`, text: '' })),
    'too_many_files',
  ],
  ['archives in an archive', [{ path: 'Export-Part-1.zip', text: 'PK' }], 'archive_of_archives'],
] as const)
  test(`${name} is refused: ${code}`, () => assert.rejects(list(entries), { code }))

for (const [code, failure] of [
  ['EIO', 'archive_unreadable'],
  ['ENOSPC', 'disk_full'],
] as const)
  test(`a disk that fails with ${code} while an archive is read ends with a sentence: ${failure}`, async t => {
    writeFileSync(file, zipOf([{ path: 'a.md', text: 'one' }]))
    const tree = await openZip(file, 100)
    const listed = await tree.list({ entriesMax: 10 })
    const again = await openZip(file, 100)
    t.mock.method(fs, 'read', (...all: unknown[]) =>
      (all.at(-1) as (error: Error) => void)(
        Object.assign(new Error(`${code}: the disk failed, read`), { code, syscall: 'read' }),
      ),
    )
    const read = async () => {
      for await (const _ of tree.read(listed, { bytesMax: 100 }));
    }
    await assert.rejects(read(), { code: failure })
    await assert.rejects(again.list({ entriesMax: 10 }), { code: failure })
    for (const each of [tree, again]) each.close()
  })
