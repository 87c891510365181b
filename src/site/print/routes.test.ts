import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipBrowser, visit } from '../../../test/support/browser.ts'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { readPdfPages } from '../../../test/support/pdf.ts'
import { originOf } from '../../../test/support/server.ts'
import { world } from '../../../test/support/world.ts'
import { toPrintUrl } from '../../api/print/address.ts'
import { KEPT_MILLISECONDS } from '../../api/rendering/render.ts'
import { findSpaces } from '../../api/spaces/rows.ts'
import { now } from '../../base/clock.ts'
import type { Compute } from '../../compute/compute.ts'
import { renderPrint } from './document.ts'
import { planPrint } from './plan.ts'

const w = await world()

const files = {
  'SUMMARY.md':
    '* [Start](README.md)\n\n## Guides\n\n* [Setup](guides/setup.md)\n  * [Deeper](guides/deeper.md)\n* [The site](https://example.com/site)\n* [Secret](guides/secret.md)\n  * [Below](guides/below.md)',
  'README.md':
    '---\ndescription: Where it begins\n---\n\n# Start\n\nGo to [install](guides/setup.md#install).\n',
  'guides/setup.md':
    '# Setup\n\n## Install\n\n![A dot](../.gitbook/assets/dot.png) [here](#install)\n\n{% tabs %}\n{% tab title="npm" %}\nThe npm way\n{% endtab %}\n{% tab title="pnpm" %}\nThe pnpm way\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>More</summary>\n\nFolded words\n\n</details>\n',
  'guides/deeper.md': '# Deeper\n\n## Install\n\nBack to [start](../README.md), `code`.\n',
  'guides/secret.md': '---\nhidden: true\n---\n\n# Secret\n\nNot in the navigation.\n',
  'guides/below.md': '# Below\n\nNor is this.\n',
  '.gitbook/assets/dot.png': PIXEL,
}
const space = await spaceWith(w, files, { title: 'Handbook' })
const { body: content } = await w.call('GET', `/spaces/${space}/content`)
const [, guides] = content.pages
const [setup, , secret] = guides.pages

const urlOf = async (query = '', at = `/spaces/${space}`): Promise<string> =>
  (await w.call('GET', `${at}/pdf${query}`)).body.url.replace('http://octavo.test/pdf/', '/print/')
const read = async (url: string) => {
  const { statusCode, payload, headers } = await w.app.inject({ url })
  return { status: statusCode, text: payload, headers }
}
const headings = (text: string): string[] =>
  [...text.matchAll(/<h1 class="print-heading"[^>]*>(.*?)<\/h1>/g)].map(([, title = '']) => title)
const entries = (text: string): string[] =>
  [...text.matchAll(/<li class="print-entry-(\d)"><a href="#p(\d+)"[^>]*>(.*?)<\/a>/g)].map(
    ([, depth, number, title]) => `${depth} ${number} ${title}`,
  )

test('the whole navigation is in one document, in its order, with a table of contents', async () => {
  const { status, text, headers } = await read(await urlOf())
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.deepEqual(headings(text), ['Start', 'Guides', 'Setup', 'Deeper'])
  assert.deepEqual(entries(text), ['1 1 Start', '1 2 Guides', '2 3 Setup', '3 4 Deeper'])
  assert.match(text, /<title>Handbook<\/title>/)
  assert.ok(text.includes('Where it begins'))
  assert.ok(!text.includes('Not in the navigation') && !text.includes('Nor is this'))
  assert.ok(text.trimEnd().endsWith('</html>'))
})

test('a print view is kept for a short time only where a page could not be rendered as a whole', async () => {
  const id = await spaceWith(w, { 'README.md': '# Rain\n\n```js\nrain()\n```\n' })
  const [row] = await findSpaces(w.services.db, [id])
  assert.ok(row !== undefined)
  const printed = await w.services.contents.get(row.root_hash.toString('hex'))
  const boundsWith = async (run: Compute['run'], isComplete: boolean) => {
    const { compute, rendering } = w.services
    const highlighter = { ...rendering.highlighter, highlight: async () => ({ codes: [], isComplete }) }
    const services = {
      ...w.services,
      compute: { ...compute, run },
      rendering: { ...rendering, highlighter },
    }
    const bounds: number[] = []
    const view = {
      ...{ space: row, content: printed, revisionId: row.revision_id, page: null, isAlone: false },
      ...{ pages: planPrint(printed, null, false), createdAt: now(), changeRequest: null },
      sight: 'published' as const,
    }
    const made = { secret: 'nonce', keepAtMost: (milliseconds: number) => void bounds.push(milliseconds) }
    for await (const _ of renderPrint(services, view, '', made));
    return bounds
  }
  const { run } = w.services.compute
  assert.deepEqual(await boundsWith(run, true), [])
  assert.deepEqual(await boundsWith(run, false), [KEPT_MILLISECONDS.partial])
  const fail = () => Promise.reject(new Error('a defect'))
  assert.deepEqual(await boundsWith(fail, true), [KEPT_MILLISECONDS.failed])
  const exceed = async () => ({ kind: 'beyond', bound: 'time' }) as const
  assert.deepEqual(await boundsWith(exceed, true), [KEPT_MILLISECONDS.plain])
})

