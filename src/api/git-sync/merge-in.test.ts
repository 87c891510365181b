// What was written here and what was written in the repository, when both come together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file, importWorld } from '../../../test/support/imports.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { type PageRecord, pageKey } from '../../engines/content/records.ts'
import { publish } from '../heads/publish.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'

const world = await importWorld()
const { services } = world
type Space = { id: string }

const HOME = '# Home\n\nRain falls on the quiet town.\n\nSunlight warms every stone.\n'
const NEXT = '# Next\n\nWind carries old leaves.\n'

const head = async (space: Space) => (await findSpace(services.db, space.id)) as SpaceRow
const contentOf = async (space: Space) => services.contents.get((await head(space)).root_hash.toString('hex'))

async function pageIdOf(space: Space, path: string): Promise<string> {
  const found = [...(await contentOf(space)).pages].find(([, page]) => page.file === path)
  assert.ok(found, path)
  return found[0]
}

/** Edits the text of a page here, as a writer would. */
async function edit(space: Space, path: string, text: string): Promise<void> {
  const id = await pageIdOf(space, path)
  const { revision_id, root_hash } = await head(space)
  const record = (await contentOf(space)).pages.get(id) as PageRecord
  const document = encodeDocument(text)
  await publish(services, {
    spaceId: space.id,
    base: { revisionId: revision_id, root: root_hash.toString('hex') },
    edits: new Map([[pageKey(id), { ...record, document: document.hash }]]),
    documents: [document],
    type: 'edits',
    createdBy: null,
  })
}

const textOf = async (space: Space, path: string): Promise<string> =>
  (await world.get(`/spaces/${space.id}/content/page/${await pageIdOf(space, path)}`)).markdown

async function imported() {
  const space = await world.createSpace()
  const repository = await world.repository([file('README.md', HOME), file('next.md', NEXT)])
  assert.equal((await world.import(space, repository)).state, 'success')
  return { space, repository }
}

const example = await imported()
const start = () => world.copyOf(example)

test('an import keeps what was edited here, and brings what was edited there', async () => {
  const { space, repository } = await start()
  await edit(space, 'README.md', HOME.replace('town.', 'town at night.'))
  await repository.commit({
    changes: [file('README.md', HOME.replace('stone.', 'stone by noon.')), file('new.md', '# New\n')],
  })
  assert.equal((await world.import(space, repository)).state, 'success')
  assert.equal(
    await textOf(space, 'README.md'),
    HOME.replace('town.', 'town at night.').replace('stone.', 'stone by noon.'),
  )
  assert.equal(await textOf(space, 'new.md'), '# New\n')
  await assertLiveRows(services, space.id)
})

test('an edit made here outlives every later import', async () => {
  const { space, repository } = await start()
  await edit(space, 'next.md', `${NEXT}\nWritten here.\n`)
  for (const turn of [1, 2]) {
    await repository.commit({ changes: [file('README.md', `${HOME}\nTurn ${turn}.\n`)] })
    assert.equal((await world.import(space, repository)).state, 'success')
    assert.equal(await textOf(space, 'next.md'), `${NEXT}\nWritten here.\n`)
    assert.equal(await textOf(space, 'README.md'), `${HOME}\nTurn ${turn}.\n`)
  }
  const { items } = await world.get(`/spaces/${space.id}/revisions`)
  assert.equal(items.length, 4, 'what the repository had is beside the history, not in it')
})

test('the same paragraph edited on both sides ends the import, names the page and changes nothing', async () => {
  const { space, repository } = await start()
  await edit(space, 'README.md', HOME.replace('town.', 'town, ours.'))
  const before = (await head(space)).revision_id
  await repository.commit({
    changes: [file('README.md', HOME.replace('town.', 'town, theirs.')), file('new.md', '# New\n')],
  })
  const operation = await world.import(space, repository)
  assert.deepEqual([operation.state, operation.errorCode], ['failure', 'import_conflicts'])
  assert.match(operation.error, /"Home"/)
  assert.equal((await head(space)).revision_id, before)
})

test('a forced import takes the repository’s side where both changed, and keeps the rest of ours', async () => {
  const { space, repository } = await start()
  await edit(space, 'README.md', HOME.replace('town.', 'town, ours.').replace('stone.', 'stone, ours.'))
  await repository.commit({ changes: [file('README.md', HOME.replace('town.', 'town, theirs.'))] })
  const operation = await world.import(space, repository, { force: true })
  assert.equal(operation.state, 'success')
  assert.equal(
    await textOf(space, 'README.md'),
    HOME.replace('town.', 'town, theirs.').replace('stone.', 'stone, ours.'),
  )
})

test('a page deleted there and edited here is a conflict, not a loss', async () => {
  const { space, repository } = await start()
  await edit(space, 'next.md', `${NEXT}\nWritten here.\n`)
  await repository.commit({ changes: [{ path: 'next.md', removed: true }] })
  const operation = await world.import(space, repository)
  assert.equal(operation.errorCode, 'import_conflicts')
  assert.equal(await textOf(space, 'next.md'), `${NEXT}\nWritten here.\n`)
})

test('importing the same commit again changes nothing, however much was edited here', async () => {
  const { space, repository } = await start()
  await edit(space, 'next.md', `${NEXT}\nWritten here.\n`)
  const before = (await head(space)).revision_id
  await world.import(space, repository)
  await world.import(space, repository, { force: true })
  assert.equal((await head(space)).revision_id, before)
})
