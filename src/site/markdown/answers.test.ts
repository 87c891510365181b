import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { inSeconds, shareLinkOf, signToken, visitorKeyOf } from '../../../test/support/visitors.ts'
import { world } from '../../../test/support/world.ts'
import { KEPT_MILLISECONDS } from '../../api/rendering/render.ts'
import { findSpaces } from '../../api/spaces/rows.ts'
import type { Compute } from '../../compute/compute.ts'
import { references } from '../../engines/markdown/page/page.ts'
import { parseMarkdown } from '../../engines/markdown/syntax/syntax.ts'
import { renderAllTexts } from './llms.ts'

const w = await world()

const FILES = {
  'SUMMARY.md': [
    '* [Start](README.md)',
    '',
    '## Guides',
    '',
    '* [Setup](guides/setup.md)',
    '  * [Deep \\[er\\]](guides/deeper.md)',
    '* [The site](https://example.com/site)',
    '* [Secret](guides/secret.md)',
    '  * [Below](guides/below.md)',
    '* [Unlisted](guides/unlisted.md)',
    '* [Unindexed](guides/unindexed.md)',
    '',
    '## Empty',
    '',
    '* [Elsewhere](https://example.com/)',
  ].join('\n'),
  'README.md':
    '---\ndescription: Where it *begins*\n---\n\n# Start\n\nGo to [install](guides/setup.md#install).\n\n{% include ".gitbook/includes/note.md" %}\n\n[Gone](gone.md), [out](https://example.com/), [here](#part).\n',
  'guides/setup.md':
    '---\ndescription: How to set it up\n---\n\n# Setup\n\n## Install\n\n![A dot](../.gitbook/assets/dot.png) Take {% vars.product %}.\n',
  'guides/deeper.md': '# Deep \\[er\\]\n\nBack to [start](../README.md).\n',
  'guides/secret.md': '---\nhidden: true\n---\n\n# Secret\n\nNot in the navigation.\n',
  'guides/below.md': '# Below\n\nNor is this.\n',
  'guides/unlisted.md': '---\nnoIndex: true\n---\n\n# Unlisted\n\nNot for search.\n',
  'guides/unindexed.md': '---\nrobots: noindex\n---\n\n# Unindexed\n\nNot for crawlers.\n',
  '.gitbook/includes/note.md':
    '---\ntitle: Note\n---\n\nA shared note, see [setup](../../guides/setup.md).\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/vars.yaml': 'product: The *Product*\n',
}
const space = await spaceWith(w, FILES, { title: 'Hand_book', visibility: 'public' })
const at = `/s/${space}`
const there = `http://octavo.test${at}`

async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await w.app.inject({ method, url, headers })
  return { status: answer.statusCode, text: answer.payload, headers: answer.headers }
}
const MARKDOWN = { accept: 'text/markdown' }

test('a page is served as Markdown at its path with .md, and at its own path by the Accept header', async () => {
  const page = await ask(`${at}/readme.md`)
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/markdown; charset=utf-8'])
  assert.equal(
    page.text,
    `# Start\n\n> Where it \\*begins\\*\n\nGo to [install](${there}/guides/setup.md#install).\n\nA shared note, see [setup](${there}/guides/setup.md).\n\nGone, [out](https://example.com/), [here](#part).\n`,
  )
  for (const url of [`${at}/readme`, at, `${at}/`]) {
    const asked = await ask(url, MARKDOWN)
    assert.deepEqual([asked.text, asked.headers.vary], [page.text, 'Accept'], url)
    const { text, headers } = await ask(url, { accept: 'text/html, text/markdown;q=0.9' })
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', url)
    assert.equal(headers.vary, 'Accept, Accept-Encoding, Cookie', url)
    assert.ok(text.includes(`<link rel="alternate" type="text/markdown" href="${at}/readme.md">`))
    assert.equal(headers.link, `<${at}/readme.md>; rel="alternate"; type="text/markdown"`)
  }
  assert.equal(page.headers.link, `<${there}/readme>; rel="canonical"`)
})

