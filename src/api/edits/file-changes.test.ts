// Files that are there already: other bytes, another name, and back to what a revision has; what refers to them, and
// what others do to the same file.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  type Change,
  changeRequestOn,
  type EditTarget,
  edit,
  headOf,
  idAt,
  liveAt,
  readPage,
  refused,
  write,
} from '../../../test/support/edits.ts'
import { type Files, PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { runGit } from '../../../test/support/repositories.ts'
import { originOf } from '../../../test/support/server.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const TEXT = { base64: Buffer.from('Other words').toString('base64'), contentType: 'text/plain' }

const FILES: Files = {
  'SUMMARY.md': '* [Start](README.md)\n* [Guide](guides/guide.md)\n* [Other](other.md)\n',
  'README.md':
    '# Start\n\n![A dot](.gitbook/assets/dot.png "Dot")\n\n{% include ".gitbook/includes/note.md" %}\n',
  'guides/guide.md':
    '---\ncover: ../.gitbook/assets/dot.png\n---\n\n# Guide\n\n<img src="../.gitbook/assets/dot.png" alt="x">\n\n`![](../.gitbook/assets/dot.png)`\n',
  'other.md': '# Other\n\n[words](.gitbook/assets/dots.png)\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n[The dot](../assets/dot.png?x#y)\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/dots.png': PIXEL,
}

type File = {
  readonly id: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly downloadURL: string
  readonly dimensions?: object
}

async function filesOf({ path }: EditTarget): Promise<Map<string, File>> {
  const { body } = await w.call('GET', `${path}/content/files`)
  return new Map(body.items.map((file: File) => [file.name, file]))
}

async function fileAt(at: EditTarget, name: string): Promise<File> {
  const file = (await filesOf(at)).get(name)
  assert.ok(file !== undefined, `there is a file ${name}`)
  return file
}

const bytesOf = async ({ downloadURL }: File): Promise<Buffer> =>
  (await w.app.inject({ url: downloadURL.replace('http://octavo.test', '') })).rawPayload

const textAt = async (at: EditTarget, path: string): Promise<string> =>
  (await readPage(w, at, await idAt(w, at, path))).markdown

const brokenIn = async ({ path }: EditTarget): Promise<number> =>
  (await w.call('GET', `${path}/links?status=broken`)).body.count

const site = async (): Promise<[live: EditTarget, draft: EditTarget]> => {
  const space = await spaceWith(w, FILES)
  return [liveAt(space), await changeRequestOn(w, space)]
}

test('a file says who put its bytes there and when it last changed, also after it was merged, and nobody who is no member reads who', async () => {
  const space = await spaceWith(w, FILES)
  const draft = await changeRequestOn(w, space)
  const text = { name: 'notes.txt', ...TEXT }
  const madeIn = async (at: EditTarget, name: string): Promise<readonly unknown[]> => {
    const { uploadedBy, updatedAt } = (await fileAt(at, name)) as { uploadedBy?: string; updatedAt?: string }
    return [uploadedBy, updatedAt]
  }
  const insert = (as: PersonName, body: object) =>
    w.call('POST', `${draft.path}/content`, { as, body: { changes: [body] } })
  assert.deepEqual(await madeIn(draft, 'dot.png'), [undefined, undefined])
  await insert('edit', { operation: 'insert_files', files: [text] })
  const [uploader, insertedAt] = await madeIn(draft, 'notes.txt')
  assert.equal(uploader, w.people.edit.id)
  assert.ok(Math.abs(Date.parse(String(insertedAt)) - Date.now()) < 60_000)
  const { id: notes } = await fileAt(draft, 'notes.txt')
  await insert('admin', { operation: 'update_file', file: notes, name: 'words.txt' })
  const [renamed, renamedAt] = await madeIn(draft, 'words.txt')
  assert.equal(renamed, w.people.edit.id, 'a name is not its bytes')
  assert.ok(String(renamedAt) > String(insertedAt))
  await insert('admin', { operation: 'update_file', file: notes, name: 'words.txt' })
  assert.deepEqual(await madeIn(draft, 'words.txt'), [renamed, renamedAt], 'nothing changed')

  const { id: dot } = await fileAt(draft, 'dot.png')
  const revision = await headOf(w, draft)
  await insert('admin', { operation: 'update_file', file: dot, ...TEXT })
  assert.equal((await madeIn(draft, 'dot.png'))[0], w.people.admin.id)
  await insert('admin', { operation: 'revert_file', file: dot, revision })
  assert.deepEqual(await madeIn(draft, 'dot.png'), [undefined, undefined], 'it is as it was')
  assert.equal((await w.call('POST', `${draft.path}/merge`)).status, 200)
  assert.deepEqual(await madeIn(liveAt(space), 'words.txt'), [renamed, renamedAt])
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'public' } })
  const { body } = await w.call('GET', `/spaces/${space}/content/files/${notes}`, { as: null })
  assert.deepEqual([body.updatedAt, 'uploadedBy' in body], [renamedAt, false])
})

