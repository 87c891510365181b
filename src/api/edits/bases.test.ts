// Edits that say in which revision their page was read: they are merged with what came since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Change,
  changeRequestOn,
  type EditTarget,
  edit,
  headOf,
  idAt,
  liveAt,
  pagesOf,
  readPage,
  refused,
  untilServed,
  write,
} from '../../../test/support/edits.ts'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { PAGE_BYTES_MAX } from '../content/bounds.ts'
import { keepRevision } from '../heads/publish.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'

const w = await world()

const TEXT = '# Page\n\nFirst block.\n\nSecond block.\n\nThird block.\n'
const SITE = { 'README.md': '# Start\n', 'page.md': TEXT, 'other.md': '# Other\n\nWords.\n' }

/** The same for a space and for a change request of it. */
const targets: readonly (readonly [string, () => Promise<EditTarget>])[] = [
  ['a space', async () => liveAt(await spaceWith(w, SITE))],
  ['a change request', async () => changeRequestOn(w, await spaceWith(w, SITE))],
]

/** A page as somebody reads it: its id, its text and the revision that has it. */
async function read(at: EditTarget, path = 'page') {
  const page = await idAt(w, at, path)
  const { body, headers } = await w.call('GET', `${at.path}/content/page/${page}`)
  return { page, base: headers['octavo-revision'] as string, markdown: body.markdown as string }
}

const textOf = async (at: EditTarget, page: string): Promise<string> => (await readPage(w, at, page)).markdown

const updating = (
  { page, base, markdown }: Awaited<ReturnType<typeof read>>,
  from: string,
  to: string,
): Change => ({ operation: 'update_page', page, base, document: { markdown: markdown.replace(from, to) } })

/** Expects a conflict and that nothing of the request was applied. */
async function conflicted(at: EditTarget, ...changes: Change[]) {
  const head = await headOf(w, at)
  const { status, body } = await write(w, at, changes)
  assert.deepEqual([status, body.error.reason], [409, 'edit_conflicts'], JSON.stringify(body))
  assert.equal(await headOf(w, at), head, 'the head stays')
  assert.equal(body.revision, head)
  return body.conflicts
}

for (const [name, make] of targets) {
  test(`two people who change different blocks of one page of ${name} both get theirs`, async () => {
    const at = await make()
    const seen = await read(at)
    assert.deepEqual((await edit(w, at, updating(seen, 'First', 'Mine: first'))).merged, [])
    const { merged } = await edit(w, at, updating(seen, 'Third', 'Theirs: third'))
    assert.deepEqual(merged, [seen.page])
    assert.equal(
      await textOf(at, seen.page),
      TEXT.replace('First', 'Mine: first').replace('Third', 'Theirs: third'),
    )
    await assertLiveRows(w.services, at.spaceId)
  })

  test(`two people who change the same block of a page of ${name}: the second is told both, and nothing is written`, async () => {
    const at = await make()
    const seen = await read(at)
    await edit(w, at, updating(seen, 'Second block', 'Second, mine'))
    const [conflict, ...others] = await conflicted(at, updating(seen, 'Second block', 'Second, theirs'))
    assert.equal(others.length, 0)
    const { page, kind, base, ours, theirs, message } = conflict
    assert.deepEqual([page, kind], [seen.page, 'block'])
    assert.deepEqual([base, ours, theirs], ['Second block.', 'Second, mine.', 'Second, theirs.'])
    assert.match(message, /your edit changed the same lines of the page "Page"/)
    assert.equal(await textOf(at, seen.page), TEXT.replace('Second block', 'Second, mine'))
  })
}

test('people who change different pages get in nobody’s way, and nothing is merged', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const [seen, other] = [await read(at), await read(at, 'other')]
  await edit(w, at, updating(other, 'Words', 'Other words'))
  assert.deepEqual((await edit(w, at, updating(seen, 'First', 'My first'))).merged, [])
  assert.equal(await textOf(at, other.page), '# Other\n\nOther words.\n')
  assert.equal(await textOf(at, seen.page), TEXT.replace('First', 'My first'))
})

