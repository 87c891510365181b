// A space as a folder: byte for byte what was imported, and never half of it, nor anything beside it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PIXEL, publishFiles, spaceWith } from '../../test/support/pages.ts'
import { world } from '../../test/support/world.ts'
import { publish } from '../api/heads/publish.ts'
import { findSpace } from '../api/spaces/rows.ts'
import { fileKey } from '../engines/content/records.ts'
import { exportSpace } from './export.ts'

const w = await world()
const parent = mkdtempSync(join(tmpdir(), 'octavo-export-'))
after(() => rmSync(parent, { recursive: true, force: true }))
const silent = { emit: () => {}, signal: new AbortController().signal }

const FILES = {
  '.gitbook.yaml': 'root: ./docs/\n\nstructure:\n  readme: README.md\n  summary: SUMMARY.md\n',
  'docs/SUMMARY.md': '# Summary\n\n- [Start](README.md)\n    - [Über uns 💥](<über uns.md>)\n',
  'docs/README.md': Buffer.from(
    '\ufeff# Start  \r\n\r\nTwo spaces.  \r\nA\ttab ![](.gitbook/assets/p.png)\r\n',
  ),
  'docs/über uns.md': '---\ndescription: Wir\n---\n\n# Über uns 💥\n\n* a\n* b',
  'docs/.gitbook/assets/p.png': PIXEL,
  'docs/.gitbook/includes/note.md': 'Said once.\n',
  'docs/.gitbook/vars.yaml': 'product: Octavo\n',
}

const readAll = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map(path => [path.slice(folder.length + 1), readFileSync(path).toString('hex')]),
  )

const hex = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString('hex')]))

test('a space that was imported is written as it came, and what was changed as it is', async () => {
  const space = await spaceWith(w, FILES)
  const folder = join(parent, 'same')
  const { files, problems } = await exportSpace(w.services, { space, folder }, silent)
  const { 'docs/.gitbook/vars.yaml': _, ...bytes } = hex(FILES)
  const { 'docs/.gitbook/vars.yaml': variables = '', ...written } = readAll(folder)
  assert.deepEqual(written, bytes)
  assert.match(Buffer.from(variables, 'hex').toString(), /^product: Octavo$/m)
  assert.deepEqual([files, problems], [7, []])

  await publishFiles(w, space, { ...FILES, 'docs/README.md': '# Start\n\nOther words.\n' })
  const empty = join(parent, 'empty')
  mkdirSync(empty)
  await exportSpace(w.services, { space, folder: empty }, silent)
  assert.equal(readFileSync(join(empty, 'docs/README.md'), 'utf8'), '# Start\n\nOther words.\n')
  assert.deepEqual(readdirSync(parent).sort(), ['empty', 'same'])
})

test('a folder that has something is left as it is, and a space that is not there is named', async () => {
  const space = await spaceWith(w, { 'README.md': '# A\n' })
  const folder = join(parent, 'full')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.txt'), 'mine')
  const options = { space, folder }
  await assert.rejects(exportSpace(w.services, options, silent), {
    kind: 'invalid',
    code: 'folder_not_empty',
  })
  assert.deepEqual(readdirSync(folder), ['mine.txt'])
  const file = join(folder, 'mine.txt')
  await assert.rejects(exportSpace(w.services, { space, folder: file }, silent), { code: 'folder_refused' })
  const nowhere = join(parent, 'a', 'b')
  await assert.rejects(exportSpace(w.services, { space, folder: nowhere }, silent), {
    code: 'folder_refused',
  })
  await assert.rejects(exportSpace(w.services, { space: 'none', folder: join(parent, 'none') }, silent), {
    kind: 'missing',
  })
  assert.equal(existsSync(join(parent, 'none')), false)
})

test('an export that is ended, or misses a file, leaves nothing', async () => {
  const space = await spaceWith(w, FILES)
  const folder = join(parent, 'ended')
  const abort = new AbortController()
  const ending = { emit: () => abort.abort(), signal: abort.signal }
  await assert.rejects(exportSpace(w.services, { space, folder }, ending), { name: 'AbortError' })
  const blobs = { ...w.services.blobs, read: async () => undefined }
  await assert.rejects(exportSpace({ ...w.services, blobs }, { space, folder }, silent), {
    code: 'content_unreadable',
  })
  assert.deepEqual(
    readdirSync(parent).filter(name => name.startsWith('ended')),
    [],
  )
})

test('a name that leads out of the folder, or that another file has, is left out and reported', async () => {
  const id = await spaceWith(w, { 'README.md': '# A\n', 'a.png': PIXEL })
  const space = await findSpace(w.services.db, id)
  assert.ok(space)
  const root = space.root_hash.toString('hex')
  const { files } = await w.services.contents.get(root)
  const [record] = files.values()
  assert.ok(record)
  const named = (file: string) => ({ ...record, file })
  await publish(w.services, {
    spaceId: id,
    base: { revisionId: space.revision_id, root },
    type: 'edits',
    createdBy: null,
    edits: new Map([
      [fileKey('out'), named('../out.png')],
      [fileKey('up'), named('b/../../up.png')],
      [fileKey('root'), named('/tmp/octavo-absolute.png')],
      [fileKey('good'), named('b/good.png')],
      [fileKey('below'), named('a.png/below.png')],
      [fileKey('long'), named(`${'long'.repeat(80)}.png`)],
    ]),
    documents: [],
  })
  const folder = join(parent, 'safe')
  const { problems } = await exportSpace(w.services, { space: id, folder }, silent)
  assert.deepEqual(problems.map(problem => problem.split(':')[0]).sort(), [
    '../out.png',
    '/tmp/octavo-absolute.png',
    'a.png/below.png',
    'b/../../up.png',
    `${'long'.repeat(80)}.png`,
  ])
  assert.deepEqual(Object.keys(readAll(folder)).sort(), ['README.md', 'SUMMARY.md', 'a.png', 'b/good.png'])
  assert.equal(existsSync(join(parent, 'out.png')), false)
  assert.equal(existsSync('/tmp/octavo-absolute.png'), false)
})