test('pictures have addresses that load, and variables their values', async () => {
  const { text } = await ask(`${at}/guides/setup.md`)
  const [, picture = ''] = /!\[A dot\]\(http:\/\/octavo\.test(\S+)\)/.exec(text) ?? []
  assert.equal((await ask(picture)).headers['content-type'], 'image/png')
  assert.match(text, /Take The \\\*Product\\\*\.\n$/)
})

test('a group redirects requests for Markdown to its first page', async () => {
  const { status, headers } = await ask(`${at}/guides`, MARKDOWN)
  assert.deepEqual([status, headers.location, headers.vary], [302, `${at}/guides/setup`, 'Accept'])
})

test('llms.txt lists the pages of the navigation by their groups, with their descriptions', async () => {
  const list = await ask(`${at}/llms.txt`)
  assert.deepEqual([list.status, list.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(
    list.text,
    `# Hand_book

> Where it \\*begins\\*

The text of all pages: <${there}/llms-full.txt>

## Pages

- [Start](${there}/readme.md): Where it \\*begins\\*

## Guides

- [Setup](${there}/guides/setup.md): How to set it up
- [Deep \\[er\\]](${there}/guides/setup/deeper.md)
`,
  )
  for (const { destination } of references(list.text, parseMarkdown(list.text)))
    assert.equal((await ask(destination.replace('http://octavo.test', ''))).status, 200, destination)
})

test('llms-full.txt is the text of the same pages, each with its title and address', async () => {
  const all = await ask(`${at}/llms-full.txt`)
  assert.deepEqual([all.status, all.headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.deepEqual(all.text.match(/^# .*\n\nSource: <.*>$/gm), [
    `# Start\n\nSource: <${there}/readme>`,
    `# Setup\n\nSource: <${there}/guides/setup>`,
    `# Deep \\[er]\n\nSource: <${there}/guides/setup/deeper>`,
  ])
  assert.ok(all.text.includes('A shared note, see ['))
  assert.ok(!/Not in the navigation|Nor is this|Not for/.test(all.text))
})

test('pages that robots leave out are served at their address, and say so', async () => {
  for (const path of ['guides/unlisted', 'guides/unindexed']) {
    const { status, headers } = await ask(`${at}/${path}.md`)
    assert.deepEqual([status, headers['x-robots-tag'], headers.link], [200, 'noindex', undefined])
  }
  assert.equal((await ask(`${at}/guides/secret.md`)).status, 200)
  assert.equal((await ask(`${at}/readme.md`)).headers['x-robots-tag'], undefined)
})

test('a conditional request is answered with 304 until something of the answer changes', async () => {
  const id = await spaceWith(w, { 'README.md': '# Rain\n\nIt rains.\n' }, { visibility: 'public' })
  for (const path of ['readme.md', 'llms.txt', 'llms-full.txt']) {
    const url = `/s/${id}/${path}`
    const first = await ask(url)
    const etag = String(first.headers.etag)
    assert.equal(first.headers['cache-control'], 'private, no-cache')
    const head = await ask(url, {}, 'HEAD')
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', etag])
    assert.equal(head.headers['content-type'], first.headers['content-type'])
    const again = await ask(url, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
    await publishFiles(w, id, { 'README.md': `# Rain\n\nIt rains on ${path}.\n` })
    const changed = await ask(url, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, etag)
  }
  const url = `/s/${id}/llms.txt`
  const { headers } = await ask(url)
  await w.call('PATCH', `/spaces/${id}`, { body: { title: 'Weather' } })
  assert.match((await ask(url, { 'if-none-match': String(headers.etag) })).text, /^# Weather\n/)
})

test('a page that is called as one of these is a page, and its Markdown is one .md further', async () => {
  const id = await spaceWith(
    w,
    {
      'notes.md': '# Notes\n\nSee [the file](notes.md.md).\n',
      'notes.md.md': '# File\n\nSee [notes](notes.md).\n',
      'llms.txt.md': '# List\n',
      'llms-full.txt.md': '# All\n',
    },
    { visibility: 'public' },
  )
  for (const path of ['notes.md', 'llms.txt', 'llms-full.txt']) {
    const page = await ask(`/s/${id}/${path}`)
    assert.match(String(page.headers['content-type']), /^text\/html/, path)
    const markdown = await ask(`/s/${id}/${path}.md`)
    assert.match(String(markdown.headers['content-type']), /^text\/markdown/, path)
  }
  const own = await ask(`/s/${id}/notes`, MARKDOWN)
  assert.ok(own.text.includes(`[the file](http://octavo.test/s/${id}/notes.md.md)`))
  const file = await ask(`/s/${id}/notes.md.md`)
  assert.ok(
    file.text.includes(`[notes](http://octavo.test/s/${id}/notes)`),
    'its path with .md is another page',
  )
  const html = await ask(`/s/${id}/notes`)
  assert.ok(!html.text.includes('rel="alternate"') && html.headers.link === undefined)
})

test('an empty space has an empty list, and a page without text its title', async () => {
  const { id } = await w.createSpace({ title: 'Empty', visibility: 'public' })
  assert.equal((await ask(`/s/${id}/llms.txt`)).text, '# Empty\n')
  assert.equal((await ask(`/s/${id}/llms-full.txt`)).text, '')
  await edit(w, liveAt(id), { operation: 'insert_page', title: 'Blank', document: {} })
  assert.equal((await ask(`/s/${id}/blank.md`)).text, '# Blank\n')
})

test('a large space is read in portions: queries by the fifty pages, and nothing is held', async () => {
  const count = 230
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nThe words of ${n}.\n`]),
  )
  const id = await spaceWith(w, files, { visibility: 'public' })
  const { getMany } = w.services.objects
  let asked = 0
  const objects = w.services.objects as { getMany: typeof getMany }
  objects.getMany = hashes => {
    asked += 1
    return getMany(hashes)
  }
  try {
    assert.equal((await ask(`/s/${id}/llms-full.txt`, {}, 'HEAD')).status, 200)
    // A job that runs since the import may ask too, now and then.
    assert.ok(asked < count / 50, `HEAD reads no text, and asked ${asked} times`)
    const { text } = await ask(`/s/${id}/llms-full.txt`)
    assert.equal(text.match(/^# Page \d+$/gm)?.length, count)
    assert.ok(asked < count / 10, `${asked} queries`)
  } finally {
    objects.getMany = getMany
  }
})

test('the text of all pages is made once for all readers, and anew when something in it changed', async () => {
  const words = 'Words that make a page long enough for the pool. '.repeat(40)
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\n${words}\n`]),
  )
  const id = await spaceWith(w, files, { visibility: 'public', title: 'First' })
  const url = `/s/${id}/llms-full.txt`
  const done = () => w.services.compute.counts().tasks.done
  const tasksOf = async (read: () => Promise<unknown>) => {
    const before = done()
    await read()
    return done() - before
  }
  const texts: string[] = []
  const readAll = async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(url)))
    const [text = '', ...others] = new Set(answers.map(answer => answer.text))
    assert.equal(others.length, 0)
    texts.push(text)
  }
  assert.equal(await tasksOf(readAll), 8)
  assert.equal(await tasksOf(readAll), 0)
  assert.equal(texts[0], texts[1])
  const { body } = await w.call('GET', `/spaces/${id}/content/path/p3`)
  await edit(w, liveAt(id), {
    operation: 'update_page',
    page: body.id,
    document: { markdown: `# Page 3\n\n${words} And more.\n` },
  })
  assert.equal(await tasksOf(readAll), 8)
  assert.match(texts.at(-1) ?? '', /And more\./)
  await w.call('PATCH', `/spaces/${id}`, { body: { title: 'Second' } })
  assert.equal(await tasksOf(readAll), 8)
})