test('a page is printed with its subpages, or alone; a hidden one where it is asked for', async () => {
  assert.deepEqual(headings((await read(await urlOf(`?page=${setup.id}`))).text), ['Setup', 'Deeper'])
  assert.deepEqual(headings((await read(await urlOf(`?page=${guides.id}`))).text), [
    'Guides',
    'Setup',
    'Deeper',
  ])
  const alone = (await read(await urlOf(`?page=${setup.id}&only=true`))).text
  assert.deepEqual(headings(alone), ['Setup'])
  assert.ok(!alone.includes('<nav'))
  assert.match(alone, /<title>Setup · Handbook<\/title>/)
  assert.deepEqual(headings((await read(await urlOf(`?page=${secret.id}`))).text), ['Secret', 'Below'])
})

test('links between printed pages stay in the document, each id is there once, and the others lead to the reader', async () => {
  const { text } = await read(await urlOf())
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  const local = [...text.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => decodeURIComponent(id))
  assert.deepEqual(
    local.filter(id => !ids.includes(id)),
    [],
  )
  assert.ok(local.includes('p3.install') && local.includes('p1'))
  const alone = (await read(await urlOf(`?page=${setup.pages[0].id}&only=true`))).text
  assert.ok(alone.includes(`href="http://octavo.test/s/${space}/readme"`), 'a page that is not printed')
})

test('the document needs nothing but its pictures: styles are in it, scripts are not', async () => {
  const { text, headers } = await read(await urlOf())
  assert.doesNotMatch(text, /<script|<link|\sstyle=|\son\w+=/)
  assert.match(text, /<style nonce="[\w-]{43}">[^<]*@page/)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /script-src 'none'/)
  assert.match(policy, /style-src 'nonce-[\w-]{43}'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.deepEqual(
    [headers['referrer-policy'], headers['cache-control']],
    ['no-referrer', 'private, no-store'],
  )
  assert.doesNotMatch(text, /loading="lazy"/)
})

test('hostile words of a page stay words', async () => {
  const hostile = '"><script>alert(1)</script>'
  const other = await spaceWith(w, {
    'a.md': `---\ndescription: '${hostile}'\n---\n\n# ${hostile}\n\n${hostile}\n`,
  })
  await w.call('PATCH', `/spaces/${other}`, { body: { title: hostile } })
  const { text } = await read(await urlOf('', `/spaces/${other}`))
  assert.ok(!text.includes('<script'))
})

test('an address shows the revision that it was made for, whatever is published since', async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n\nOld words\n' })
  const url = await urlOf('', `/spaces/${id}`)
  await publishFiles(w, id, { 'a.md': '# A\n\nNew words\n' })
  assert.match((await read(url)).text, /Old words/)
  assert.match((await read(await urlOf('', `/spaces/${id}`))).text, /New words/)
  await w.call('DELETE', `/spaces/${id}`)
  assert.equal((await read(url)).status, 404)
})

