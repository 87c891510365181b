import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()

const files = {
  'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [Setup](guides/setup.md)\n* [Old](guides/old.md)\n',
  'README.md': '# Start\n\nGo to [setup](guides/setup.md#install).\n\nThe end.\n',
  'guides/setup.md': '# Setup\n\n## Install\n\nRun it twice.\n\nStay calm.\n\nThis will leave.\n',
  'guides/old.md': '# Old\n\nForgotten words.\n',
  '.gitbook/vars.yaml': 'major: 1\n',
}
const PROPOSED = {
  'SUMMARY.md': '* [Start](README.md)\n* [New](new.md)\n\n## Guides\n\n* [Setting up](guides/setup.md)\n',
  'README.md': files['README.md'],
  'guides/setup.md':
    '---\ndescription: How to begin\n---\n\n# Setting up\n\n## Install\n\nRun it once.\n\nStay calm.\n\n![dot](../.gitbook/assets/dot.png)\n',
  'new.md': '# New\n\nBrand new words, see [setup](guides/setup.md) and [itself](new.md#part).\n\n## Part\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/vars.yaml': 'major: 2\n',
}

async function read(path: string, as: PersonName | null = 'read') {
  const cookie = as === null ? undefined : await cookieOf(w, as)
  const { statusCode, payload, headers } = await w.app.inject({
    url: path,
    headers: cookie === undefined ? {} : { cookie },
  })
  return { status: statusCode, text: payload, headers, words: wordsOf(payload) }
}