test('the text of all pages is kept for a short time only where a page could not be rendered', async () => {
  const id = await spaceWith(w, { 'README.md': '# Rain\n\nIt *rains*.\n' })
  const [row] = await findSpaces(w.services.db, [id])
  assert.ok(row !== undefined)
  const content = await w.services.contents.get(row.root_hash.toString('hex'))
  const textWith = async (run: Compute['run']) => {
    const services = { ...w.services, compute: { ...w.services.compute, run } }
    const bounds: number[] = []
    let text = ''
    const made = { keepAtMost: (milliseconds: number) => void bounds.push(milliseconds) }
    for await (const piece of renderAllTexts({ services }, { space: row, content, sight: 'published' }, made))
      text += piece
    return { isSource: text.includes('It *rains*.'), bounds }
  }
  const failing = await textWith(() => Promise.reject(new Error('a defect')))
  assert.deepEqual(failing, { isSource: true, bounds: [KEPT_MILLISECONDS.failed] })
  const costly = await textWith(async () => ({ kind: 'beyond', bound: 'time' }))
  assert.deepEqual(costly, { isSource: true, bounds: [KEPT_MILLISECONDS.plain] })
  assert.deepEqual((await textWith(w.services.compute.run)).bounds, [])
})

const SECRET = 'The launch is on the ninth of May'
const doorsOf = (id: string) =>
  [
    [`/s/${id}/plan.md`, {}],
    [`/s/${id}/plan`, MARKDOWN],
    [`/s/${id}/llms.txt`, {}],
    [`/s/${id}/llms-full.txt`, {}],
  ] as const

