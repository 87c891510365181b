// Comments stay with what they are about while content changes under them: on a space, and on a change request.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { testEngine } from '../../../test/support/database.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { type Files, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { comparer } from './follow.ts'
import { insertComment, lockHead } from './rows.ts'

const w = await world()

const PAGE = `# Start

The first paragraph is about apples.

The second paragraph is about trains.

| Fruit | Colour |
| --- | --- |
| apple | red |
| pear | green |
`
const FILES = { 'README.md': PAGE, 'other.md': '# Other\n\nSomething else.\n' }

type Somewhere = { readonly path: string; edit(files: Files): Promise<void> }

const onSpace = async (): Promise<Somewhere> => {
  const spaceId = await spaceWith(w, FILES)
  return { path: `/spaces/${spaceId}`, edit: files => publishFiles(w, spaceId, files) }
}

const onChangeRequest = async (): Promise<Somewhere> => {
  return changeRequestOn(await spaceWith(w, FILES))
}

async function changeRequestOn(spaceId: string): Promise<Somewhere> {
  const { id } = await changeRequestWith(w, spaceId, FILES)
  return {
    path: `/spaces/${spaceId}/change-requests/${id}`,
    edit: files => proposeFiles(w, id, files),
  }
}

type Target = {
  page?: { id: string }
  node?: { id: string }
  tableCell?: { record: string; definition: string }
  outdated?: true
}

/** The blocks of a page as a client finds them: the key of each by what it says. */
async function keysOf(at: Somewhere, page: string): Promise<Map<string, string>> {
  const { body } = await w.call('GET', `${at.path}/content/page/${page}?format=document`)
  const wordsOf = (node: unknown): string =>
    [...JSON.stringify(node).matchAll(/"text":"([^"]*)"/g)].map(([, words]) => words).join(' ')
  return new Map(body.document.nodes.map((node: { key: string }) => [wordsOf(node), node.key]))
}

async function keyOf(at: Somewhere, page: string, words: string): Promise<string> {
  const found = [...(await keysOf(at, page))].find(([text]) => text.includes(words))
  assert.ok(found, words)
  return found[1]
}

const pageOf = async (at: Somewhere, place = 0): Promise<string> =>
  (await w.call('GET', `${at.path}/content/pages`)).body.pages[place].id

async function comment(at: Somewhere, on: object): Promise<() => Promise<Target>> {
  const { status, body, text } = await w.call('POST', `${at.path}/comments`, {
    body: { body: { markdown: 'Here.' }, ...on },
  })
  assert.equal(status, 200, text)
  return async () => (await w.call('GET', `${at.path}/comments/${body.id}`)).body.target
}

