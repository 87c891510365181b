import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { idAt, liveAt } from '../../../test/support/edits.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { blockOf, keepPrivate, SECRET } from '../../../test/support/private-specification.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const SUMMARY = '* [Start](README.md)\n* [Setup](setup.md)\n'
const BEFORE = [
  '# Start',
  'First words that stay.',
  'It rains on the old bridge every day, see [setup](setup.md).',
  'A paragraph that goes away.',
  '* One item\n* Two items',
]
const AFTER = [
  '# Start',
  'First words that stay.',
  'It snows on the old bridge every day, see [setup](setup.md).',
  '{% hint style="info" %}\nEntirely new.\n{% endhint %}',
  '* One item\n* Two pieces',
]
const filesWith = (blocks: readonly string[]) => ({
  'SUMMARY.md': SUMMARY,
  'README.md': `${blocks.join('\n\n')}\n`,
  'setup.md': '# Setup\n\nWords.\n',
})

const compared = (path: string, page: string, call = {}) =>
  w.call('GET', `${path}/changes/page/${page}/html`, call)

type Block = { kind: string; moved?: boolean; before?: Side; after?: Side; words?: string }
type Side = { key: string; html: string }

const withoutKeys = (html: string) => html.replaceAll(/ data-(?:block|page|space)="[^"]*"/g, '')

async function sceneOf(before: readonly string[], after: readonly string[]) {
  const space = await spaceWith(w, filesWith(before))
  const page = await idAt(w, liveAt(space), 'readme')
  const { id, number } = await changeRequestWith(w, space, filesWith(after))
  return { space, page, number, path: `/spaces/${space}/change-requests/${id}` }
}

test('a page of a change request is compared with the space, block by block and word by word', async () => {
  const { space, page, number, path } = await sceneOf(BEFORE, AFTER)
  const { status, body } = await compared(path, page)
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.more], [page, 0])
  const blocks: Block[] = body.blocks
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['unchanged', 'unchanged', 'changed', 'removed', 'added', 'changed'],
  )
  const [, same, rain, gone, hint, list] = blocks
  assert.equal(withoutKeys(same?.after?.html ?? ''), '<p>First words that stay.</p>')
  assert.equal(
    withoutKeys(rain?.before?.html ?? ''),
    `<p>It <del>rains</del> on the old bridge every day, see <a href="/s/${space}/setup">setup</a>.</p>`,
  )
  assert.equal(
    withoutKeys(rain?.after?.html ?? ''),
    `<p>It <ins>snows</ins> on the old bridge every day, see <a href="/s/${space}/~/changes/${number}/setup">setup</a>.</p>`,
  )
  assert.equal(
    rain?.words,
    'It <del>rains</del><ins>snows</ins> on the old bridge every day, see [setup](setup.md).',
  )
  assert.equal(withoutKeys(gone?.before?.html ?? ''), '<p>A paragraph that goes away.</p>')
  assert.match(hint?.after?.html ?? '', /Entirely new\./)
  assert.equal(
    withoutKeys(list?.after?.html ?? ''),
    '<ul><li>One item</li><li>Two <ins>pieces</ins></li></ul>',
  )
  const { body: read } = await w.call('GET', `${path}/content/page/${page}?format=document`)
  const keys = read.document.nodes.map(({ key }: { key: string }) => key)
  assert.deepEqual(keys, [same?.after?.key, rain?.after?.key, hint?.after?.key, list?.after?.key])
})

test('a block that moved says so, and one that was also changed has both sides', async () => {
  const long = 'Rain falls on the quiet town in the evening and nobody minds'
  const others = ['One thing.', 'Another matter.', 'Something else.', 'A last word.']
  const scene = await sceneOf(['# Start', long, ...others], ['# Start', ...others, `${long} it`])
  const moved = (await compared(scene.path, scene.page)).body.blocks.at(-1)
  assert.deepEqual([moved.kind, moved.moved], ['changed', true])
  const plain = await sceneOf(['# Start', long, ...others], ['# Start', ...others, long])
  assert.equal((await compared(plain.path, plain.page)).body.blocks.at(-1).kind, 'moved')
})

test('a page that came or went has one side, and one that is in neither is missing', async () => {
  const space = await spaceWith(w, filesWith(BEFORE))
  const setup = await idAt(w, liveAt(space), 'setup')
  const proposed = { 'SUMMARY.md': '* [New](new.md)\n', 'new.md': '# New\n\nQuite another text.\n' }
  const { id } = await changeRequestWith(w, space, proposed)
  const path = `/spaces/${space}/change-requests/${id}`
  const kindsOf = async (page: string) =>
    (await compared(path, page)).body.blocks.map(({ kind }: Block) => kind)
  assert.deepEqual(await kindsOf(setup), ['removed', 'removed'])
  const added = await idAt(w, { spaceId: space, id, path }, 'new')
  assert.deepEqual(await kindsOf(added), ['added', 'added'])
  assert.equal((await compared(path, 'unknown')).status, 404)
})

test('a revision is compared with the one before it', async () => {
  const space = await spaceWith(w, filesWith(BEFORE))
  const page = await idAt(w, liveAt(space), 'readme')
  await publishFiles(w, space, filesWith(AFTER))
  const { body: now } = await w.call('GET', `/spaces/${space}`)
  const { body } = await compared(`/spaces/${space}/revisions/${now.revision}`, page)
  assert.ok(body.blocks.some(({ words }: Block) => words?.includes('<ins>snows</ins>')))
})

test('what did not change is answered with 304', async () => {
  const { page, path } = await sceneOf(BEFORE, AFTER)
  const { headers } = await compared(path, page)
  assert.equal((await compared(path, page, { headers: { 'if-none-match': headers.etag } })).status, 304)
})

test('a block that shows nothing has its Markdown, and nothing in it runs', async () => {
  const { page, path } = await sceneOf(
    ['---\ndescription: Rain\n---', '# Start', 'Words.'],
    [
      '---\ndescription: <b>Snow</b>\n---',
      '# Start',
      'Words.',
      '<script>alert(1)</script>',
      '<img src=x onerror="alert(1)">',
    ],
  )
  const { body } = await compared(path, page)
  const pieces = body.blocks.flatMap(({ before, after }: Block) => [before?.html, after?.html])
  assert.ok(pieces.includes('<pre>---\ndescription: Rain\n---</pre>'), JSON.stringify(pieces))
  assert.ok(pieces.includes('<pre>---\ndescription: &lt;b&gt;Snow&lt;/b&gt;\n---</pre>'))
  assert.ok(!/<script|<img/.test(JSON.stringify(body)), JSON.stringify(body))
})

test('a private specification is not drawn in a comparison', async () => {
  await keepPrivate(w, 'private')
  const { page, path } = await sceneOf(BEFORE, ['# Start', blockOf('private')])
  assert.ok(!JSON.stringify((await compared(path, page)).body).includes(SECRET))
})

test('a page of thousands of blocks is compared as a whole', async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `Paragraph number ${at} says something.`)
  const { page, path } = await sceneOf(
    ['# Start', ...many],
    ['# Start', ...many.map((text, at) => (at % 100 === 0 ? `${text} More.` : text))],
  )
  const { body } = await compared(path, page)
  assert.equal(body.blocks.length, 5_001)
  assert.equal(body.blocks.filter(({ kind }: Block) => kind === 'changed').length, 50)
})