test('a file gets other bytes under its name, in a draft alone until that is merged', async () => {
  const [live, draft] = await site()
  const before = await fileAt(live, 'dot.png')
  const { changes } = await edit(w, draft, { operation: 'update_file', file: before.id, ...TEXT })
  const now = await fileAt(draft, 'dot.png')
  assert.deepEqual(changes, [{ object: 'updated_file', file: now }])
  assert.deepEqual(
    [now.id, now.contentType, now.size, now.dimensions],
    [before.id, 'text/plain', 11, undefined],
  )
  assert.equal((await bytesOf(now)).toString(), 'Other words')
  assert.deepEqual(await bytesOf(await fileAt(live, 'dot.png')), PIXEL)
  assert.equal(await brokenIn(draft), 0)
  assert.equal((await w.call('POST', `${draft.path}/merge`)).body.result, 'merge')
  assert.equal((await bytesOf(await fileAt(live, 'dot.png'))).toString(), 'Other words')
})

test('what replaces a file is known by its bytes, else by the name that the file has', async () => {
  const [live] = await site()
  const { insertedFiles } = await edit(w, live, {
    operation: 'insert_files',
    files: [{ name: 'style.css', base64: '', contentType: 'text/css' }],
  })
  const replace = async (name: string, payload: Buffer) => {
    const headers = {
      ...{ authorization: `Bearer ${w.people.admin.token}`, 'content-type': 'application/x-own' },
    }
    const url = `/v1/spaces/${live.spaceId}/uploads/${name}`
    assert.equal((await w.app.inject({ method: 'PUT', url, headers, payload })).statusCode, 200)
    await edit(w, live, { operation: 'update_file', file: insertedFiles[0].id, upload: name })
    return fileAt(live, 'style.css')
  }
  assert.equal((await replace('words', Buffer.from('a {}'))).contentType, 'text/css')
  const picture = await replace('pixel', PIXEL)
  assert.deepEqual([picture.contentType, picture.dimensions], ['image/png', { width: 1, height: 1 }])
})