for (const [name, make] of [
  ['a space', onSpace],
  ['a change request', onChangeRequest],
] as const) {
  describe(`a comment on ${name}`, () => {
    test('follows its block through an edit and a move, and a cell its row', async () => {
      const at = await make()
      const page = await pageOf(at)
      const apples = await comment(at, { page, node: await keyOf(at, page, 'apples') })
      const trains = await comment(at, { page, node: await keyOf(at, page, 'trains') })
      const tableCell = { record: 'r2', definition: 'c2' }
      const pear = await comment(at, { page, node: await keyOf(at, page, 'pear'), tableCell })
      const unmoved = (await trains()).node
      const edited = PAGE.replace('about apples', 'about red apples').replace(
        '| apple | red |',
        '| plum | blue |\n| apple | red |',
      )
      await at.edit({ ...FILES, 'README.md': edited })
      assert.deepEqual((await apples()).node, { id: await keyOf(at, page, 'red apples') })
      assert.deepEqual((await trains()).node, unmoved)
      assert.deepEqual((await pear()).node, { id: await keyOf(at, page, 'pear') })
      assert.deepEqual((await pear()).tableCell, { record: 'r3', definition: 'c2' })
      await at.edit({
        ...FILES,
        'README.md': `# Start\n\n${edited.split('\n\n').slice(1).reverse().join('\n\n')}`,
      })
      assert.deepEqual((await apples()).node, { id: await keyOf(at, page, 'red apples') })
      assert.equal((await apples()).outdated, undefined)
    })

    test('is outdated on its page when its block goes, and current when the block is back', async () => {
      const at = await make()
      const page = await pageOf(at)
      const before = { page: { id: page }, node: { id: await keyOf(at, page, 'trains') } }
      const trains = await comment(at, { page, node: before.node.id })
      await at.edit({ ...FILES, 'README.md': PAGE.replace('The second paragraph is about trains.\n\n', '') })
      const gone = await trains()
      assert.deepEqual([gone.page, gone.node, gone.outdated], [before.page, before.node, true])
      await at.edit(FILES)
      const back = await trains()
      assert.deepEqual([back.page, back.node, back.outdated], [before.page, before.node, undefined])
    })

    test('is outdated when its page goes; others are not touched', async () => {
      const at = await make()
      const [start, other] = [await pageOf(at), await pageOf(at, 1)]
      const onPage = await comment(at, { page: other })
      const onBlock = await comment(at, { page: other, node: await keyOf(at, other, 'Something else') })
      const elsewhere = await comment(at, { page: start })
      const nowhere = await comment(at, {})
      await at.edit({ 'README.md': PAGE })
      assert.deepEqual(
        await Promise.all([onPage, onBlock, elsewhere, nowhere].map(async read => (await read()).outdated)),
        [true, true, undefined, undefined],
      )
      assert.deepEqual((await onPage()).page, { id: other })
      assert.equal((await w.call('GET', `${at.path}/comments?targetPage=${other}`)).body.count, 2)
      const refused = await w.call('POST', `${at.path}/comments`, {
        body: { body: { markdown: 'Late.' }, page: other },
      })
      assert.equal(refused.status, 400)
    })
  })
}

test('an edit of a change request moves no comments of its space, and an edit of the space none of the change request', async () => {
  const space = await spaceWith(w, FILES)
  const onSpaceItself = { path: `/spaces/${space}`, edit: (files: Files) => publishFiles(w, space, files) }
  const inChangeRequest = await changeRequestOn(space)
  const page = await pageOf(onSpaceItself)
  const node = await keyOf(onSpaceItself, page, 'trains')
  const here = await comment(onSpaceItself, { page, node })
  const there = await comment(inChangeRequest, { page, node })
  const edited = { ...FILES, 'README.md': PAGE.replace('about trains', 'about slow trains') }
  await inChangeRequest.edit(edited)
  assert.deepEqual([(await here()).node?.id, (await here()).outdated], [node, undefined])
  assert.deepEqual((await there()).node, { id: await keyOf(inChangeRequest, page, 'slow trains') })
  await onSpaceItself.edit({ ...FILES, 'README.md': '# Start\n' })
  assert.equal((await here()).outdated, true)
  assert.equal((await there()).outdated, undefined)
})

test('a comment on an unchanged block is not written', async () => {
  const space = await spaceWith(w, FILES)
  const at = { path: `/spaces/${space}`, edit: (files: Files) => publishFiles(w, space, files) }
  const page = await pageOf(at)
  const read = await comment(at, { page, node: await keyOf(at, page, 'trains') })
  // Of PostgreSQL: the transaction that wrote the row last.
  const writtenBy = async () =>
    (
      await sql<{ xmin: string }>`select xmin::text from comments where space_id = ${space}`.execute(
        w.services.db,
      )
    ).rows
  const before = await writtenBy()
  await at.edit({ ...FILES, 'other.md': '# Other\n\nChanged.\n' })
  await at.edit({ ...FILES, 'README.md': PAGE.replace('apples', 'plums') })
  assert.deepEqual(await writtenBy(), before)
  assert.equal((await read()).outdated, undefined)
})

