// References of rich documents, covers and link pages to what another space has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, idAt, liveAt, readPage, refused, write } from '../../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../../test/support/pages.ts'
import { type Call, world } from '../../../../test/support/world.ts'
import { newId } from '../../../base/ids.ts'
import { findAddresses } from './other-spaces.ts'

const w = await world()
const stranger = await world()

const THERE = {
  'SUMMARY.md':
    '# Summary\n\n* [Start](README.md)\n* [Guides](guides/README.md)\n  * [Set up](guides/set-up.md)\n',
  'README.md': '# Start\n',
  'guides/README.md': '# Guides\n',
  'guides/set-up.md': '# Set up\n\n## One\n',
  '.gitbook/assets/a b.png': PIXEL,
}

const words = (text: string) => [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }]
const block = (type: string, data: object, nodes?: readonly unknown[]) => ({
  ...{ object: 'block', type, data },
  ...(nodes === undefined ? { isVoid: true } : { nodes }),
})
const document = (nodes: readonly unknown[]) => ({ document: { object: 'document', data: {}, nodes } })

/** A document with a line for each reference: a link that says its number. */
const linksTo = (refs: readonly object[]) =>
  document(
    refs.map((ref, at) =>
      block('paragraph', {}, [{ object: 'inline', type: 'link', data: { ref }, nodes: words(`${at}`) }]),
    ),
  )

/** What is stored of a new page whose document links to these. */
async function written(space: string, refs: readonly object[], as: Call['as'] = 'admin'): Promise<string[]> {
  const changes = [{ operation: 'insert_page', title: 'New', document: linksTo(refs) }]
  const { status, body, text } = await write(w, liveAt(space), changes, { as: as ?? null })
  assert.equal(status, 200, text)
  const { markdown } = await readPage(w, liveAt(space), body.changes[0].page.id)
  return markdown
    .split('\n\n')
    .slice(1)
    .map((line: string) => line.trim())
}

/** A space with pages and a file, and the ids of one page and the file. */
async function elsewhere(on: typeof w, body: Readonly<Record<string, unknown>>) {
  const space = await spaceWith(on, THERE, body)
  const page = await idAt(on, liveAt(space), 'guides/set-up')
  const { id: file, downloadURL } = (await on.call('GET', `/spaces/${space}/content/files`)).body.items[0]
  return { space, page, file: file as string, downloadURL: downloadURL as string }
}

const pageUrl = (space: string, path: string) => w.services.urls.page(space, path)

test('a reference to a page, a place in it or a file of another space is written as its address', async () => {
  const [here, there] = [await spaceWith(w, THERE), await elsewhere(w, {})]
  const own = await idAt(w, liveAt(here), 'guides/set-up')
  const { space, page, file, downloadURL } = there
  const found = await written(here, [
    { kind: 'page', page, space },
    { kind: 'anchor', anchor: 'one two', page, space },
    { kind: 'file', file, space },
    // Those of the space itself stay paths.
    { kind: 'page', page: own, space: here },
    { kind: 'anchor', anchor: 'one', page: own, space: here },
    // An id means something in its own space alone.
    { kind: 'page', page: own, space },
    { kind: 'page', page, space: here },
    { kind: 'anchor', anchor: 'one', space },
  ])
  const url = pageUrl(space, 'guides/set-up')
  assert.deepEqual(found, [
    `[0](${url})`,
    `[1](${url}#one%20two)`,
    `[2](${downloadURL})`,
    '[3](guides/set-up.md)',
    '[4](guides/set-up.md#one)',
    ...['5', '6', '7'],
  ])
  const answer = await w.app.inject({ url: downloadURL.slice(downloadURL.indexOf('/files/')) })
  assert.equal(answer.statusCode, 200, 'readers can follow the address of the file')
  const { items } = (await w.call('GET', `/spaces/${here}/links?status=in-app`)).body
  assert.deepEqual(
    items.map(({ targetReference }: { targetReference: { url: string } }) => targetReference.url),
    [url, `${url}#one%20two`],
  )
  assert.equal((await w.call('GET', `/spaces/${here}/links?status=broken`)).body.count, 0)
})

test('links to what is hidden and to what does not exist both become plain text', async () => {
  const here = await spaceWith(w, THERE)
  const [hidden, open] = [await elsewhere(stranger, {}), await elsewhere(stranger, { visibility: 'public' })]
  const closed = await elsewhere(w, {})
  await w.call('PATCH', `/spaces/${closed.space}`, { body: { defaultLevel: null } })
  const gone = await elsewhere(w, {})
  await w.call('DELETE', `/spaces/${gone.space}`)
  const refs = (...all: { space: string; page: string; file: string }[]) =>
    all.flatMap(({ space, page, file }) => [
      { kind: 'page', page, space },
      { kind: 'file', file, space },
    ])
  const nobody = { space: newId(), page: newId(), file: newId() }
  const odd = { space: 'a\u0000"', page: "'", file: '__proto__' }
  const plain = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)
  assert.deepEqual(await written(here, refs(hidden, closed, gone, nobody, odd), 'edit'), plain(10))
  const missingThere = { space: open.space, page: newId(), file: newId() }
  assert.deepEqual(await written(here, refs(missingThere), 'edit'), plain(2))
  const [toPage, toFile] = await written(here, refs(open), 'edit')
  assert.deepEqual(
    [toPage, toFile],
    [`[0](${pageUrl(open.space, 'guides/set-up')})`, `[1](${open.downloadURL})`],
  )
  const [toClosed] = await written(here, refs(closed))
  assert.equal(toClosed, `[0](${pageUrl(closed.space, 'guides/set-up')})`, 'an admin may read it')

  const { body: writer } = await w.call('POST', '/user/tokens', {
    body: { label: 'writes alone', scopes: ['space:write'] },
  })
  assert.deepEqual(await written(here, refs(closed), writer), plain(2), 'its token reads nothing')
})