test('every text that leads to a file follows its new name, and says nothing else anew', async () => {
  const [live, draft] = await site()
  const { id } = await fileAt(live, 'dot.png')
  for (const at of [draft, live]) {
    const { changes } = await edit(w, at, { operation: 'update_file', file: id, name: 'Big dot.png' })
    const objects = changes.map(({ object }: { object: string }) => object).sort()
    assert.deepEqual(objects, ['updated_file', 'updated_page', 'updated_page', 'updated_reusable_content'])
    assert.equal((await fileAt(at, 'Big dot.png')).id, id)
    assert.equal(
      await textAt(at, 'readme'),
      '# Start\n\n![A dot](<.gitbook/assets/Big dot.png> "Dot")\n\n{% include ".gitbook/includes/note.md" %}\n',
    )
    const guide = await textAt(at, 'guide')
    assert.match(guide, /^---\ncover: .*Big(?: |%20)dot\.png.*\n---\n/)
    assert.match(guide, /<img src="\.\.\/\.gitbook\/assets\/Big(?: |%20)dot\.png" alt="x">/)
    assert.match(guide, /`!\[\]\(\.\.\/\.gitbook\/assets\/dot\.png\)`/)
    assert.equal(await textAt(at, 'other'), '# Other\n\n[words](.gitbook/assets/dots.png)\n')
    assert.equal(await brokenIn(at), 0)
    const { body } = await w.call('GET', `${at.path}/content/files/${id}/backlinks`)
    assert.equal(body.count, 3)
  }
})

test('a file is moved to another folder, by itself or with a name, and every text that leads to it follows', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  await edit(w, live, { operation: 'update_file', file: id, folder: '/guides/pictures/' })
  assert.match(await textAt(live, 'readme'), /\(guides\/pictures\/dot\.png "Dot"\)/)
  assert.match(await textAt(live, 'guide'), /^---\ncover: pictures\/dot\.png\n---\n/)
  await edit(w, live, { operation: 'update_file', file: id, folder: '', name: 'point.png' })
  assert.match(await textAt(live, 'readme'), /\(point\.png "Dot"\)/)
  assert.match(await textAt(live, 'guide'), /<img src="\.\.\/point\.png" alt="x">/)
  assert.equal(await brokenIn(live), 0)
  await edit(w, live, { operation: 'update_file', file: id, folder: '.gitbook/assets' })
  const move = (folder: string, more: Change = {}) => [
    { operation: 'update_file', file: id, folder, ...more },
  ]
  for (const folder of [
    '../up',
    'a/./b',
    'a\\b',
    'a:b',
    'a\u0000',
    'x'.repeat(200),
    '.git',
    'a/.hidden',
    'node_modules',
  ])
    assert.match(await refused(w, live, move(folder)), /^body\.changes\.0\.folder/, folder)
  assert.match(await refused(w, live, move('a', { name: 'point.unknown' })), /would not take point\.unknown/)
})

test('texts of the same request lead to a file by the name that it has after them', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const { unresolved } = await edit(
    w,
    live,
    {
      operation: 'update_page',
      page: await idAt(w, live, 'other'),
      document: { markdown: '# Other\n\n![](.gitbook/assets/dot.png)\n' },
    },
    { operation: 'update_file', file: id, name: 'one.png' },
    { operation: 'update_file', file: id, name: 'two.png' },
    { operation: 'insert_page', title: 'New', document: { markdown: `![](/files/${id})\n` } },
  )
  assert.deepEqual(unresolved, [])
  assert.equal(await textAt(live, 'other'), '# Other\n\n![](.gitbook/assets/two.png)\n')
  assert.match(await textAt(live, 'readme'), /\(\.gitbook\/assets\/two\.png "Dot"\)/)
  assert.equal(await textAt(live, 'new'), '![](.gitbook/assets/two.png)\n')
})

test('a name that is taken, that no file can have, or that comes with two sources is refused whole', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const cases: readonly [Change, RegExp][] = [
    [{ name: 'dots.png' }, /^body\.changes\.0\.name: there is a file at \.gitbook\/assets\/dots\.png/],
    [{ name: '../dot.png' }, /^body\.changes\.0\.name: a name has no slashes/],
    [{ name: 'dot' }, /^body\.changes\.0\.name: a name has an ending/],
    [{}, /^body\.changes\.0\.name: this change changes nothing/],
    [{ contentType: 'image/png' }, /^body\.changes\.0\.upload: a file has exactly one of/],
    [{ ...TEXT, upload: 'a' }, /^body\.changes\.0\.upload: a file has exactly one of/],
    [{ base64: 'YQ==' }, /^body\.changes\.0\.contentType: this is required/],
    [{ upload: 'never' }, /^body\.changes\.0\.upload: you uploaded nothing that is called "never"/],
    [{ file: 'nowhere', name: 'a.png' }, /^body\.changes\.0\.file: there is no file nowhere/],
  ]
  for (const [change, message] of cases)
    assert.match(await refused(w, live, [{ operation: 'update_file', file: id, ...change }]), message)
  const head = await headOf(w, live)
  await edit(w, live, { operation: 'update_file', file: id, name: 'dot.png' })
  assert.equal(await headOf(w, live), head, 'its own name changes nothing')
})