test('a text that is written while its page is moved and gets another slug is that of the page where it is then', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  const other = await idAt(w, at, 'other')
  await edit(w, at, { operation: 'update_page', page: seen.page, into: other, slug: 'moved' })
  await edit(
    w,
    at,
    { operation: 'insert_page', title: 'Below', document: {}, into: seen.page },
    updating(seen, 'First', 'My first'),
  )
  assert.equal(await idAt(w, at, 'other/moved'), seen.page)
  await idAt(w, at, 'other/moved/below')
  assert.equal(await textOf(at, seen.page), TEXT.replace('First', 'My first'))
})

test('what others did with the place of a page and below it stays, and the last word about its place counts', async () => {
  const at = liveAt(await spaceWith(w, { ...SITE, 'page/child.md': '# Child\n' }))
  const seen = await read(at)
  const [other, child] = [await idAt(w, at, 'other'), await idAt(w, at, 'page/child')]
  const below = (title: string) => ({
    ...{ operation: 'insert_page', title, into: seen.page },
    document: { markdown: `# ${title}\n` },
  })
  const place = { operation: 'update_page', page: seen.page, into: other, slug: 'moved' }
  const away = { operation: 'update_page', page: child, into: other }
  await edit(w, at, updating(seen, 'First', 'Their first'), place, below('Theirs'), away)
  const { merged, changes } = await edit(w, at, updating(seen, 'Third', 'My third'), below('Mine'))
  assert.deepEqual(merged, [seen.page])
  assert.deepEqual(
    [...(await pagesOf(w, at)).keys()],
    ['readme', 'other', 'other/moved', 'other/moved/theirs', 'other/moved/mine', 'other/child'],
  )
  assert.equal(await textOf(at, changes[1].page.id), '# Mine\n')
  await edit(w, at, { ...updating(seen, 'Third', 'My third'), into: null, slug: 'mine' })
  assert.equal(await idAt(w, at, 'mine'), seen.page)
  assert.match(await textOf(at, seen.page), /Their first.*My third/s)
  await assertLiveRows(w.services, at.spaceId)
})

test('a title and a text that are changed at once are both there, and of two titles neither is lost', async () => {
  const at = liveAt(await spaceWith(w, { ...SITE, 'page.md': TEXT.replace('# Page\n\n', '') }))
  const seen = await read(at)
  const titled = (title: string) => ({
    ...{ operation: 'update_page', page: seen.page, base: seen.base, title },
  })
  await edit(w, at, updating(seen, 'First', 'My first'))
  const { merged } = await edit(w, at, titled('Another title'))
  assert.deepEqual(merged, [seen.page])
  const { title, markdown } = await readPage(w, at, seen.page)
  assert.equal(title, 'Another title')
  assert.match(markdown, /My first block\.\n\nSecond/)
  const conflicts = await conflicted(at, titled('A third title'))
  assert.deepEqual(
    conflicts
      .filter(({ field }: { field?: string }) => field === 'title')
      .map(({ base, ours, theirs }: Change) => [base, ours, theirs]),
    [['Page', 'Another title', 'A third title']],
  )
})

test('frontmatter that others have changed stays, and a field that both have changed is a conflict', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  const described = (description: string) => ({
    ...{ operation: 'update_page', page: seen.page, base: seen.base, description },
  })
  await edit(w, at, described('What it is about'))
  await edit(w, at, updating(seen, 'Third', 'My third'))
  const { description, markdown } = await readPage(w, at, seen.page)
  assert.equal(description, 'What it is about')
  assert.match(markdown, /^---\ndescription: What it is about\n---\n.*My third block/s)
  assert.ok((await conflicted(at, described('Something else'))).length > 0)
})

test('a text for a page that was deleted since is refused with what it was', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  await edit(w, at, { operation: 'delete_page', page: seen.page })
  const [conflict] = await conflicted(at, updating(seen, 'First', 'My first'))
  assert.deepEqual([conflict.page, conflict.kind, conflict.field], [seen.page, 'deleted', 'existence'])
  assert.equal(conflict.message, 'The space deleted the page "Page", and your edit changed it.')
  assert.deepEqual([conflict.base.title, conflict.ours], ['Page', null])
})

