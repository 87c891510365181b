import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { idAt, liveAt } from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { blockOf, keepPrivate, SECRET } from '../../../test/support/private-specification.ts'
import { type World, world } from '../../../test/support/world.ts'
import type { CodeBlock } from '../../engines/markdown/html/values.ts'

const w = await world()
const elsewhere = await world()

const FILES = { 'README.md': '# Start\n\nWords.\n', 'setup.md': '# Setup\n\nWords.\n' }

async function postedIn(path: string, markdown: string, on: World = w): Promise<string> {
  const { body } = await on.call('POST', `${path}/comments?format=html`, { body: { body: { markdown } } })
  return body.body.html
}

/** Until the highlighter knows the code: a busy machine shows it plain for a minute. */
async function coloured(block: CodeBlock): Promise<void> {
  for (;;) {
    const { codes } = await w.services.rendering.highlighter.highlight([block])
    if (codes[0] !== undefined) return
  }
}

test('comments and replies are read as HTML beside their Markdown, one by one and in lists', async () => {
  const at = `/spaces/${await spaceWith(w, FILES)}`
  await coloured({ language: 'js', code: 'let two = 2' })
  for (const markdown of ['One *word*.', '## Two\n\n```js\nlet two = 2\n```'])
    await w.call('POST', `${at}/comments`, { body: { body: { markdown } } })
  const { body: list } = await w.call('GET', `${at}/comments?format=html&order=asc`)
  const [first, second] = list.items
  assert.deepEqual(first.body, { markdown: 'One *word*.', html: '<p>One <em>word</em>.</p>' })
  assert.match(second.body.html, new RegExp(`<h2 id="${second.id}\\.two"`))
  assert.match(second.body.html, /class="tok-keyword"/)
  const one = `${at}/comments/${first.id}`
  assert.deepEqual((await w.call('GET', `${one}?format=html`)).body.body, first.body)
  const reply = { body: { markdown: '**Yes.**' } }
  const { body: posted } = await w.call('POST', `${one}/replies?format=html`, { body: reply })
  assert.equal(posted.body.html, '<p><strong>Yes.</strong></p>')
  const { body: replies } = await w.call('GET', `${one}/replies?format=html`)
  assert.deepEqual(replies.items[0].body, posted.body)
  assert.deepEqual((await w.call('GET', one)).body.body, { markdown: 'One *word*.' })
})

test('a comment leads to the pages that it names, as they are where it was made', async () => {
  const space = await spaceWith(w, FILES)
  const setup = await idAt(w, liveAt(space), 'setup')
  const ids = `data-page="${setup}" data-space="${space}"`
  assert.equal(
    await postedIn(`/spaces/${space}`, `[there](/pages/${setup}#a)`),
    `<p><a href="/s/${space}/setup#a" ${ids}>there</a></p>`,
  )
  const { id, number } = await changeRequestWith(w, space, FILES)
  assert.equal(
    await postedIn(`/spaces/${space}/change-requests/${id}`, `[there](/pages/${setup})`),
    `<p><a href="/s/${space}/~/changes/${number}/setup" ${ids}>there</a></p>`,
  )
  assert.match(
    await postedIn(`/spaces/${space}`, '[nowhere](/pages/unknown) [file](setup.md)'),
    /broken.*broken/,
  )
  assert.match(await postedIn(`/spaces/${space}`, '[away](https://example.com)'), /rel="noopener noreferrer"/)
})

test('who is mentioned has the name that they have, and only people of the organization do', async () => {
  const at = `/spaces/${await spaceWith(w, FILES)}`
  const { id } = w.people.edit
  const { body: user } = await w.call('GET', '/user', { as: 'edit' })
  assert.equal(
    await postedIn(at, `[@Somebody else](/users/${id}), look`),
    `<p><span class="mention" data-user="${id}">@${user.displayName}</span>, look</p>`,
  )
  const stranger = await postedIn(at, `[@words](/users/${elsewhere.people.edit.id})`)
  assert.match(stranger, /class="broken"[^>]*>@words</)
})

test('nothing in a comment runs, and nothing is included in it', async () => {
  await keepPrivate(w, 'private')
  const at = `/spaces/${await spaceWith(w, FILES)}`
  const html = await postedIn(
    at,
    `<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n<span data-user="x">y</span>\n\n${blockOf('private')}`,
  )
  assert.ok(!/script|onerror|data-user/.test(html), html)
  assert.ok(!html.includes(SECRET))
})