/** What somebody reads of the page's own part. */
const wordsOf = (markup: string): string =>
  (/<main[^>]*>(.*)<\/main>/s.exec(markup)?.[1] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

async function changeRequest(body: Readonly<Record<string, unknown>> = { subject: 'Mend the setup' }) {
  const space = await spaceWith(w, files)
  const made = await changeRequestWith(w, space, PROPOSED, body)
  const { body: whole } = await w.call('GET', `/spaces/${space}/change-requests/${made.id}`)
  const at = `/s/${space}/~/changes/${made.number}`
  assert.equal(whole.urls.app, `http://octavo.test${at}`)
  return { space, at, id: made.id }
}

test('a change request says what it is, who made it, and everything that it changes', async () => {
  const { at } = await changeRequest()
  const { status, text, words } = await read(at)
  assert.equal(status, 200)
  assert.match(text, /<h1[^>]*>Mend the setup<\/h1>/)
  assert.match(words, /Change requests \/ #1 draft/)
  assert.match(words, new RegExp(`By ${w.people.admin.email.split('@')[0]}`))
  for (const change of [
    /Edited Renamed Settings changed Setting up guides\/setup What differs/,
    /Removed Old guides\/old What differs/,
    /Added New new What differs/,
    /Added dot\.png/,
    /major 1 2/,
  ])
    assert.match(words, change)
  assert.ok(!words.includes('Start'), 'what stays is not listed')
})

test('a change request without changes says so', async () => {
  const space = await spaceWith(w, files)
  await w.call('POST', `/spaces/${space}/change-requests`)
  const { words } = await read(`/s/${space}/~/changes/1`)
  assert.match(words, /No subject/)
  assert.match(words, /No changes yet\./)
})

test('the description is shown, and nothing in it can act', async () => {
  const { space, at, id } = await changeRequest()
  const paragraph = (text: string) => ({
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
  })
  const description = {
    object: 'document',
    data: { schemaVersion: 10 },
    nodes: [
      paragraph('Why this <script>alert(1)</script> is needed.'),
      paragraph('<img src=x onerror=alert(2)>'),
    ],
  }
  const changed = await w.call('PATCH', `/spaces/${space}/change-requests/${id}`, { body: { description } })
  assert.equal(changed.status, 200, changed.text)
  const { text, words } = await read(at)
  assert.match(words, /Why this .*script.* is needed\./)
  assert.ok(!text.includes('<script>') && !text.includes('<img src=x'))
})

test('its pages are shown as they would be, in a tree of their own, under a banner that leads back', async () => {
  const { space, at } = await changeRequest()
  const { status, text, words } = await read(`${at}/guides/setup`)
  assert.equal(status, 200)
  assert.match(
    words,
    /^Preview of an unmerged change\. This page as it would be with change request #1: Mend the setup/,
  )
  assert.match(words, /Run it once\./)
  assert.ok(text.includes(`<a href="${at}">change request #1`))
  assert.ok(text.includes(`<a href="${at}/~/page/`), 'a page that differs leads to what differs')
  assert.match(text, /<nav class="sidebar".*Setting up.*<\/nav>/s)
  assert.ok(text.includes(`href="${at}/new"`), 'the tree stays in the change request')
  assert.ok(!text.includes(`href="/s/${space}/guides`), 'no link leaves it unseen')
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.ok(!text.includes('rel="canonical"'))
  const readers = await read(`/s/${space}/guides/setup`)
  assert.match(readers.words, /Run it twice\./)
  assert.ok(!readers.words.includes('Preview'))
})

test('a page that stays is shown without differences, and links in it stay in the change request', async () => {
  const { at } = await changeRequest()
  const { text, words } = await read(`${at}/readme`)
  assert.match(words, /Preview of an unmerged change/)
  assert.ok(!words.includes('What differs on this page'))
  assert.ok(text.includes(`href="${at}/guides/setup#install"`))
})

test('a page that would be gone is not there, and a group leads to its first page', async () => {
  const { at } = await changeRequest()
  assert.equal((await read(`${at}/guides/old`)).status, 404)
  const group = await read(`${at}/guides`)
  assert.deepEqual([group.status, group.headers.location], [302, `${at}/guides/setup`])
  const markdown = await read(`${at}/new.md`)
  const there = `http://octavo.test${at}`
  assert.equal(
    markdown.text,
    `# New\n\nBrand new words, see [setup](${there}/guides/setup.md) and [itself](${there}/new.md#part).\n\n## Part\n`,
  )
  assert.equal(markdown.headers['x-robots-tag'], 'noindex')
  assert.equal((await read(`${at}/llms.txt`)).status, 404, 'what is proposed is offered to no program')
  assert.match(String(markdown.headers['content-type']), /^text\/markdown/)
})

const differencesOf = async (at: string, title: string) => {
  const { text } = await read(at)
  const link = new RegExp(`href="([^"]*/~/page/[^"]*)">What differs<span class="unseen"> in ${title}<`).exec(
    text,
  )
  return read(link?.[1] ?? 'nowhere')
}

test('the differences of a page are shown block by block and word by word, and by more than colour', async () => {
  const { at } = await changeRequest()
  const { status, text, words } = await differencesOf(at, 'Setting up')
  assert.equal(status, 200)
  assert.match(words, /Title Setup Setting up/)
  assert.match(words, /Description nothing How to begin/)
  assert.match(words, /Changed Run it \[removed: twice ?\] *\[added: once ?\] ?\./)
  assert.match(text, /<del>.*twice.*<\/del><ins>.*once.*<\/ins>/)
  assert.match(words, /1 unchanged block Stay calm\./)
  assert.match(words, /Removed This will leave\./)
  assert.match(text, /Added<\/p>\s*<div class="content"[^>]*><figure/)
  assert.ok(text.includes(`<a href="${at}">Change request #1`))
})

test('a new page and one that would be gone are shown whole', async () => {
  const { at, space } = await changeRequest()
  const added = await differencesOf(at, 'New')
  assert.match(added.words, /Added New New Brand new words|Added.*Brand new words/)
  assert.ok(added.text.includes(`href="${at}/guides/setup"`))
  const removed = await differencesOf(at, 'Old')
  assert.match(removed.words, /Removed.*Forgotten words\./)
  assert.ok(!removed.words.includes('Preview this page'))
  assert.ok(space)
})

test('ids are unique on every page about a change request, and every id that is referred to is there', async () => {
  const { at } = await changeRequest()
  for (const { text } of [await read(at), await read(`${at}/new`), await differencesOf(at, 'Setting up')]) {
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, ids.join(' '))
    for (const [, id] of text.matchAll(/ href="#([^"]*)"/g))
      assert.ok(ids.includes(decodeURIComponent(id ?? '')), id)
  }
})

const TABS = '{% tabs %}\n{% tab title="A" %}\nx\n{% endtab %}\n{% endtabs %}\n'

test('blocks that are shown one by one keep their ids apart', async () => {
  const space = await spaceWith(w, { 'a.md': `# A\n\nOne stays.\n\n## Same\n\n${TABS}` })
  const proposed = {
    'a.md': `# A\n\n${TABS}\nOne stays.\n\n## Same\n\nNew words here[^1].\n\n## Same\n\n[^1]: Note\n`,
  }
  await changeRequestWith(w, space, proposed)
  const { text } = await differencesOf(`/s/${space}/~/changes/1`, 'A')
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.ok(ids.filter(id => /same/.test(id ?? '')).length > 1, ids.join(' '))
  assert.equal(new Set(ids).size, ids.length, ids.join(' '))
})

test('the changes of a change request are shown against its base, and an outdated one says that it is', async () => {
  const { space, at } = await changeRequest()
  const before = await read(at)
  await publishFiles(w, space, { ...files, 'README.md': '# Start\n\nAll new.\n' })
  const after = await read(at)
  const changes = (words: string) => words.slice(words.lastIndexOf('Changes'))
  assert.equal(changes(after.words), changes(before.words))
  assert.match(after.words, /The space has changed since/)
  assert.match((await read(`${at}/readme`)).words, /The end\./)
})

test('to everybody but members of the space no change request is there', async () => {
  const { space, at, id } = await changeRequest()
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'public' } })
  const page = (await w.call('GET', `/spaces/${space}/change-requests/${id}/content/path/new`)).body.id
  const nowhere = await read(`/s/nowhere/~/changes/1`, 'stranger')
  for (const path of [at, `${at}/new`, `${at}/new.md`, `${at}/~/page/${page}`]) {
    assert.equal((await read(path)).status, 200)
    for (const person of ['stranger', 'guest', null] as const) {
      const { status, words } = await read(path, person)
      assert.equal(status, 404)
      if (person === 'stranger') assert.equal(words, nowhere.words, 'no hint that it exists')
    }
  }
  for (const number of ['0', '2', 'x', '%00', '99999999999', id])
    assert.equal((await read(`/s/${space}/~/changes/${number}`)).status, 404, number)
  assert.equal((await read(`${at}/~/page/unknown`)).status, 404)
})

test('a page of any size is shown in bounded length', async () => {
  const text = (word: string) =>
    `# Long\n\n${Array.from({ length: 2000 }, (_, at) => `Paragraph ${at} ${word} ${'x'.repeat(at % 7)}\n`).join('\n')}`
  const space = await spaceWith(w, { 'long.md': text('old') })
  const { number, id } = await changeRequestWith(w, space, { 'long.md': text('new') })
  const { words } = await differencesOf(`/s/${space}/~/changes/${number}`, 'Long')
  assert.match(words, /And 1700 more changes, which the page itself shows\./)
  await proposeFiles(w, id, { 'long.md': text('old') })
  assert.match((await read(`/s/${space}/~/changes/${number}`)).words, /No changes yet\./)
})