test('a base is a revision of the content that is written; any other is refused like an unknown revision', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const changeRequest = await changeRequestOn(w, at.spaceId)
  const seen = await read(at)
  await edit(w, changeRequest, { operation: 'update_page', page: seen.page, title: 'Proposed' })
  await edit(w, at, { operation: 'update_page', page: seen.page, title: 'Live' })
  const secondOfSpace = await headOf(w, at)
  const nowhere = 'a'.repeat(26)
  const elsewhere = await headOf(w, liveAt(await spaceWith(w, SITE)))
  const beside = await changeRequestOn(w, at.spaceId)
  await edit(w, beside, { operation: 'update_page', page: seen.page, title: 'Beside' })
  const space = (await findSpace(w.services.db, at.spaceId)) as SpaceRow
  const { revision: kept } = await keepRevision(w.services, {
    ...{ spaceId: space.id, type: 'edits', createdBy: null, documents: [] },
    base: { revisionId: space.revision_id, root: space.root_hash.toString('hex') },
    edits: new Map([['variable/preview', true]]),
  })
  const words = (base: string) => [updating({ ...seen, base }, 'First', 'My first')]
  const expected = await refused(w, at, words(nowhere))
  assert.match(expected, /^body\.changes\.0\.base: .*Send the Octavo-Revision/)
  for (const base of [elsewhere, await headOf(w, changeRequest), kept.id])
    assert.equal(await refused(w, at, words(base)), expected)
  for (const base of [elsewhere, secondOfSpace, await headOf(w, beside), nowhere])
    assert.equal(await refused(w, changeRequest, words(base)), expected)
  // What the change request starts from.
  await edit(w, changeRequest, ...words(seen.base))
})

test('a page has one base in a request, and each page its own', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  await edit(w, at, updating(seen, 'First', 'Their first'))
  const other = await read(at, 'other')
  assert.notEqual(other.base, seen.base)
  await edit(w, at, updating(other, 'Words', 'Their words'))
  const { merged } = await edit(
    w,
    at,
    updating(seen, 'Third', 'My third'),
    updating(other, '# Other', '# Mine'),
  )
  assert.deepEqual(merged, [seen.page, other.page])
  assert.equal(await textOf(at, other.page), '# Mine\n\nTheir words.\n')
  assert.match(
    await refused(w, at, [
      updating(seen, 'Second', 'My second'),
      { ...updating(seen, 'Second', 'My second'), base: other.base },
    ]),
    /^body\.changes\.1\.base: an earlier change to this page has another base/,
  )
})

test('a base that does not have the page yet is refused, and one that says nothing else changes nothing', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const base = await headOf(w, at)
  const { changes } = await edit(w, at, {
    operation: 'insert_page',
    title: 'New',
    document: { markdown: TEXT },
  })
  const page = changes[0].page.id
  assert.match(
    await refused(w, at, [updating({ page, base, markdown: TEXT }, 'First', 'My first')]),
    /^body\.changes\.0\.base: this revision does not have the page yet/,
  )
  assert.match(
    await refused(w, at, [{ operation: 'update_page', page, base: await headOf(w, at) }]),
    /this change changes nothing/,
  )
})

test('the same change by both is there once, and writes no second revision', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  const { revision } = await edit(w, at, updating(seen, 'First', 'The first'))
  assert.equal((await edit(w, at, updating(seen, 'First', 'The first'))).revision, revision)
  assert.equal(await textOf(at, seen.page), TEXT.replace('First', 'The first'))
})

test('a page that already is as others have written it keeps the time of their edit', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const [seen, other] = [await read(at), await read(at, 'other')]
  const same = updating(seen, 'First', 'The first')
  await edit(w, at, same, updating(other, 'Words', 'Other words'))
  const before = await readPage(w, at, seen.page)
  await edit(w, at, same, updating(other, '# Other', '# Another'))
  assert.deepEqual(await readPage(w, at, seen.page), before)
  assert.equal(await textOf(at, other.page), '# Another\n\nOther words.\n')
})

test('with If-Match the head itself has to be the revision, and nothing is merged', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  await edit(w, at, updating(seen, 'First', 'Their first'))
  const mine = [updating(seen, 'Third', 'My third')]
  const { status } = await write(w, at, mine, { headers: { 'if-match': `"${seen.base}"` } })
  assert.equal(status, 412)
  const head = { 'if-match': `"${await headOf(w, at)}"` }
  assert.deepEqual((await write(w, at, mine, { headers: head })).body.merged, [seen.page])
})

