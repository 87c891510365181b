import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { keepRevision } from '../heads/publish.ts'
import { writeSpaceHead } from '../heads/write.ts'

const w = await world()
const { db } = w.services

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
type Any = any
type Files = Record<string, string | Uint8Array>

const outline = (...lines: string[]) => lines.map(line => `${line}\n`).join('')
const FILES: Files = {
  'SUMMARY.md': outline(
    '* [Start](README.md)',
    '* [Guide](guide.md)',
    '  * [Deep](deep.md)',
    '* [Last](last.md)',
  ),
  'README.md': '# Start\n\nHello.\n',
  'guide.md': '# Guide\n\nFirst paragraph of the guide.\n\nSecond paragraph of the guide.\n\n* one\n* two\n',
  'deep.md': '# Deep\n\nDeep water.\n',
  'last.md': '# Last\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/assets/about.txt': 'words',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nReuse me.\n',
  '.gitbook/vars.yaml': 'product: Octavo\nmajor: 1\n',
}

const headOf = async (id: string): Promise<string> => (await w.call('GET', `/spaces/${id}`)).body.revision
const rootOf = async (revisionId: string): Promise<string> => {
  const row = await db
    .selectFrom('revisions')
    .select('root_hash')
    .where('id', '=', revisionId)
    .executeTakeFirstOrThrow()
  return row.root_hash.toString('hex')
}

const changesOf = async (path: string, query = '?limit=1000') => {
  const { status, body } = await w.call('GET', `${path}/changes${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { changes: Any[]; more?: number; mergedFrom?: Any }
}

/** What an import that makes `after` of `before` is told as. */
async function changesBetween(before: Files, after: Files, query?: string) {
  const id = await spaceWith(w, before)
  await publishFiles(w, id, after)
  return changesOf(`/spaces/${id}/revisions/${await headOf(id)}`, query)
}

const nameOf = (change: Any): string => {
  const thing = change.page ?? change.file ?? change.reusableContent
  return thing === undefined ? Object.keys(change.variables).join() : (thing.title ?? thing.name)
}
const told = ({ changes }: { changes: readonly Any[] }) =>
  changes.map(change => `${change.type} ${nameOf(change)}`)
const blocksOf = ({ document }: Any) =>
  document.blocks.map(({ kind, before, after }: Any) => [kind, before?.markdown, after?.markdown])

test('a revision is compared with the one before it, and the first with nothing', async () => {
  const id = await spaceWith(w, FILES)
  const imported = await changesOf(`/spaces/${id}/revisions/${await headOf(id)}`)
  assert.deepEqual(told(imported), [
    'page_created Start',
    'page_created Guide',
    'page_created Deep',
    'page_created Last',
    'file_created about.txt',
    'file_created dot.png',
    'reusable_content_created Note',
    'variables_edited major,product',
  ])
  assert.deepEqual(imported.changes[2].page, {
    id: imported.changes[2].page.id,
    type: 'document',
    title: 'Deep',
    path: 'guide/deep',
  })
  assert.deepEqual(imported.changes[7].variables, { major: { after: 1 }, product: { after: 'Octavo' } })
  const { body: history } = await w.call('GET', `/spaces/${id}/revisions`)
  assert.deepEqual(await changesOf(`/spaces/${id}/revisions/${history.items[1].id}`), { changes: [] })
  const { id: copy } = (await w.call('POST', `/spaces/${id}/duplicate`)).body
  const first = await changesOf(`/spaces/${copy}/revisions/${await headOf(copy)}`)
  assert.deepEqual(told(first), told(imported), 'a duplicate begins with all that it has')
})

test('changes come in the reading order of the new tree, what is gone last, then all else by name', async () => {
  const body = await changesBetween(FILES, {
    'SUMMARY.md': outline(
      '* [Last](last.md)',
      '  * [New](new.md)',
      '* [Guide](guide.md)',
      '* [Start](README.md)',
    ),
    'README.md': '---\nicon: rocket\n---\n# Start\n\nHello again.\n',
    'guide.md': FILES['guide.md'] as string,
    'last.md': '# Last\n',
    'new.md': '# New\n',
    '.gitbook/assets/about.txt': 'other words',
    '.gitbook/assets/zebra.txt': 'black and white',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nReuse me often.\n',
    '.gitbook/vars.yaml': 'major: 2\nedition: first\n',
  })
  assert.deepEqual(told(body), [
    'page_moved Last',
    'page_created New',
    'page_moved Guide',
    'page_edited Start',
    'page_deleted Deep',
    'file_edited about.txt',
    'file_deleted dot.png',
    'file_created zebra.txt',
    'reusable_content_edited Note',
    'variables_edited edition,major,product',
  ])
  const [last, created, , start, deep, about, , , note, variables] = body.changes
  assert.deepEqual([last.parent, last.position], [{}, { before: 2, after: 0 }])
  assert.equal(created.page.path, 'last/new')
  assert.equal(deep.page.path, 'guide/deep')
  assert.deepEqual(start.attributes.icon, { after: 'rocket' })
  assert.deepEqual(blocksOf(start.attributes), [
    ['inserted', undefined, '---\nicon: rocket\n---'],
    ['modified', 'Hello.', 'Hello again.'],
  ])
  assert.deepEqual(Object.keys(about.attributes).sort(), ['downloadURL', 'size'])
  assert.deepEqual(about.attributes.size, { before: 5, after: 11 })
  assert.equal(about.attributes.downloadURL.after, about.file.downloadURL)
  assert.deepEqual(blocksOf(note.attributes), [['modified', 'Reuse me.', 'Reuse me often.']])
  assert.equal(note.reusableContent.document, note.attributes.document.after)
  assert.deepEqual(variables.variables, {
    edition: { after: 'first' },
    major: { before: 1, after: 2 },
    product: { before: 'Octavo' },
  })
})

test('a page that was moved and edited is told as both, with its parents on both sides', async () => {
  const { changes } = await changesBetween(FILES, {
    ...FILES,
    'SUMMARY.md': outline(
      '* [Start](README.md)',
      '* [Guide](guide.md)',
      '* [Last](last.md)',
      '  * [Deeper](deep.md)',
    ),
    'deep.md': '# Deeper\n\nDeep water.\n',
  })
  assert.deepEqual(told({ changes }), ['page_moved Deeper', 'page_edited Deeper'])
  const [moved, edited] = changes
  assert.deepEqual([moved.parent.before.path, moved.parent.after.path], ['guide', 'last'])
  assert.deepEqual(moved.page, edited.page)
  assert.equal(moved.page.path, 'last/deep')
  assert.deepEqual(Object.keys(edited.attributes).sort(), ['document', 'title'])
  assert.deepEqual(edited.attributes.title, { before: 'Deep', after: 'Deeper' })
})

test('changed documents list the blocks that differ, and can be read by the listed ids', async () => {
  const rain = 'Rain falls on the quiet town.'
  const id = await spaceWith(w, {
    'README.md': `# Weather\n\n* one\n* two\n\n${rain}\n\nSunlight warms every stone.\n\nWind carries old leaves.\n\nFog.\n`,
  })
  await publishFiles(w, id, {
    'README.md': `# Weather\n\n${rain}\n\nSunlight warms every brick.\n\nWind carries old leaves.\n\n* one\n* two\n\nSnow!\n`,
  })
  const { changes } = await changesOf(`/spaces/${id}/revisions/${await headOf(id)}`)
  const { document } = changes[0].attributes
  assert.deepEqual(blocksOf({ document }), [
    ['modified', 'Sunlight warms every stone.', 'Sunlight warms every brick.'],
    ['removed', 'Fog.', undefined],
    ['moved', '* one\n* two', '* one\n* two'],
    ['inserted', undefined, 'Snow!'],
  ])
  const read = async (documentId: string) =>
    (await w.call('GET', `/spaces/${id}/documents/${documentId}`)).text
  assert.match(await read(document.before), /every stone/)
  assert.match(await read(document.after), /every brick/)
})