/** A space with a secret in the text, the title and the description of a page. */
const secretSpace = (visibility: string) =>
  spaceWith(
    w,
    { 'README.md': '# Start\n', 'plan.md': `---\ndescription: ${SECRET}\n---\n\n# Plan\n\n${SECRET}.\n` },
    { visibility },
  )

async function tells(id: string, cookie = ''): Promise<boolean[]> {
  const said: boolean[] = []
  for (const [url, headers] of doorsOf(id)) {
    const { text, status } = await ask(url, { ...headers, cookie, 'if-none-match': '"x"' })
    said.push(status === 200 && text.includes(SECRET))
  }
  return said
}
const ALL = [true, true, true, true]
const NONE = [false, false, false, false]

test('nothing of a space is revealed right after it was made private', async () => {
  const id = await secretSpace('public')
  assert.deepEqual(await tells(id), ALL)
  const etags = new Map<string, string>()
  for (const [url, headers] of doorsOf(id)) etags.set(url, String((await ask(url, headers)).headers.etag))
  await w.call('PATCH', `/spaces/${id}`, { body: { visibility: 'private' } })
  assert.deepEqual(await tells(id), NONE)
  for (const [url, headers] of doorsOf(id))
    assert.equal((await ask(url, { ...headers, 'if-none-match': etags.get(url) ?? '' })).status, 404, url)
  assert.deepEqual(await tells(id, await cookieOf(w, 'read')), ALL, 'members read on')
})

test('nothing of a space is revealed right after its share link was revoked', async () => {
  const id = await secretSpace('share-link')
  const link = await shareLinkOf(w, id)
  const cookie = `octavo_share_${id}=${link.key}`
  assert.deepEqual([await tells(id), await tells(id, cookie)], [NONE, ALL])
  await w.call('DELETE', `/spaces/${id}/share-links/${link.id}`)
  assert.deepEqual(await tells(id, cookie), NONE)
})

test('nothing of a space is revealed with an expired token of a visitor', async () => {
  const id = await secretSpace('visitor-auth')
  const key = await visitorKeyOf(w, id)
  const cookie = (seconds: number) => `octavo_visitor_${id}=${signToken(key, { exp: inSeconds(seconds) })}`
  assert.deepEqual(await tells(id, cookie(3600)), ALL)
  assert.deepEqual(await tells(id, cookie(-3600)), NONE)
})

test('nothing of a page is revealed right after it was deleted, or hidden from the list', async () => {
  const id = await secretSpace('public')
  await publishFiles(w, id, {
    'README.md': '# Start\n',
    'plan.md': `---\ndescription: ${SECRET}\nhidden: true\n---\n\n# Plan\n\n${SECRET}.\n`,
  })
  assert.deepEqual(await tells(id), [true, true, false, false])
  await publishFiles(w, id, { 'README.md': '# Start\n' })
  assert.deepEqual(await tells(id), NONE)
})

test('nothing of a space is revealed to a member right after they lost their role', async () => {
  const id = await secretSpace('private')
  const cookie = await cookieOf(w, 'read')
  assert.deepEqual(await tells(id, cookie), ALL)
  await w.call('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } })
  assert.deepEqual(await tells(id, cookie), NONE)
})