test('a merge is repeated under its key as it was, and a conflict leaves the key for another try', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  await edit(w, at, updating(seen, 'First', 'Their first'))
  const keyed = (key: string, change: Change) =>
    write(w, at, [change], { headers: { 'idempotency-key': key } })
  const merged = await keyed('merged', updating(seen, 'Third', 'My third'))
  const again = await keyed('merged', updating(seen, 'Third', 'My third'))
  assert.deepEqual([again.status, again.body], [200, merged.body])
  const same = updating(seen, 'First', 'My first')
  assert.equal((await keyed('conflict', same)).status, 409)
  await edit(w, at, { operation: 'update_page', page: seen.page, document: { markdown: TEXT } })
  assert.equal((await keyed('conflict', same)).status, 200)
})

test('20 writers with one base, each of another block of one page: all of it is there', async () => {
  const blocks = Array.from({ length: 20 }, (_, n) => `Block number ${n}.`)
  const at = liveAt(await spaceWith(w, { ...SITE, 'page.md': `# Page\n\n${blocks.join('\n\n')}\n` }))
  const seen = await read(at)
  const replies = await Promise.all(
    blocks.map(block =>
      untilServed(() => write(w, at, [updating(seen, block, block.replace('Block', 'Edited block'))])),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(await textOf(at, seen.page), seen.markdown.replaceAll('Block', 'Edited block'))
  await assertLiveRows(w.services, at.spaceId)
})

test('a text that was read before its change request was updated is merged with what came from the space', async () => {
  const live = liveAt(await spaceWith(w, SITE))
  const at = await changeRequestOn(w, live.spaceId)
  const seen = await read(at)
  await edit(w, live, updating(await read(live), 'First', 'Live first'))
  assert.equal((await w.call('POST', `${at.path}/update`)).status, 200)
  const fromSpace = await read(live)
  assert.deepEqual((await edit(w, at, updating(seen, 'Third', 'My third'))).merged, [seen.page])
  // What it was updated from is a base, too.
  await edit(w, at, updating(fromSpace, 'Second', 'My second'))
  assert.equal(
    await textOf(at, seen.page),
    TEXT.replace('First', 'Live first').replace('Second', 'My second').replace('Third', 'My third'),
  )
})

type Leaf = { text: string }
type Node = { key?: string; nodes?: Node[]; leaves?: Leaf[] }

/** The texts of a rich document with their words changed. */
function retell(nodes: readonly Node[], from: string, to: string): void {
  for (const { nodes: inside = [], leaves = [] } of nodes) {
    for (const leaf of leaves) leaf.text = leaf.text.replace(from, to)
    retell(inside, from, to)
  }
}

test('a rich document is written over the text that it was read from, and then merged', async () => {
  const markdown = `# Page\n\n*   First item\n*   Second item\n\nSee [other](other.md) and [later](later.md).\n\n${TEXT.slice(8)}`
  const at = liveAt(await spaceWith(w, { ...SITE, 'page.md': markdown }))
  const seen = await read(at)
  const { body } = await w.call('GET', `${at.path}/content/page/${seen.page}?format=document`)
  await edit(w, at, updating(seen, 'Third', 'Their third'), {
    operation: 'delete_page',
    page: await idAt(w, at, 'other'),
  })
  retell(body.document.nodes, 'First item', 'My first item')
  const mine = { ...updating(seen, '', ''), document: { document: body.document } }
  const { merged, unwritten } = await edit(w, at, mine)
  assert.deepEqual([merged, unwritten], [[seen.page], []])
  assert.equal(
    await textOf(at, seen.page),
    markdown.replace('First item', 'My first item').replace('Third', 'Their third'),
  )
  retell(body.document.nodes, 'Third', 'My third')
  const [conflict] = await conflicted(at, mine)
  assert.deepEqual([conflict.ours, conflict.theirs], ['Their third block.', 'My third block.'])
})

for (const isPageChanged of [false, true])
  test(`a text leads to pages that were made after it was read, ${isPageChanged ? 'also when it is merged' : 'when others left its page alone'}`, async () => {
    const at = liveAt(await spaceWith(w, SITE))
    const seen = await read(at)
    const { changes } = await edit(w, at, {
      operation: 'insert_page',
      title: 'Later',
      document: { markdown: '# Later\n' },
    })
    if (isPageChanged) await edit(w, at, updating(seen, 'First', 'Their first'))
    const link = `[later](/pages/${changes[0].page.id})`
    const { unresolved } = await edit(w, at, updating(seen, 'Third', link))
    assert.deepEqual(unresolved, [])
    assert.match(await textOf(at, seen.page), /\[later\]\(later\.md\) block/)
  })

test('a text for a page that an import has given another path is merged with the text that it has there', async () => {
  const text = `${TEXT}\nSee [other](other.md).\n\n${'More words of it, in a block of its own.\n\n'.repeat(20)}The end.\n`
  const summary = '* [Start](README.md)\n* [Page](page.md)\n* [Other](other.md)\n'
  const files = { 'README.md': '# Start\n', 'SUMMARY.md': summary, 'page.md': text, 'other.md': '# Other\n' }
  const at = liveAt(await spaceWith(w, files))
  const seen = await read(at)
  const { 'page.md': _, ...rest } = files
  const moved = text.replace('(other.md)', '(../other.md)').replace('First', 'Their first')
  await publishFiles(w, at.spaceId, {
    ...rest,
    'SUMMARY.md': summary.replace('(page.md)', '(folder/page.md)'),
    'folder/page.md': moved,
  })
  await edit(w, at, updating(seen, 'The end', 'My end'))
  assert.equal(await textOf(at, seen.page), moved.replace('The end', 'My end'))
  await assertLiveRows(w.services, at.spaceId)
})

test('a text that would be too long once merged is refused', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const seen = await read(at)
  const long = `${'x'.repeat(1000)}\n`.repeat(Math.ceil((PAGE_BYTES_MAX * 0.6) / 1001))
  await edit(w, at, updating(seen, 'First', `${long}\n\nFirst`))
  const { status, body } = await write(w, at, [updating(seen, 'Third', `${long}\n\nThird`)])
  assert.deepEqual([status, body.error.reason], [409, 'page_too_large'])
})

test('the answer to a conflict has a bound: long texts are cut, and the rest is counted', async () => {
  const blocks = Array.from({ length: 1100 }, (_, n) => `Block ${n}.\n`)
  const at = liveAt(await spaceWith(w, { ...SITE, 'page.md': `# Page\n\n${blocks.join('\n')}` }))
  const seen = await read(at)
  const edited = (word: string): Change => ({
    ...updating(seen, '', ''),
    document: { markdown: seen.markdown.replaceAll('Block', word) },
  })
  await edit(w, at, edited('Theirs'))
  const { status, body } = await write(w, at, [edited(`${'x'.repeat(1000)} mine`)])
  assert.equal(status, 409)
  assert.ok(body.conflicts.length <= 1000 && JSON.stringify(body).length < 10 * 1024 * 1024)
  assert.ok(body.more > 0 || body.conflicts.some(({ isCut }: { isCut?: boolean }) => isCut === true))
})

test('reads of content say which revision they read, also when it is unchanged', async () => {
  const live = liveAt(await spaceWith(w, SITE))
  const id = await idAt(w, live, 'page')
  const changeRequest = await changeRequestOn(w, live.spaceId)
  await edit(w, changeRequest, { operation: 'update_page', page: id, title: 'Proposed' })
  const paths = ['', '/pages', '/files', `/page/${id}`, `/page/${id}/html`, '/path/page']
  for (const at of [live, changeRequest]) {
    const head = await headOf(w, at)
    for (const path of paths) {
      const { headers, status } = await w.call('GET', `${at.path}/content${path}`)
      assert.deepEqual([status, headers['octavo-revision']], [200, head], path)
      const again = await w.call('GET', `${at.path}/content${path}`, {
        headers: { 'if-none-match': headers.etag as string },
      })
      assert.deepEqual([again.status, again.headers['octavo-revision']], [304, head], path)
    }
  }
})

test('a page that others left alone is read anew as unchanged, with the revision of the head', async () => {
  const at = liveAt(await spaceWith(w, SITE))
  const path = `${at.path}/content/page/${await idAt(w, at, 'page')}`
  const { headers } = await w.call('GET', path)
  await edit(w, at, { operation: 'update_page', page: await idAt(w, at, 'other'), title: 'Another' })
  const again = await w.call('GET', path, { headers: { 'if-none-match': headers.etag as string } })
  assert.deepEqual([again.status, again.headers['octavo-revision']], [304, await headOf(w, at)])
  assert.notEqual(again.headers['octavo-revision'], headers['octavo-revision'])
})
