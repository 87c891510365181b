import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const space = await spaceWith(
  w,
  {
    'SUMMARY.md':
      '* [Start](README.md)\n\n## Guides\n\n* [Events](guides/events.md)\n* [Quiet](guides/quiet.md)\n* [Hidden](guides/hidden.md)\n',
    'README.md': '# Start\n\nWelcome.\n',
    'guides/events.md':
      '# Events\n\n## Send a webhook\n\nA webhook tells your server <what> happened.\n\n## Other\n\nNothing of that.\n',
    'guides/quiet.md': '---\nnoIndex: true\n---\n\n# Quiet\n\nThe webhook that nobody finds.\n',
    'guides/hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\nAnother webhook.\n',
  },
  { visibility: 'public' },
)
const find = async (query: string) =>
  (await w.app.inject({ url: `/s/${space}/~/search?${new URLSearchParams({ q: query, fragment: '1' })}` }))
    .payload

const EVENTS = `/s/${space}/guides/events`

test('a hit leads to the section that was found, with its words marked', async () => {
  const list = await find('webhook')
  assert.ok(list.includes(`<a class="hit-section" href="${EVENTS}#send-a-webhook">`), list)
  assert.match(list, /Send a <mark>webhook<\/mark>/)
  assert.match(list, /A <mark>webhook<\/mark> tells your server/)
  assert.ok(!list.includes('#other') && !list.includes('<what>'))
  assert.match(list, /<span class="hit-trail" dir="auto">Guides<\/span>/)
  const [, href = ''] = /class="hit-section" href="([^"]+)"/.exec(list) ?? []
  const page = await w.app.inject({ url: href })
  assert.ok(page.payload.includes('id="send-a-webhook"'))
})

test('a misspelled word finds the right one, and the page says which', async () => {
  const list = await find('webhok')
  assert.match(list, /2 pages for “webhok”, also for <em>webhook<\/em>/)
  assert.match(list, /Send a <mark>webhook<\/mark>/)
  assert.ok(!(await find('webhook')).includes('also for'))
})

test('hidden pages are found, and pages with noIndex are not', async () => {
  const list = await find('webhook')
  assert.ok(list.includes('/guides/hidden') && !list.includes('/guides/quiet'))
})

test('the same list is a page of its own, whose form works without scripts', async () => {
  const { payload } = await w.app.inject({ url: `/s/${space}/~/search?q=webhok` })
  assert.ok(payload.includes(await find('webhok')))
  assert.match(payload, new RegExp(`<form [^>]*action="/s/${space}/~/search" method="get"`))
  assert.ok(payload.includes('name="q" value="webhok"'))
})

test('a button on a page that asks leads to the list for its words, in this space', async () => {
  const other = await spaceWith(
    w,
    {
      'README.md':
        '# Start\n\n<button type="button" class="button primary" data-action="ask" data-query="send a webhook & more">Ask</button>\n',
      'events.md': '# Events\n\nSend a webhook.\n',
    },
    { visibility: 'public' },
  )
  const page = (await w.app.inject({ url: `/s/${other}` })).payload
  const [, href = ''] = /<a href="([^"]+)" class="button button-primary"><span>Ask/.exec(page) ?? []
  assert.equal(href, `/s/${other}/~/search?q=send+a+webhook+%26+more`)
  const found = await w.app.inject({ url: href })
  assert.match(found.payload, /value="send a webhook &amp; more"/)
  assert.match(found.payload, /Events/)
})