test('an ending that changes tells another type where the bytes do not', async () => {
  const [live] = await site()
  const { insertedFiles } = await edit(w, live, {
    operation: 'insert_files',
    files: [{ name: 'a.txt', base64: TEXT.base64, contentType: 'text/plain' }],
  })
  const { id } = insertedFiles[0]
  await edit(w, live, { operation: 'update_file', file: id, name: 'a.css' })
  assert.equal((await fileAt(live, 'a.css')).contentType, 'text/css')
})

test('what was done to a file is undone: replacing, renaming, deleting and inserting it', async () => {
  const [live, draft] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const before = { files: await filesOf(draft), text: await textAt(draft, 'readme') }
  const revert = { operation: 'revert_file', file: id }
  await edit(w, draft, { operation: 'update_file', file: id, name: 'new.png', ...TEXT })
  await edit(w, draft, revert)
  const same = async () => {
    assert.deepEqual(await filesOf(draft), before.files)
    assert.equal(await textAt(draft, 'readme'), before.text)
  }
  await same()
  await edit(w, draft, { operation: 'delete_file', file: id })
  assert.deepEqual(
    (await edit(w, draft, revert)).insertedFiles.map((file: File) => file.id),
    [id],
  )
  await same()
  const { insertedFiles } = await edit(w, draft, {
    operation: 'insert_files',
    files: [{ name: 'a.txt', ...TEXT }],
  })
  const [inserted] = insertedFiles
  assert.deepEqual((await edit(w, draft, { operation: 'revert_file', file: inserted.id })).changes, [
    { object: 'deleted_file', file: inserted.id },
  ])
  await same()
})

test('a deleted file comes back beside what has its name by now; in a space the revision is named', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const revision = await headOf(w, live)
  await edit(w, live, { operation: 'delete_file', file: id })
  await edit(w, live, { operation: 'insert_files', files: [{ name: 'dot.png', ...TEXT }] })
  assert.match(
    await refused(w, live, [{ operation: 'revert_file', file: id }]),
    /^body\.changes\.0\.revision: this is required here/,
  )
  assert.match(
    await refused(w, live, [{ operation: 'revert_file', file: 'nowhere', revision }]),
    /^body\.changes\.0\.file: there is no file nowhere, neither/,
  )
  const { insertedFiles } = await edit(w, live, { operation: 'revert_file', file: id, revision })
  assert.deepEqual([insertedFiles[0].id, insertedFiles[0].name], [id, 'dot-1.png'])
})

test('a replacement that is sent again with its key is made once', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const change = { operation: 'update_file', file: id, ...TEXT }
  const call = { headers: { 'idempotency-key': 'replace-1' } }
  const first = await write(w, live, [change], call)
  assert.equal(first.status, 200)
  await edit(w, live, { operation: 'revert_file', file: id, revision: first.body.revision })
  const head = await headOf(w, live)
  assert.deepEqual((await write(w, live, [change], call)).body, first.body)
  assert.equal(await headOf(w, live), head)
})