test('different line ends and blank lines make a different document, but no different block', async () => {
  const { changes } = await changesBetween(FILES, { ...FILES, 'last.md': '# Last\n\n\n' })
  assert.notEqual(changes[0].attributes.document.before, changes[0].attributes.document.after)
  assert.deepEqual(changes[0].attributes.document.blocks, [])
})

test('ten changes are listed by default, and the others are counted', async () => {
  const pages = Array.from({ length: 25 }, (_, i) => `p${i}`)
  const id = await spaceWith(w, {
    'SUMMARY.md': outline(...pages.map(name => `* [${name}](${name}.md)`)),
    ...Object.fromEntries(pages.map(name => [`${name}.md`, `# ${name}\n`])),
  })
  const path = `/spaces/${id}/revisions/${await headOf(id)}`
  const names = async (query: string) => {
    const { changes, more } = await changesOf(path, query)
    return [changes.map(nameOf).join(), more]
  }
  assert.deepEqual(await names(''), [pages.slice(0, 10).join(), 15])
  assert.deepEqual(await names('?limit=3'), [pages.slice(0, 3).join(), 22])
  assert.deepEqual(await names('?limit=24'), [pages.slice(0, 24).join(), 1])
  assert.deepEqual(await names('?limit=25'), [pages.join(), undefined])
  assert.deepEqual(await names('?limit=0'), ['', 25])
  for (const limit of ['-1', '1001', '1.5', 'ten']) {
    const { status, body } = await w.call('GET', `${path}/changes?limit=${limit}`)
    assert.equal(status, 400)
    assert.match(body.error.message, /^query\.limit/)
  }
})