test('a change request is printed as it would be, and says that it is one', async () => {
  const { id } = await changeRequestWith(w, space, { 'new.md': '# New\n\nProposed words\n' })
  const { text } = await read(await urlOf('', `/spaces/${space}/change-requests/${id}`))
  assert.match(text, /Proposed words/)
  assert.match(text, /As change request #1 would have it/)
})

test('after its hour an address says that it has expired, and a changed one does not exist', async () => {
  const { urls, signingKey } = w.services
  const makerId = w.people.admin.id
  const printed = { spaceId: space, revisionId: content.id, page: null, isAlone: false, makerId }
  const at = (seconds: number) =>
    toPrintUrl(urls, signingKey, { ...printed, expiresAt: new Date(Date.now() + seconds * 1000) }).replace(
      'http://octavo.test',
      '',
    )
  assert.equal((await read(at(60))).status, 200)
  const expired = await read(at(-1))
  assert.equal(expired.status, 410)
  assert.match(expired.text, /This address has expired/)
  assert.equal((await read(at(60).replace(space, 'other'))).status, 404)
  assert.equal((await read(`${at(60)}&only=true`)).status, 404)
})

test('an address stops working once the person who asked for it may no longer read its content', async () => {
  const people = `/orgs/${w.organizationId}/members`
  const { id } = w.people.edit
  const as = 'edit'
  const given = async (at: string) =>
    (await w.call('GET', `${at}/pdf`, { as })).body.url.replace('http://octavo.test/pdf/', '/print/')
  const open = async (url: string) => (await read(url)).status
  const member = `${people}/${id}`

  const own = await spaceWith(w, { 'a.md': '# A\n' }, { visibility: 'private' })
  const { id: changeRequest } = await changeRequestWith(w, own, { 'b.md': '# B\n' })
  const urls = [await given(`/spaces/${own}`), await given(`/spaces/${own}/change-requests/${changeRequest}`)]
  const all = async () => [...new Set(await Promise.all(urls.map(open)))]
  assert.deepEqual(await all(), [200])

  await w.call('PATCH', member, { body: { disabled: true } })
  assert.deepEqual(await all(), [404], 'disabled')
  await w.call('PATCH', member, { body: { disabled: false } })
  assert.deepEqual(await all(), [200])

  await w.call('PATCH', `/spaces/${own}`, { body: { defaultLevel: null } })
  assert.deepEqual(await all(), [404], 'without a role on the space')
  await w.call('PATCH', `/spaces/${own}`, { body: { defaultLevel: 'inherit' } })
  assert.deepEqual(await all(), [200])

  const open1 = await spaceWith(w, { 'a.md': '# A\n' }, { visibility: 'public' })
  await w.call('PATCH', `/spaces/${open1}`, { body: { defaultLevel: null } })
  const visited = await given(`/spaces/${open1}`)
  assert.equal(await open(visited), 200)
  await publishFiles(w, open1, { 'a.md': '# Taken down\n' })
  assert.equal(await open(visited), 404, 'visitors read the head and no history')
  const again = await given(`/spaces/${open1}`)
  assert.equal(await open(again), 200)
  await w.call('PATCH', `/spaces/${open1}`, { body: { visibility: 'private' } })
  assert.equal(await open(again), 404, 'a space that was closed')

  await w.call('DELETE', member)
  assert.deepEqual(await all(), [404], 'no member any more')
})

test('it is made once for all readers, each under the policy for its styles, and anew when something in it changed', async () => {
  const words = 'Words that make a page long enough for the pool. '.repeat(40)
  const one = await spaceWith(
    w,
    { 'a.md': `# A\n\n${words}\n`, 'b.md': `# B\n\n${words}\n` },
    { title: 'Once' },
  )
  const at = `/spaces/${one}`
  const done = () => w.services.compute.counts().tasks.done
  const tasksOf = async (url: string, title: string) => {
    const before = done()
    const answers = await Promise.all([read(url), read(url), read(url)])
    for (const { status, text, headers } of answers) {
      assert.equal(status, 200)
      assert.ok(text.includes(`<title>${title}</title>`))
      const [, nonce] =
        /style-src [^;]*'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
      assert.ok(nonce !== undefined && text.split(`nonce="${nonce}"`).length === 3)
    }
    return done() - before
  }
  const url = await urlOf('', at)
  assert.equal(await tasksOf(url, 'Once'), 2)
  assert.equal(await tasksOf(url, 'Once'), 0)
  await w.call('PATCH', at, { body: { title: 'Twice' } })
  assert.equal(await tasksOf(await urlOf('', at), 'Twice'), 2)
  await publishFiles(w, one, { 'a.md': `# A\n\n${words} More.\n`, 'b.md': `# B\n\n${words}\n` })
  assert.equal(await tasksOf(await urlOf('', at), 'Twice'), 2)
  assert.match((await read(await urlOf('', at))).text, /More\./)
})

test('a browser makes a PDF of it that has the words of all pages, each page on a sheet of its own', {
  skip: skipBrowser,
}, async () => {
  const origin = await originOf(w)
  const url = await urlOf()
  await visit(origin, async (page, watch) => {
    await page.goto(origin + url)
    const pdf = readPdfPages(await page.pdf({ format: 'A4' }))
    assert.equal(pdf.length, 5, pdf.join('\n'))
    for (const [at, words] of [
      [0, 'Handbook'],
      [1, 'Contents'],
      [2, 'Where it begins'],
      [3, 'Guides'],
      [3, 'The npm way'],
      [3, 'The pnpm way'],
      [3, 'Folded words'],
      [4, 'Back to start'],
    ] as const)
      assert.ok(squeeze(pdf[at] ?? '').includes(squeeze(words)), `${words} on page ${at + 1}: ${pdf[at]}`)
    // Pictures have the server's public address, which this test cannot reach.
    assert.deepEqual(
      watch.foreign.filter(asked => !asked.startsWith('image http://octavo.test/files/')),
      [],
    )
    assert.deepEqual(
      watch.errors.filter(error => !/ERR_NAME_NOT_RESOLVED/.test(error)),
      [],
    )
  })
})

/** Letters that are set apart look like words of their own in a PDF. */
const squeeze = (text: string): string => text.replaceAll(' ', '')