test('comments posted while pages change are on existing blocks', async () => {
  const space = await spaceWith(w, FILES)
  const at = { path: `/spaces/${space}`, edit: (files: Files) => publishFiles(w, space, files) }
  const page = await pageOf(at)
  const words = ['trains', 'ships', 'planes', 'horses', 'trams']
  const edit = async () => {
    for (const word of words) await at.edit({ ...FILES, 'README.md': PAGE.replace('trains', word) })
  }
  const say = async () => {
    const made: (() => Promise<Target>)[] = []
    for (let n = 0; n < 12; n += 1) {
      const node = await keyOf(at, page, 'The second paragraph')
      const posted = await w.call('POST', `${at.path}/comments`, {
        body: { body: { markdown: `${n}` }, page, node },
      })
      // The block may have changed since it was read: then the request fails.
      assert.ok([200, 400].includes(posted.status), posted.text)
      if (posted.status === 200)
        made.push(async () => (await w.call('GET', `${at.path}/comments/${posted.body.id}`)).body.target)
    }
    return made
  }
  const [made] = await Promise.all([say(), edit()])
  assert.ok(made.length > 0)
  const node = await keyOf(at, page, 'trams')
  for (const read of made) {
    const target = await read()
    assert.deepEqual([target.node, target.outdated], [{ id: node }, undefined])
  }
})

for (const [name, make] of [
  ['a space', onSpace],
  ['a change request', onChangeRequest],
] as const)
  test(`a comment that an edit of ${name} waits for follows its block through that edit`, async () => {
    const at = await make()
    const [, , space = '', , changeRequestId = null] = at.path.split('/')
    const page = await pageOf(at)
    const node = await keyOf(at, page, 'trains')
    const isHeld = Promise.withResolvers<void>()
    const changeRequest = changeRequestId === null ? null : { id: changeRequestId }
    const posting = w.services.transaction(async trx => {
      const revisionId = await lockHead(trx, { space: { id: space }, changeRequest })
      isHeld.resolve()
      // The embedded database has one session, and nobody to wait for.
      if (testEngine !== 'embedded') await untilSomebodyWaits(trx)
      return insertComment(trx, {
        id: newId(),
        space_id: space,
        change_request_id: changeRequestId,
        revision_id: revisionId,
        page_id: page,
        node,
        body: 'Here.',
        posted_by: w.people.admin.id,
      })
    })
    await isHeld.promise
    const edited = { ...FILES, 'README.md': PAGE.replace('about trains', 'about slow trains') }
    const [{ id }] = await Promise.all([posting, at.edit(edited)])
    const { body } = await w.call('GET', `${at.path}/comments/${id}`)
    assert.deepEqual(body.target.node, { id: await keyOf(at, page, 'slow trains') })
  })

test('on a long page a comment follows its block too', async () => {
  const long = `${PAGE}\n${'Words that fill the page.\n\n'.repeat(100)}`
  const spaceId = await spaceWith(w, { ...FILES, 'README.md': long })
  const at = { path: `/spaces/${spaceId}`, edit: (files: Files) => publishFiles(w, spaceId, files) }
  const page = await pageOf(at)
  const trains = await comment(at, { page, node: await keyOf(at, page, 'trains') })
  await at.edit({ ...FILES, 'README.md': long.replace('about trains', 'about long trains') })
  assert.deepEqual((await trains()).node, { id: await keyOf(at, page, 'long trains') })
})

test('a transaction compares pages for so long; the comments of further pages become outdated', async () => {
  const anchors = [{ node: 'b1', cell: null, isOutdated: false }]
  const following = { before: PAGE, after: `${PAGE}More.`, anchors }
  let compared = 0
  const compute = {
    run: async () => {
      compared += 1
      return { kind: 'done', value: anchors } as never
    },
  }
  assert.deepEqual(await comparer(compute, 'a space', 60_000)(following), anchors)
  assert.deepEqual(await comparer(compute, 'a space', 0)(following), [{ ...anchors[0], isOutdated: true }])
  assert.equal(compared, 1)
})
