// Where a text is in the repository, and as which blob, once it was edited here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestOn, edit, liveAt } from '../../../test/support/edits.ts'
import { file, flattenPages, importWorld } from '../../../test/support/imports.ts'
import type { TestRepository } from '../../../test/support/repositories.ts'

const world = await importWorld()
type Space = { id: string }

const SETUP = '# Set up\n\nFirst paragraph.\n\nSecond paragraph.\n'
const PATHS = ['.gitbook/includes/note.md', 'README.md', 'guides/other.md', 'guides/setup.md']

const imported = async () => {
  const repository = await world.repository([
    file('SUMMARY.md', '* [Welcome](README.md)\n* [Set up](guides/setup.md)\n  * [Other](guides/other.md)\n'),
    file('README.md', '---\ntitle: Welcome\n---\n\nHello.\n'),
    file('guides/setup.md', SETUP),
    file('guides/other.md', '# Other\r\n\r\nText'),
    file('.gitbook/includes/note.md', '# Note\n\nReuse me.\n'),
  ])
  const space = await world.createSpace()
  const operation = await world.import(space, repository)
  assert.equal(operation.state, 'success', operation.error)
  return { space, repository }
}

type Text = { id: string; git?: { oid: string; path: string } }

async function textsOf(space: Space): Promise<Map<string, Text>> {
  const content = await world.get(`/spaces/${space.id}/content`)
  const texts: Text[] = [...flattenPages(content.pages), ...content.reusableContents]
  return new Map(texts.map(text => [text.git?.path ?? '', text]))
}

const idOf = async (space: Space, path: string): Promise<string> => {
  const text = (await textsOf(space)).get(path)
  assert.ok(text, path)
  return text.id
}

/** An export puts each text at its path, as the blob that was named before. */
async function assertExported(space: Space, repository: TestRepository, paths: readonly string[]) {
  const texts = await textsOf(space)
  assert.deepEqual([...texts.keys()].sort(), paths)
  const { state, error, skipped } = await world.export(space, repository)
  assert.deepEqual([state, skipped], ['success', false], error)
  for (const [path, { git }] of texts) {
    const oid = (await repository.git(['rev-parse', `main:${path}`])).toString().trim()
    assert.deepEqual(git, { oid, path })
  }
  const after = await textsOf(space)
  assert.deepEqual([...after.values()], [...texts.values()], 'the export changes nothing that is read')
}

test('texts that were edited, renamed, moved and inserted name the path and the blob that an export writes', async () => {
  const { space, repository } = await imported()
  const [readme, setup, other, note] = await Promise.all(
    ['README.md', 'guides/setup.md', 'guides/other.md', '.gitbook/includes/note.md'].map(path =>
      idOf(space, path),
    ),
  )
  await edit(
    world,
    liveAt(space.id),
    { operation: 'update_page', page: readme, title: 'Hello' },
    { operation: 'update_page', page: setup, document: { markdown: SETUP.replace('First', 'Last') } },
    { operation: 'update_page', page: other, description: 'Ünlike' },
    { operation: 'update_page', page: other, into: null, at: 0 },
    { operation: 'update_reusable_content', reusableContent: note, document: { markdown: 'Again.\n' } },
    { operation: 'insert_page', title: 'New', document: { markdown: '# New\n' }, at: 0 },
  )
  await assertExported(space, repository, [...PATHS, 'new.md'].sort())
})

test('a text that a merge made of two names its path and its blob', async () => {
  const { space, repository } = await imported()
  const page = await idOf(space, 'guides/setup.md')
  const proposed = await changeRequestOn(world, space.id)
  const say = (from: string, to: string) => ({
    ...{ operation: 'update_page', page },
    document: { markdown: SETUP.replace(from, to) },
  })
  await edit(world, proposed, say('First', 'Proposed'))
  await edit(world, liveAt(space.id), say('Second', 'Last'))
  const { status, text } = await world.call('POST', `${proposed.path}/merge`)
  assert.equal(status, 200, text)
  const { markdown } = await world.get(`/spaces/${space.id}/content/page/${page}?format=markdown`)
  assert.equal(markdown, SETUP.replace('First', 'Proposed').replace('Second', 'Last'))
  await assertExported(space, repository, PATHS)
})

test('a text that is written back names the blob of before', async () => {
  const { space } = await imported()
  const page = await idOf(space, 'guides/setup.md')
  const before = await textsOf(space)
  for (const markdown of ['Else.\n', SETUP])
    await edit(world, liveAt(space.id), { operation: 'update_page', page, document: { markdown } })
  assert.deepEqual((await textsOf(space)).get('guides/setup.md')?.git, before.get('guides/setup.md')?.git)
})
