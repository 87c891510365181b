import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { proposeFiles } from '../../../test/support/change-requests.ts'
import { type Files, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { contentOf } from '../../engines/content/content.ts'
import type { Conflict as EngineConflict } from '../../engines/content/merge.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { createUrls } from '../../http/urls.ts'
import { onlyKey } from '../../platform/keys/signing-keys.ts'
import { type ConflictView, toConflicts } from '../conflicts/wire.ts'
import { DESCRIPTION_CHARACTERS_MAX, PAGE_BYTES_MAX } from '../content/bounds.ts'
import { readResolutions } from './resolutions.ts'

const w = await world()

const TEXT = '# Start\n\nWords.\n'

/** A merge of what was proposed into what was published, both upon `base`. */
async function merging(base: Files, proposed: Files, published: Files) {
  const id = await spaceWith(w, base)
  const { body: opened } = await w.call('POST', `/spaces/${id}/change-requests`)
  await proposeFiles(w, opened.id, proposed)
  await publishFiles(w, id, published)
  const path = `/spaces/${id}/change-requests/${opened.id}/merge`
  return { id, merge: async (body: object = {}) => (await w.call('POST', path, { body })).body }
}

/** The one conflict of a merge, settled by `take`; answers the conflict and the content that came of it. */
async function settled(base: Files, proposed: Files, published: Files, take: unknown) {
  const { id, merge } = await merging(base, proposed, published)
  const { conflicts, compared } = await merge()
  assert.equal(conflicts?.length, 1, JSON.stringify(conflicts))
  const answer = await merge({ resolutions: [{ ...conflicts[0], take }], compared })
  assert.equal(answer.result, 'merge', JSON.stringify(answer))
  return { conflict: conflicts[0], content: (await w.call('GET', `/spaces/${id}/content`)).body }
}

test('a variable that both set is settled by a value', async () => {
  const files = (value: string): Files => ({ 'README.md': TEXT, '.gitbook/vars.yaml': `port: "${value}"\n` })
  const { conflict, content } = await settled(files('1'), files('2'), files('3'), { value: '4' })
  const { message, ...told } = conflict
  assert.deepEqual(told, {
    variable: 'port',
    field: 'value',
    kind: 'field',
    base: '1',
    ours: '3',
    theirs: '2',
  })
  assert.equal(message, 'The space and the change request have another value for the variable "port".')
  assert.deepEqual(content.variables, { port: '4' })
})

test('a reusable content that both rewrote is settled by its text', async () => {
  const files = (text: string): Files => ({
    'README.md': `${TEXT}\n{% include ".gitbook/includes/note.md" %}\n`,
    '.gitbook/includes/note.md': `---\ntitle: Note\n---\n\nA note that says ${text}.\n`,
  })
  const { conflict, content } = await settled(files('one'), files('two'), files('three'), {
    markdown: 'A note that says it all.',
  })
  const [reusable] = content.reusableContents
  assert.deepEqual(
    [conflict.reusableContent, conflict.kind, conflict.about.title],
    [reusable.id, 'block', 'Note'],
  )
  assert.deepEqual([conflict.ours, conflict.theirs], ['A note that says three.', 'A note that says two.'])
  assert.match(conflict.message, /of the reusable content "Note"\.$/)
})

test('a picture that both replaced is told by where each can be seen, and one of them is taken', async () => {
  const files = (bytes: string): Files => ({
    'README.md': `${TEXT}\n![](.gitbook/assets/a.png)\n`,
    '.gitbook/assets/a.png': Buffer.from(bytes.repeat(3)),
  })
  const { conflict, content } = await settled(files('a'), files('bb'), files('ccc'), 'theirs')
  assert.deepEqual([conflict.field, conflict.about.title], ['blob', 'a.png'])
  assert.deepEqual([conflict.base.size, conflict.ours.size, conflict.theirs.size], [3, 9, 6])
  assert.match(conflict.ours.downloadURL, /^http:\/\/octavo\.test\/files\/[0-9a-f]{64}\/.*\/a\.png/)
  assert.deepEqual(Object.keys(conflict.ours).sort(), ['contentType', 'downloadURL', 'size'])
  assert.equal(content.files[0].size, 6)
})

test('a title that both changed is settled by a value, in one line', async () => {
  const files = (title: string): Files => ({
    'README.md': TEXT,
    'SUMMARY.md': `* [Start](README.md)\n* [${title}](guide.md)\n`,
    'guide.md': 'Words.\n',
  })
  const { id, merge } = await merging(files('Guide'), files('Handbook'), files('Manual'))
  const { conflicts } = await merge()
  const title = conflicts.find(({ field }: { field: string }) => field === 'title')
  assert.deepEqual([title.base, title.ours, title.theirs], ['Guide', 'Manual', 'Handbook'])
  assert.equal(title.message, 'The space and the change request have another title for the page "Manual".')
  const resolutions = conflicts.map((conflict: { field?: string }) => ({
    ...conflict,
    take: conflict.field === 'title' ? { value: 'Companion' } : 'ours',
  }))
  assert.equal((await merge({ resolutions })).result, 'merge')
  const { body } = await w.call('GET', `/spaces/${id}/content/page/${title.page}`)
  assert.equal(body.title, 'Companion')
})

// ---- what no two people write in a test of some seconds --------------------------------------------------

const page = (title: string, parent: string | null = null): PageRecord => ({
  ...{ type: 'document', title, slug: title.toLowerCase(), parent, children: [], document: null },
})
const view: ConflictView = {
  urls: createUrls('http://octavo.test'),
  signingKey: onlyKey(createSecretKey(Buffer.alloc(32))),
  spaceId: 's',
  sides: { ours: 'change-request', theirs: 'space' },
  contents: [
    contentOf([
      ['tree', { children: ['a'] }],
      ['page/a', { ...page('A'), children: ['b'] }],
      ['page/b', page('B', 'a')],
    ]),
  ],
}

const conflict = (more: Partial<EngineConflict>): EngineConflict => ({
  ...{ kind: 'field', key: 'page/a', base: null, ours: null, theirs: null },
  ...more,
})
const told = (more: Partial<EngineConflict>) => toConflicts(view, [conflict(more)]).conflicts[0]

test('every kind of conflict is told in words, by what people call the pages and the sides', () => {
  for (const [more, message] of [
    [
      { kind: 'cycle', field: 'parent', pages: ['b'] },
      'The change request and the space moved the page "A" and "B" below each other.',
    ],
    [
      { kind: 'deleted', field: 'existence', ours: page('A'), pages: ['a', 'b'] },
      'The space deleted the page "A", and the change request changed it, or what is below it: "B".',
    ],
    [
      { kind: 'block', block: 'k', base: 'x', ours: null, theirs: 'y' },
      'The change request removed a block of the page "A", and the space changed it.',
    ],
    [
      { kind: 'slug', field: 'slug', ours: 'a', pages: ['b'] },
      'The page "A" and "B" would have one address: the slug "a" is taken. Give this page another as a value.',
    ],
    [
      { kind: 'tree', field: 'parent' },
      'Where the change request and the space put the page "A", it would be too deep.',
    ],
    [
      { kind: 'tree', key: 'tree' },
      'The pages of the change request and the space form no valid tree together. Take one side as a whole, or move pages apart and merge again.',
    ],
    [
      { field: 'variables.port' },
      'The change request and the space have another value of the variable "port" for the page "A".',
    ],
    [
      { key: 'git/summary', field: 'document' },
      'The change request and the space have another text for SUMMARY.md.',
    ],
  ] as const)
    assert.equal(told(more)?.message, message)
  assert.deepEqual(told({ kind: 'cycle', field: 'parent', pages: ['b'] })?.pages, [
    { id: 'b', title: 'B', path: 'a/b' },
  ])
})

test('records are told by what can be asked for, and no hash gets out', () => {
  const document = 'f'.repeat(64)
  const existence = told({ kind: 'deleted', field: 'existence', ours: { ...page('A'), document } })
  assert.equal(JSON.stringify(existence).includes(document), false)
  assert.deepEqual(Object.keys(existence?.ours as object).sort(), [
    'documentId',
    'parent',
    'slug',
    'title',
    'type',
  ])
})

test('an answer is bounded in conflicts, in texts and altogether, and says what it left out', () => {
  const many = toConflicts(view, Array(1_500).fill(conflict({ field: 'title' })))
  assert.deepEqual([many.conflicts.length, many.more], [1_000, 500])
  const long = 'x'.repeat(300_000)
  const [cut] = toConflicts(view, [
    conflict({ kind: 'block', block: 'k', ours: long, theirs: 'y' }),
  ]).conflicts
  assert.deepEqual([String(cut?.ours).length, cut?.theirs, cut?.isCut], [256 * 1024, 'y', true])
  const heavy = toConflicts(
    view,
    Array(100).fill(conflict({ kind: 'block', block: 'k', ours: long, theirs: long })),
  )
  assert.ok(JSON.stringify(heavy).length < 9_000_000)
  assert.equal(heavy.conflicts.length + (heavy.more ?? 0), 100)
})

test('a conflict is addressed by what it is of: its members are those of a resolution', () => {
  for (const [key, address] of [
    ['tree', { key: 'tree' }],
    ['git/summary', { key: 'git/summary' }],
    ['git/config', { key: 'git/config' }],
    ['page/a', { page: 'a' }],
    ['file/a', { file: 'a' }],
    ['reusable/a', { reusableContent: 'a' }],
    ['variable/a', { variable: 'a' }],
  ] as const) {
    const { page, file, reusableContent, variable, key: other } = told({ key, field: 'document' }) ?? {}
    const members = { page, file, reusableContent, variable, key: other }
    assert.deepEqual(JSON.parse(JSON.stringify(members)), address)
    assert.equal(readResolutions([{ ...address, field: 'document', take: 'ours' }])[0]?.key, key)
  }
})

test('a description that is given as a value is a text that can be stored, within its bound', () => {
  const read = (value: string | number | boolean) =>
    readResolutions([{ page: 'a', field: 'description', take: { value } }])[0]?.take
  for (const value of ['x', 'Two\nlines', 'x'.repeat(DESCRIPTION_CHARACTERS_MAX)])
    assert.deepEqual(read(value), { value })
  for (const value of ['', 1, true, 'x'.repeat(DESCRIPTION_CHARACTERS_MAX + 1), 'a\0b', '\ud800'])
    assert.throws(() => read(value), /take\.value: must be 1 to 2000 characters\.$/)
})

test('the name that a file is given has no folders', async () => {
  const { merge } = await merging({ 'README.md': TEXT }, { 'README.md': TEXT }, { 'README.md': TEXT })
  for (const value of ['../a.png', 'a\\b.png']) {
    const { error } = await merge({ resolutions: [{ file: 'any', field: 'name', take: { value } }] })
    assert.match(error.message, /^body\.resolutions\.0\.take\.value: .* without a folder/)
  }
})

test('a page that would be too large once merged is refused, and mergeability says so beforehand', async () => {
  const long = `${'x'.repeat(1000)}\n`.repeat(Math.ceil((PAGE_BYTES_MAX * 0.6) / 1001))
  const { id, merge } = await merging(
    { 'README.md': TEXT },
    { 'README.md': `${TEXT}\n${long}` },
    { 'README.md': `${long}\n${TEXT}` },
  )
  const { error } = await merge()
  assert.equal(error.code, 409)
  assert.match(error.message, /the text of a page would have more than \d+ bytes/)
  const { status, body } = await w.call('GET', `/spaces/${id}/change-requests/1/mergeability`)
  assert.deepEqual([status, body.mergeable, body.reasons], [200, false, [error.message]])
})

test('frontmatter is merged by key, and a key with two values is told by its name', async () => {
  const files = (author: string, reviewed: string): Files => ({
    'README.md': `---\nauthor: ${author}\nreviewed: ${reviewed}\n---\n\n${TEXT}`,
  })
  const { conflict, content } = await settled(files('a', '1'), files('b', '2'), files('c', '1'), 'theirs')
  const { message, block, base, ours, theirs } = conflict
  assert.deepEqual(
    { block, base, ours, theirs },
    { block: 'frontmatter.author', base: 'author: a', ours: 'author: c', theirs: 'author: b' },
  )
  assert.equal(
    message,
    'The space and the change request have another value for "author" in the frontmatter of the page "Start".',
  )
  assert.equal(content.pages.length, 1)
})
