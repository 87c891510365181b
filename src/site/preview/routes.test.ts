import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()

const files = {
  'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [Setup](guides/setup.md)\n* [Old](guides/old.md)\n',
  'README.md': '# Start\n\nGo to [setup](guides/setup.md#install).\n\nThe end.\n',
  'guides/setup.md': '# Setup\n\n## Install\n\nRun it twice.\n',
  'guides/old.md': '# Old\n\nForgotten words.\n',
}
const PROPOSED = {
  'SUMMARY.md': '* [Start](README.md)\n* [New](new.md)\n\n## Guides\n\n* [Setting up](guides/setup.md)\n',
  'README.md': files['README.md'],
  'guides/setup.md': '# Setting up\n\n## Install\n\nRun it once.\n',
  'new.md': '# New\n\nBrand new words, see [setup](guides/setup.md) and [itself](new.md#part).\n\n## Part\n',
}

async function read(path: string, as: PersonName | null = 'read') {
  const { statusCode, payload, headers } = await w.app.inject({
    url: path,
    headers: as === null ? {} : { cookie: await cookieOf(w, as) },
  })
  return { status: statusCode, text: payload, headers, words: wordsOf(payload) }
}

/** What somebody reads of the page's own part. */
const wordsOf = (markup: string): string =>
  (/<main[^>]*>(.*)<\/main>/s.exec(markup)?.[1] ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

async function changeRequest(subject = 'Mend the setup') {
  const space = await spaceWith(w, files)
  const { id, number } = await changeRequestWith(w, space, PROPOSED, { subject })
  return { space, id, at: `/s/${space}/~/changes/${number}`, there: `/w/s/${space}/c/${number}` }
}

const pageOf = async (space: string, id: string, path: string): Promise<string> =>
  (await w.call('GET', `/spaces/${space}/change-requests/${id}/content/path/${path}`)).body.id

test('pages of a change request are shown as they would be, in a tree of their own, under a banner that leads to the workspace', async () => {
  const { space, id, at, there } = await changeRequest()
  const { status, text, words } = await read(`${at}/guides/setup`)
  assert.equal(status, 200)
  assert.match(
    words,
    /^Preview of an unmerged change\. This page as it would be with change request #1: Mend the setup/,
  )
  assert.match(words, /Run it once\./)
  assert.ok(text.includes(`<a href="${there}">change request #1`))
  const review = `${there}/changes?item=page.${await pageOf(space, id, 'guides/setup')}`
  assert.ok(text.includes(`<a href="${review}">What differs on this page`))
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

test('what differs is told since the change request was opened, whatever the space became', async () => {
  const { space, at } = await changeRequest()
  await publishFiles(w, space, { ...files, 'README.md': '# Start\n\nAll new.\n' })
  const { words } = await read(`${at}/readme`)
  assert.match(words, /The end\./)
  assert.ok(!words.includes('What differs on this page'))
})

test('a change request without a subject is named so, and the preview of one that is merged says that it is', async () => {
  const { space, id, at } = await changeRequest('')
  assert.match((await read(`${at}/readme`)).words, /change request #1: No subject/)
  const merged = await w.call('POST', `/spaces/${space}/change-requests/${id}/merge`, { body: {} })
  assert.equal(merged.status, 200, merged.text)
  assert.match((await read(`${at}/readme`)).words, /^Preview of a change that was merged\./)
})

test('a page that would be gone is not there, and a group leads to its first page', async () => {
  const { at } = await changeRequest()
  assert.equal((await read(`${at}/guides/old`)).status, 404)
  const group = await read(`${at}/guides`)
  assert.deepEqual([group.status, group.headers.location], [302, `${at}/guides/setup`])
})

test('a proposed page has Markdown whose links stay in the change request, and is offered to no program', async () => {
  const { at } = await changeRequest()
  const markdown = await read(`${at}/new.md`)
  const there = `http://octavo.test${at}`
  assert.equal(
    markdown.text,
    `# New\n\nBrand new words, see [setup](${there}/guides/setup.md) and [itself](${there}/new.md#part).\n\n## Part\n`,
  )
  assert.equal(markdown.headers['x-robots-tag'], 'noindex')
  assert.match(String(markdown.headers['content-type']), /^text\/markdown/)
  assert.equal((await read(`${at}/llms.txt`)).status, 404)
})

test('to everybody but members of the space no page of a change request is there', async () => {
  const { space, at, id } = await changeRequest()
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'public' } })
  const nowhere = await read('/s/nowhere/~/changes/1/new', 'stranger')
  for (const path of [`${at}/new`, `${at}/new.md`]) {
    assert.equal((await read(path)).status, 200, path)
    for (const person of ['stranger', 'guest', null] as const) {
      const { status, words } = await read(path, person)
      assert.equal(status, 404, `${path} to ${person}`)
      if (person === 'stranger') assert.equal(words, nowhere.words, 'no hint that it exists')
    }
  }
  for (const number of ['0', '2', 'x', '%00', '99999999999', id])
    assert.equal((await read(`/s/${space}/~/changes/${number}/new`)).status, 404, number)
})