test('two that replace a file conflict, and so do replacing and deleting; neither is lost before it is settled', async () => {
  for (const theirs of [{ operation: 'update_file', ...TEXT }, { operation: 'delete_file' }]) {
    const [live, draft] = await site()
    const { id } = await fileAt(live, 'dot.png')
    const other = Buffer.from('Mine').toString('base64')
    await edit(w, live, { operation: 'update_file', file: id, base64: other, contentType: 'text/plain' })
    await edit(w, draft, { ...theirs, file: id })
    const { conflicts, result } = (await w.call('POST', `${draft.path}/merge`)).body
    const isDeleted = theirs.operation === 'delete_file'
    assert.deepEqual(
      [result, conflicts.map(({ file, field }: Change) => [file, field])],
      ['conflicts', [[id, isDeleted ? 'existence' : 'blob']]],
    )
    assert.equal((await bytesOf(await fileAt(live, 'dot.png'))).toString(), 'Mine')
    const resolutions = [{ ...conflicts[0], take: 'theirs' }]
    assert.equal(
      (await w.call('POST', `${draft.path}/merge`, { body: { resolutions } })).body.result,
      'merge',
    )
    const merged = (await filesOf(live)).get('dot.png')
    if (isDeleted) assert.equal(merged, undefined)
    else assert.equal((await bytesOf(merged as File)).toString(), 'Other words')
  }
})

test('what others write of a file meanwhile follows the name that a draft gives it, without a conflict', async () => {
  const [live, draft] = await site()
  const { id } = await fileAt(live, 'dot.png')
  await edit(w, draft, { operation: 'update_file', file: id, name: 'one.png' })
  await edit(
    w,
    live,
    {
      operation: 'update_page',
      page: await idAt(w, live, 'readme'),
      document: {
        markdown:
          '# Start\n\n![A small dot](.gitbook/assets/dot.png "Dot")\n\n{% include ".gitbook/includes/note.md" %}\n',
      },
    },
    { operation: 'update_file', file: id, ...TEXT },
    { operation: 'insert_page', title: 'New', document: { markdown: '![](.gitbook/assets/dot.png)\n' } },
  )
  assert.equal((await w.call('POST', `${draft.path}/merge`)).body.result, 'merge')
  assert.match(await textAt(live, 'readme'), /!\[A small dot\]\(\.gitbook\/assets\/one\.png "Dot"\)/)
  assert.equal(await textAt(live, 'new'), '![](.gitbook/assets/one.png)\n')
  assert.equal((await bytesOf(await fileAt(live, 'one.png'))).toString(), 'Other words')
  assert.equal(await brokenIn(live), 0)
})

const folder = mkdtempSync(join(tmpdir(), 'octavo-file-changes-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a clone has the new bytes under the same path, and a renamed file with the texts that lead to it', async () => {
  const [live] = await site()
  const { id } = await fileAt(live, 'dot.png')
  const url = new URL(`/git/${live.spaceId}.git`, await originOf(w))
  url.username = w.people.admin.token
  const clone = join(folder, 'clone')
  const git = async (...args: string[]) => {
    const { code, output, errors } = await runGit(args)
    assert.equal(code, 0, errors)
    return output.toString()
  }
  await git('clone', '--quiet', url.href, clone)
  const pull = async () => {
    await git('-C', clone, 'pull', '--quiet')
    const shown = await git('-C', clone, 'show', '--name-status', '--format=', '-M', 'HEAD')
    return shown.trim().split('\n').sort()
  }
  await edit(w, live, { operation: 'update_file', file: id, ...TEXT })
  assert.deepEqual(await pull(), ['M\t.gitbook/assets/dot.png'])
  assert.equal(await readFile(join(clone, '.gitbook/assets/dot.png'), 'utf8'), 'Other words')
  await edit(w, live, { operation: 'update_file', file: id, name: 'new.png' })
  assert.deepEqual(await pull(), [
    'M\t.gitbook/includes/note.md',
    'M\tREADME.md',
    'M\tguides/guide.md',
    'R100\t.gitbook/assets/dot.png\t.gitbook/assets/new.png',
  ])
})
