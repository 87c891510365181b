import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { idAt, liveAt } from '../../../test/support/edits.ts'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { blockOf, keepPrivate, OUTSIDERS, SECRET } from '../../../test/support/private-specification.ts'
import { type Call, world } from '../../../test/support/world.ts'

const w = await world()

const FILES = {
  'SUMMARY.md': '* [Start](README.md)\n* [Setup](guides/setup.md)\n* [Deeper](guides/deeper.md)\n',
  'README.md': '# Start\n\nWords.\n',
  'guides/setup.md': '# Setup\n\nWords.\n',
  'guides/deeper.md': '# Deeper\n\nWords.\n',
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nA note.\n',
  '.gitbook/assets/dot.png': PIXEL,
  '.gitbook/vars.yaml': 'product: Octavo\n',
}
const space = await spaceWith(w, FILES)
const setup = await idAt(w, liveAt(space), 'setup')
const deeper = await idAt(w, liveAt(space), 'deeper')

const previewed = (body: object, call: Call = {}, path = `/spaces/${space}/content`) =>
  w.call('POST', `${path}/preview`, { ...call, body })

test('a text is shown as its page would be, and nothing of it is saved', async () => {
  const before = (await w.call('GET', `/spaces/${space}`)).body.revision
  const markdown =
    '# Setup\n\nSee [deeper](deeper.md) of {% vars.product %}.\n\n{% include "../.gitbook/includes/note.md" %}\n'
  const { status, body } = await previewed({ markdown, page: setup })
  assert.deepEqual([status, body.complete], [200, true])
  assert.ok(!body.html.includes('<h2'), 'the title is not shown again')
  assert.ok(
    body.html.includes(`<a href="/s/${space}/deeper" data-page="${deeper}" data-space="${space}">`),
    body.html,
  )
  assert.match(body.html, /data-block="[0-9a-f]{24}"/)
  assert.match(body.html, /A note\./)
  // The same address leads nowhere from the top of the space.
  assert.match((await previewed({ markdown })).body.html, /class="broken"/)
  assert.equal((await w.call('GET', `/spaces/${space}`)).body.revision, before)
})

test('texts that are shown beside each other share no id', async () => {
  const idOf = async (words: string) =>
    /<h2 id="([^"]+)"/.exec(
      (await previewed({ markdown: `## Main {#main}\n\n${words}\n` })).body.html,
    )?.[1] ?? ''
  const ids = [await idOf('One.'), await idOf('Two.')]
  assert.notEqual(ids[0], ids[1])
  for (const id of ids) assert.match(id, /^text-[0-9a-f]{12}\.main$/)
})

test('blocks of a rich document are shown one by one', async () => {
  const { body: read } = await w.call('GET', `/spaces/${space}/content/page/${setup}?format=document`)
  const [words] = read.document.nodes
  const note = (await w.call('GET', `/spaces/${space}/content`)).body.reusableContents[0].id
  const file = (await w.call('GET', `/spaces/${space}/content/files`)).body.items[0]
  const linking = {
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data: {},
    nodes: [
      {
        object: 'inline',
        type: 'link',
        isVoid: false,
        data: { ref: { kind: 'page', page: deeper } },
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'there', marks: [] }] }],
      },
    ],
  }
  const including = {
    object: 'block',
    type: 'reusable-content',
    isVoid: true,
    data: { ref: { kind: 'reusable-content', reusableContent: note } },
  }
  const picture = {
    object: 'block',
    type: 'images',
    isVoid: false,
    data: {},
    nodes: [
      {
        object: 'block',
        type: 'image',
        isVoid: true,
        data: { ref: { kind: 'file', file: file.id } },
        fragments: [],
      },
    ],
  }
  const { status, body } = await previewed({ nodes: [words, linking, including, picture], page: setup })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.html.slice(0, 3), [
    '<p>Words.</p>',
    `<p><a href="/s/${space}/deeper" data-page="${deeper}" data-space="${space}">there</a></p>`,
    '<p>A note.</p>',
  ])
  assert.ok(body.html[3].includes(file.downloadURL.replaceAll('&', '&amp;')), body.html[3])
  assert.deepEqual((await previewed({ nodes: [] })).body.html, [])
})

test('in a change request the links are those of its content, and lead to its preview', async () => {
  const proposed = {
    ...FILES,
    'SUMMARY.md': '* [Start](README.md)\n* [New](new.md)\n',
    'new.md': '# New\n\nWords.\n',
  }
  const { id, number } = await changeRequestWith(w, space, proposed)
  const path = `/spaces/${space}/change-requests/${id}/content`
  const { body } = await previewed({ markdown: '[new](new.md)' }, {}, path)
  assert.ok(body.html.includes(`href="/s/${space}/~/changes/${number}/new"`), body.html)
  assert.match((await previewed({ markdown: '[new](new.md)' })).body.html, /class="broken"/)
})

test('a preview that says too little, too much or something else is refused', async () => {
  const refused = async (body: object, message: RegExp) => {
    const { status, body: answer } = await previewed(body)
    assert.equal(status, 400)
    assert.match(answer.error.message, message)
  }
  await refused({}, /either markdown or nodes/)
  await refused({ markdown: 'a', nodes: [] }, /either markdown or nodes/)
  await refused({ markdown: 'a', page: 'unknown' }, /^body\.page: /)
  await refused({ nodes: [{ object: 'block', type: 'nothing' }] }, /^body\.nodes\.0/)
  const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [] }
  await refused({ nodes: Array.from({ length: 201 }, () => paragraph) }, /^body\.nodes: send at most 200/)
  await refused({ nodes: [1] }, /^body\.nodes\.0/)
})

test('nothing in a preview runs', async () => {
  const markdown = '<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n'
  const { body } = await previewed({ markdown })
  assert.ok(!/script|onerror/.test(body.html), body.html)
})

test('a text that is too much for a page is shown as it was written', async () => {
  const markdown = `<b>${'$$\\frac{a}{b}$$ '.repeat(40_000)}`
  const { status, body } = await previewed({ markdown })
  assert.deepEqual([status, body.complete], [200, false])
  assert.ok(body.html.includes('&lt;b&gt;'))
})

test('members see private specifications in a preview', async () => {
  await keepPrivate(w, 'private')
  const { body } = await previewed({ markdown: blockOf('private') }, { as: 'read' })
  assert.ok(body.html.includes(SECRET))
})

for (const [who, { visibility, of }] of Object.entries(OUTSIDERS))
  test(`${who} sees no private specification by a preview`, async () => {
    const id = await spaceWith(w, FILES, { visibility })
    const { as, query = '' } = await of(w, id)
    const { status, text } = await w.call('POST', `/spaces/${id}/content/preview${query}`, {
      ...(as === undefined ? {} : { as }),
      body: { markdown: blockOf('private') },
    })
    assert.ok([200, 401, 403, 404].includes(status), text)
    assert.ok(!text.includes(SECRET))
  })