test('the changes of a change request are its own, not those it was updated with', async () => {
  const id = await spaceWith(w, FILES)
  const { id: changeRequest, number } = await changeRequestWith(w, id, FILES)
  const path = `/spaces/${id}/change-requests/${changeRequest}`
  assert.deepEqual(await changesOf(path), { changes: [] }, 'nothing is proposed yet')
  await proposeFiles(w, changeRequest, { ...FILES, 'last.md': '# Last\n\nProposed.\n' })
  await proposeFiles(w, changeRequest, { ...FILES, 'last.md': '# Last\n\nProposed again.\n' })
  const proposed = await changesOf(path)
  assert.deepEqual(told(proposed), ['page_edited Last'])
  assert.deepEqual(blocksOf(proposed.changes[0].attributes), [['inserted', undefined, 'Proposed again.']])
  assert.deepEqual(await changesOf(`/spaces/${id}/change-requests/${number}`), proposed)

  const published = { ...FILES, 'deep.md': '# Deep\n\nDeeper water.\n' }
  await publishFiles(w, id, published)
  assert.deepEqual(await changesOf(path), proposed, 'what happens to the space changes nothing')
  await proposeFiles(w, changeRequest, { ...published, 'last.md': '# Last\n\nProposed again.\n' })
  const head = await headOf(id)
  await w.services.transaction(trx =>
    sql`update change_requests set revision_merged_ancestor_id = ${head} where id = ${changeRequest}`.execute(
      trx,
    ),
  )
  assert.deepEqual(await changesOf(path), proposed, 'what was pulled in is not proposed')
})

test('a revision that merged a change request says which', async () => {
  const id = await spaceWith(w, FILES)
  const { id: changeRequest } = await changeRequestWith(w, id, {
    ...FILES,
    'last.md': '# Last\n\nProposed.\n',
  })
  const path = `/spaces/${id}/change-requests/${changeRequest}`
  const { revision: head } = (await w.call('GET', path)).body
  const base = await headOf(id)
  const { revision: row } = await writeSpaceHead(w.services, {
    spaceId: id,
    base: { revisionId: base, root: await rootOf(base) },
    otherParents: [head],
    type: 'merge',
    mergedFrom: changeRequest,
    createdBy: w.people.admin.id,
    content: { root: await rootOf(head), objects: [] },
  })
  const merged = await changesOf(`/spaces/${id}/revisions/${row.id}`)
  assert.deepEqual(told(merged), ['page_edited Last'])
  assert.equal(merged.mergedFrom.id, changeRequest)
  assert.equal((await changesOf(path)).mergedFrom, undefined)
})

test('a file that is renamed in the repository is listed with the Git metadata, and left out without it', async () => {
  const { 'last.md': last, ...others } = FILES
  const moved = { ...others, 'final.md': last as string }
  const after = { ...moved, 'SUMMARY.md': (FILES['SUMMARY.md'] as string).replace('last.md', 'final.md') }
  const { changes } = await changesBetween(FILES, after)
  assert.deepEqual(told({ changes }), ['page_edited Last'])
  assert.deepEqual(changes[0].attributes.git, { before: { path: 'last.md' }, after: { path: 'final.md' } })
  const without = await changesBetween(FILES, after, '?metadata=false')
  assert.equal(JSON.stringify(without).includes('"git"'), false)
})

test('the answer about a revision is kept and carries an ETag', async () => {
  const id = await spaceWith(w, FILES)
  const path = `/spaces/${id}/revisions/${await headOf(id)}/changes`
  const { headers } = await w.call('GET', path)
  const again = await w.call('GET', path, { headers: { 'if-none-match': headers.etag as string } })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('a revision that is only kept is compared with what it was made of', async () => {
  const id = await spaceWith(w, FILES)
  const head = await headOf(id)
  const { revision } = await keepRevision(w.services, {
    spaceId: id,
    base: { revisionId: head, root: await rootOf(head) },
    type: 'edits',
    createdBy: null,
    edits: new Map([['variable/extra', 'yes']]),
    documents: [],
  })
  assert.deepEqual(await changesOf(`/spaces/${id}/revisions/${revision.id}`), {
    changes: [{ type: 'variables_edited', variables: { extra: { after: 'yes' } } }],
  })
})

test('history and change requests of an open space are not for those who only visit it', async () => {
  const id = await spaceWith(w, FILES, { visibility: 'public' })
  const { id: changeRequest } = await changeRequestWith(w, id, FILES)
  const status = async (path: string, as: 'stranger' | 'guest' | 'read') =>
    (await w.call('GET', `/spaces/${id}${path}/changes`, { as })).status
  const revision = `/revisions/${await headOf(id)}`
  for (const as of ['stranger', 'guest'] as const) {
    assert.equal(await status(revision, as), 403)
    assert.equal(await status(`/change-requests/${changeRequest}`, as), 404)
  }
  assert.equal(await status(revision, 'read'), 200)
  assert.equal(await status(`/change-requests/${changeRequest}`, 'read'), 200)
  assert.equal(await status('/revisions/unknown', 'read'), 404)
})