test('an installation links to what it reaches', async () => {
  const [here, one, other] = [await spaceWith(w, THERE), await elsewhere(w, {}), await elsewhere(w, {})]
  const i = `/integrations/links-${newId().toLowerCase()}`
  const integration = { organization: w.organizationId, title: 'Links', description: '', script: '' }
  await w.call('POST', i, { body: { ...integration, scopes: ['space:content:write'] } })
  const at = await w.call('POST', `${i}/installations`, { body: { organization: w.organizationId } })
  const path = `${i}/installations/${at.body.id}`
  const { body: as } = await w.call('POST', `${i}/tokens`, { body: { label: 'test' } })
  const tokenNow = async () => (await w.call('POST', `${path}/tokens`, { as })).body as { token: string }
  const refs = [one, other].map(({ page, space }) => ({ kind: 'page', page, space }))
  const links = [one, other].map(({ space }, nth) => `[${nth}](${pageUrl(space, 'guides/set-up')})`)
  assert.deepEqual(await written(here, refs, await tokenNow()), links)
  await w.call('PATCH', path, { body: { space_selection: 'selected' } })
  for (const space of [here, one.space]) await w.call('POST', `${path}/spaces`, { body: { space } })
  assert.deepEqual(await written(here, refs, await tokenNow()), [links[0], '1'])
})

test('all of a document are found by one query, however many there are', async () => {
  const there = [await elsewhere(w, {}), await elsewhere(w, {}), await elsewhere(w, {})]
  const context = { ...w.services, principal: await w.principalOf('admin') }
  const executor = w.services.db.getExecutor()
  const execute = executor.executeQuery
  const asked: string[] = []
  executor.executeQuery = function (this: typeof executor, ...given: Parameters<typeof execute>) {
    if (given[0].sql.includes('live_pages')) asked.push(given[0].sql)
    return execute.apply(this, given)
  } as typeof execute
  try {
    const wanted = there.flatMap(({ space, page }) =>
      [page, newId()].map(id => ({ space, kind: 'page', id }) as const),
    )
    assert.equal((await findAddresses(context, wanted)).size, there.length)
    assert.equal(asked.length, 1)
  } finally {
    executor.executeQuery = execute
  }
})

test('a reusable content of another space is included as GitBook writes it, and read as what it is', async () => {
  const here = liveAt(await spaceWith(w, THERE))
  const ref = { kind: 'reusable-content', reusableContent: 'r1', space: 's1' }
  const sent = document([block('paragraph', {}, words('Before.')), block('reusable-content', { ref })])
  const { changes } = await edit(w, here, { operation: 'insert_page', title: 'New', document: sent })
  const { id } = changes[0].page
  const include = '{% include "https://app.gitbook.com/s/s1/~/reusable/r1/" %}'
  assert.equal((await readPage(w, here, id)).markdown, `# New\n\nBefore.\n\n${include}\n`)

  const { body } = await w.call('GET', `${here.path}/content/page/${id}?format=document`)
  assert.deepEqual(body.document.nodes[1].data.ref, ref)
  body.document.nodes[0].nodes[0].leaves[0].text = 'Before it.'
  await edit(w, here, { operation: 'update_page', page: id, document: { document: body.document } })
  assert.equal((await readPage(w, here, id)).markdown, `# New\n\nBefore it.\n\n${include}\n`)
  const copied = { operation: 'insert_page', title: 'Copy', document: document(body.document.nodes) }
  const copy = (await edit(w, here, copied)).changes[0].page.id
  assert.equal((await readPage(w, here, copy)).markdown, `# Copy\n\nBefore it.\n\n${include}\n`)
})

test('covers and link pages lead to other spaces too, and are refused where nothing is found', async () => {
  const here = liveAt(await spaceWith(w, THERE))
  const { space, page, file, downloadURL } = await elsewhere(w, {})
  const { changes } = await edit(
    w,
    here,
    {
      operation: 'insert_page',
      title: 'Set up',
      type: 'link',
      target: { kind: 'anchor', anchor: 'one', page, space },
    },
    {
      operation: 'insert_page',
      title: 'Covered',
      document: {},
      cover: { ref: { kind: 'file', file, space } },
    },
  )
  const [link, covered] = await Promise.all(
    changes.map(({ page: { id } }: { page: { id: string } }) => readPage(w, here, id)),
  )
  assert.deepEqual(link.target, { kind: 'url', url: `${pageUrl(space, 'guides/set-up')}#one` })
  assert.deepEqual(covered.cover.ref, { kind: 'url', url: downloadURL })
  const nowhere = { kind: 'page', page, space: newId() }
  const target = { operation: 'insert_page', title: 'Gone', type: 'link', target: nowhere }
  assert.match(await refused(w, here, [target]), /^body\.changes\.0\.target/)
})
