// What a writer cannot see: answers that are lost, screens that are left, others who write meanwhile. No word is lost, and
// nobody is asked to choose between a text and the same text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangeSet, Text } from '@codemirror/state'
import { deviceOf, type Writing } from '../support/page-writing.ts'
import { spaceWith } from '../support/pages.ts'
import { world } from '../support/world.ts'

const w = await world()
const device = await deviceOf(w, 'edit')

const MARKDOWN = '# Guide\n\nFirst.\n\nBetween.\n\nLast.\n'

async function newPage(markdown = MARKDOWN) {
  const space = await spaceWith(w, { 'README.md': markdown })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  return { space, id: body.pages[0].id as string }
}

function type(writing: Writing, words: string): void {
  const { length } = writing.text
  writing.edit(ChangeSet.of({ from: length, insert: Text.of(words.split('\n')) }, length))
}

const contentOf = (space: string, number?: number) =>
  number === undefined ? `/spaces/${space}/content` : `/spaces/${space}/change-requests/${number}/content`

async function read(space: string, id: string, number?: number) {
  const { body } = await w.call('GET', `${contentOf(space, number)}/page/${id}`)
  return body
}

/** What somebody else does to the page. */
async function others(space: string, id: string, number: number | undefined, fields: object): Promise<void> {
  const body = { changes: [{ operation: 'update_page', page: id, ...fields }] }
  const { status } = await w.call('POST', contentOf(space, number), { as: 'admin', body })
  assert.equal(status, 200)
}

async function rewrite(space: string, id: string, number: number | undefined, from: string, to: string) {
  const { markdown } = await read(space, id, number)
  await others(space, id, number, { document: { markdown: markdown.replace(from, to) } })
}

test('who settles a clash of texts leaves the fields that others changed', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Mine.')
  await writing.save()
  await rewrite(space, id, 1, 'Mine.', 'Theirs.')
  await others(space, id, 1, { description: 'Of others' })
  type(writing, ' And more.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'clash')
  writing.resolve(writing.clash?.mine ?? Text.empty)
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  const { description, markdown } = await read(space, id, 1)
  assert.equal(description, 'Of others')
  assert.match(markdown, /Mine\. And more\.$/)
})

test('what is made of both versions of a clash is kept before it is saved', async () => {
  const { space, id } = await newPage()
  const before = await device.open(space, id)
  type(before, 'Mine.')
  await before.save()
  await rewrite(space, id, 1, 'Mine.', 'Theirs.')
  type(before, ' And more.')
  await before.save()
  before.choose(Text.of(['Mine and theirs.']))
  before.close()
  await before.save()
  const writing = await device.open(space, id, '1')
  assert.equal(writing.markdown, 'Mine and theirs.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'clash')
})

test('who goes on after a merge leaves what others wrote since', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Merged.')
  await writing.save()
  await w.call('POST', `/spaces/${space}/change-requests/1/merge`, { body: {} })
  await rewrite(space, id, undefined, 'First.', 'First of others.')
  await others(space, id, undefined, { description: 'Of others' })
  type(writing, ' Later.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'refused')
  // Pressed twice.
  await Promise.all([writing.moveToNewDraft(), writing.moveToNewDraft()])
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.equal((await w.call('GET', `/spaces/${space}/change-requests/3`)).status, 404)
  const reads = device.calls.filter(call => call.startsWith(`GET /v1/spaces/${space}/content/page/`))
  assert.equal(reads.length, 2)
  const { markdown, description } = await read(space, id, 2)
  assert.equal(description, 'Of others')
  assert.match(markdown, /First of others\.[\s\S]*Merged\. Later\.$/)
})

test('who goes on after a draft was archived keeps its words and what others published since', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Archived.')
  writing.change({ title: 'Handbook' })
  await writing.save()
  await w.call('PATCH', `/spaces/${space}/change-requests/1`, { body: { status: 'archived' } })
  await rewrite(space, id, undefined, 'First.', 'First of others.')
  type(writing, ' Later.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'refused')
  await writing.moveToNewDraft()
  assert.equal(writing.state.get().kind, 'saved')
  const { markdown, title } = await read(space, id, 2)
  assert.equal(title, 'Handbook')
  assert.match(markdown, /First of others\.[\s\S]*Archived\. Later\.$/)
})

test('a save whose answer is lost is no clash with what is typed after it, also when the page is loaded again', async () => {
  for (const isLoadedAgain of [false, true]) {
    const { space, id } = await newPage()
    let writing = await device.open(space, id)
    type(writing, 'One.')
    await writing.save()
    type(writing, ' Two.')
    device.trouble(/^POST .*\/content\b/, 'answer lost')
    await writing.save()
    assert.equal(writing.state.get().kind, 'waiting')
    device.mend()
    if (isLoadedAgain) {
      device.trouble(/./, 'not sent')
      writing.close()
      await writing.save()
      device.mend()
      writing = await device.open(space, id, '1')
    }
    type(writing, ' Three.')
    await writing.save()
    assert.equal(writing.state.get().kind, 'saved', String(isLoadedAgain))
    assert.match((await read(space, id, 1)).markdown, /One\. Two\. Three\.$/)
  }
})

test('a page that was read before the last save and arrives after it takes no words from the editor', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  const before = await device.read(space, id)
  type(writing, 'Mine.')
  await writing.save()
  writing.receive(before)
  assert.match(writing.markdown, /Mine\.$/)
})

test('a screen that is left while it saves and opened again goes on in the same draft', async () => {
  const { space, id } = await newPage()
  const before = await device.open(space, id)
  type(before, 'One.')
  before.close()
  const writing = await device.open(space, id)
  type(writing, ' Two.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /One\. Two\.$/)
  assert.equal((await w.call('GET', `/spaces/${space}/change-requests/2`)).status, 404)
})

test('a screen that is left without a network tries nothing more: the next one does', async t => {
  const { space, id } = await newPage()
  const before = await device.open(space, id)
  type(before, 'Kept.')
  device.trouble(/^POST/, 'not sent')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  before.close()
  await before.save()
  device.mend()
  const { length } = device.calls
  t.mock.timers.tick(60_000)
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  assert.equal(device.calls.length, length)
  t.mock.timers.reset()
  assert.equal(before.place.get().changeRequestId, undefined)
  const writing = await device.open(space, id)
  assert.match(writing.markdown, /Kept\.$/)
  await writing.save()
  assert.match((await read(space, id, 1)).markdown, /Kept\.$/)
})

test('a field that is changed back while it is saved is changed back', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  writing.change({ title: 'Handbook' })
  const saving = writing.save()
  await new Promise(resolve => setImmediate(resolve))
  while (writing.place.get().changeRequestId === undefined)
    await new Promise(resolve => setImmediate(resolve))
  writing.change({ title: 'Guide' })
  await saving
  await writing.save()
  assert.equal((await read(space, id, 1)).title, 'Guide')
})

test('a title and a description with blanks at their ends are saved once, and stay as they are typed', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  writing.change({ title: 'Handbook ', description: 'How ' })
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.deepEqual([writing.fields.get().title, writing.fields.get().description], ['Handbook ', 'How '])
})

test('where both changed the title the writer is asked', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Begun.')
  await writing.save()
  writing.change({ title: 'Mine' })
  await others(space, id, 1, { title: 'Theirs' })
  writing.receive(await device.read(space, id, '1'))
  await writing.save()
  assert.equal(writing.state.get().kind, 'clash')
  assert.deepEqual(writing.clash?.fields, [{ name: 'title', theirs: 'Theirs', mine: 'Mine' }])
  writing.change({ title: 'Theirs' })
  writing.resolve(writing.text)
  await writing.save()
  assert.equal((await read(space, id, 1)).title, 'Theirs')
})

test('a file that is put into the page while it is saved goes into the draft that the save begins', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Mine.')
  await rewrite(space, id, undefined, 'First.', 'First of others.')
  const [draft] = await Promise.all([writing.openDraft(), writing.save()])
  assert.equal(draft.changeRequestId, '1')
  const begun = device.calls.filter(call => call.endsWith(`POST /v1/spaces/${space}/change-requests`))
  assert.equal(begun.length, 1)
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /First of others\.[\s\S]*Mine\.$/)
})

test('two tabs that write a page without a network: the device keeps the words of both', async () => {
  const { space, id } = await newPage()
  const tabs = [await device.open(space, id), await device.open(space, id)]
  device.trouble(/^POST /, 'not sent')
  for (const [count, tab] of tabs.entries()) {
    type(tab, `Tab ${count}.`)
    tab.close()
    await tab.save()
  }
  device.mend()
  const texts: string[] = []
  for (let number = 1; number <= 2; number++) {
    const writing = await device.open(space, id)
    await writing.save()
    assert.equal(writing.state.get().kind, 'saved')
    texts.push((await read(space, id, number)).markdown)
  }
  assert.deepEqual(texts.map(text => text.slice(MARKDOWN.length)).sort(), ['Tab 0.', 'Tab 1.'])
})

/** What the device keeps of a page, without the text that it was written from. */
const keptOf = (id: string) =>
  Object.keys(localStorage).filter(key => key.includes(`/${id}/`) && !key.includes('#'))

test('of a long page the device keeps what is typed and not the page again; a saved page it does not keep', async () => {
  const { space, id } = await newPage(`${MARKDOWN}\n${'Words of a long page.\n\n'.repeat(10_000)}`)
  const writing = await device.open(space, id)
  type(writing, 'One.')
  writing.keep()
  const [key = ''] = keptOf(id)
  assert.ok((localStorage.getItem(key) ?? '').length < 2_000)
  device.trouble(/^POST /, 'not sent')
  writing.close()
  await writing.save()
  device.mend()
  const again = await device.open(space, id)
  assert.match(again.markdown, /page\.\n\nOne\.$/)
  await again.save()
  assert.deepEqual(
    Object.keys(localStorage).filter(one => one.includes(id)),
    [],
  )
})

test('what is typed while others write is kept from what they wrote, and the text before it no more', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'One.')
  await writing.save()
  await rewrite(space, id, 1, 'First.', 'First of others.')
  type(writing, ' Two.')
  const calls = device.calls.length
  const saving = writing.save()
  while (device.calls.length === calls) await new Promise(resolve => setImmediate(resolve))
  type(writing, ' Three.')
  await saving
  assert.equal(keptOf(id).length, 1)
  assert.equal(Object.keys(localStorage).filter(key => key.includes(`/${id}/`)).length, 2)
  device.trouble(/^POST /, 'not sent')
  writing.close()
  await writing.save()
  device.mend()
  const again = await device.open(space, id, '1')
  assert.match(again.markdown, /First of others\.[\s\S]*One\. Two\. Three\.$/)
})

test('what 1.0.0-rc.1 kept is read', async () => {
  const { space, id } = await newPage()
  const there = (await device.read(space, id)) as { readonly fields: object; readonly text: string }
  const page = { there, text: `${there.text}Kept.`, fields: there.fields, at: 1 }
  const draft = { text: JSON.stringify(page), from: '', at: 1, address: '/w', title: 'Guide' }
  const key = `octavo.draft.${w.people.edit.id}.edit/${space}/${id}/.one`
  localStorage.setItem(key, JSON.stringify(draft))
  const writing = await device.open(space, id)
  assert.match(writing.markdown, /Kept\.$/)
  assert.equal(localStorage.getItem(key), null)
})

/** The text that an editor shows, which is told what others write. */
function shownOf(writing: Writing) {
  let { text } = writing
  writing.follow(changes => {
    text = changes.apply(text)
  })
  return {
    get text() {
      return text.toString()
    },
    replace(from: string, to: string) {
      const at = text.toString().indexOf(from)
      const changes = ChangeSet.of(
        { from: at, to: at + from.length, insert: Text.of(to.split('\n')) },
        text.length,
      )
      text = changes.apply(text)
      writing.edit(changes)
    },
  }
}

test('two who rewrote the same line before the first save: both versions are there, and the editor gets what is chosen', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  const shown = shownOf(writing)
  shown.replace('First.', 'First of mine.')
  await rewrite(space, id, undefined, 'First.', 'Another first.')
  await rewrite(space, id, undefined, 'Last.', 'Another last.')
  await writing.save()
  assert.equal(writing.state.get().kind, 'clash')
  const { theirs, mine } = writing.clash ?? {}
  assert.match(String(theirs), /^\n?Another first\.\n\nBetween\.\n\nAnother last\./)
  assert.match(String(mine), /^\n?First of mine\.\n\nBetween\.\n\nAnother last\./)
  writing.resolve(Text.of(String(mine).replace('of mine', 'of both').split('\n')))
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /First of both\.[\s\S]*Another last\./)
  assert.equal(shown.text, writing.text.toString())
})

test('who goes on after a merge in a line that others rewrote since sees both versions', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  const shown = shownOf(writing)
  shown.replace('First.', 'First, merged.')
  await writing.save()
  await w.call('POST', `/spaces/${space}/change-requests/1/merge`, { body: {} })
  await rewrite(space, id, undefined, 'First, merged.', 'First of others.')
  shown.replace('First, merged.', 'First, and later.')
  await writing.save()
  await writing.moveToNewDraft()
  assert.equal(writing.state.get().kind, 'clash')
  writing.resolve(writing.clash?.mine ?? Text.empty)
  await writing.save()
  assert.match((await read(space, id, 2)).markdown, /First, and later\./)
})

test('where both changed an emoji or a switch of the page, the writer is asked; switches of one alone both stay', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Begun.')
  await writing.save()
  const { layout } = writing.fields.get()
  writing.change({ emoji: '🌱', layout: { ...layout, outline: false } })
  await others(space, id, 1, { emoji: '🌳', layout: { ...layout, pagination: false } })
  await writing.save()
  assert.equal(writing.state.get().kind, 'clash')
  assert.deepEqual(writing.clash?.fields, [{ name: 'emoji', theirs: '🌳', mine: '🌱' }])
  writing.resolve(writing.text)
  await writing.save()
  const page = await read(space, id, 1)
  assert.deepEqual([page.emoji, page.layout.outline, page.layout.pagination], ['🌱', false, false])
})

test('where two changed different switches of a page, nobody is asked', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'Begun.')
  await writing.save()
  const { layout } = writing.fields.get()
  writing.change({ layout: { ...layout, outline: false } })
  await others(space, id, 1, { layout: { ...layout, pagination: false } })
  await writing.save()
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  const page = await read(space, id, 1)
  assert.deepEqual([page.layout.outline, page.layout.pagination], [false, false])
})

test('a page with CRLF keeps it where lines are added, also to a single one, and where others gave it CRLF meanwhile', async () => {
  const { space, id } = await newPage('# Guide\r\n\r\nFirst.')
  const writing = await device.open(space, id)
  type(writing, '\n\nSecond.')
  await writing.save()
  assert.equal((await read(space, id, 1)).markdown, '# Guide\r\n\r\nFirst.\r\n\r\nSecond.')
  const { space: other, id: page } = await newPage('# Guide\n\nFirst.\n\nLast.\n')
  const open = await device.open(other, page)
  type(open, 'Begun.')
  await open.save()
  const { markdown } = await read(other, page, 1)
  await others(other, page, 1, { document: { markdown: markdown.replaceAll('\n', '\r\n') } })
  open.receive(await device.read(other, page, '1'))
  type(open, '\nEnd.')
  await open.save()
  assert.equal((await read(other, page, 1)).markdown, '# Guide\r\n\r\nFirst.\r\n\r\nLast.\r\nBegun.\r\nEnd.')
})

test('a server without room: the words stay on the device, and are saved when there is room again', async () => {
  const { space, id } = await newPage()
  const before = await device.open(space, id)
  type(before, 'Kept.')
  device.trouble(/^POST /, 'disk full')
  await before.save()
  assert.equal(before.state.get().kind, 'waiting')
  before.close()
  await before.save()
  device.mend()
  const writing = await device.open(space, id)
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /Kept\.$/)
})

test('a device without room says so until the words are saved', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  device.fill(true)
  type(writing, 'Not kept.')
  writing.keep()
  assert.equal(writing.isKept.get(), false)
  await writing.save()
  assert.deepEqual([writing.state.get().kind, writing.isKept.get()], ['saved', true])
  device.fill(false)
})

/** Beyond what a page takes, in bytes. */
const TOO_LARGE = 10 << 20

test('a text that is too large to save is refused with its reason, and saved once it is shorter', async () => {
  const { space, id } = await newPage()
  const writing = await device.open(space, id)
  type(writing, 'x'.repeat(TOO_LARGE))
  await writing.save()
  assert.equal(writing.state.get().kind, 'refused')
  const { length } = writing.text
  writing.edit(ChangeSet.of({ from: length - TOO_LARGE + 10, to: length }, length))
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /\nx{10}$/)
})

test('a cover that nobody changed is asked about by nobody, also where the page is loaded again', async () => {
  const { space, id } = await newPage()
  const cover = { ref: { kind: 'url', url: 'https://pictures.example/one.png' }, yPos: 0 }
  await others(space, id, undefined, { cover })
  const before = await device.open(space, id)
  device.trouble(/^POST /, 'not sent')
  type(before, 'Kept.')
  before.close()
  await before.save()
  device.mend()
  await rewrite(space, id, undefined, 'First.', 'First of others.')
  const writing = await device.open(space, id)
  await writing.save()
  assert.equal(writing.state.get().kind, 'saved')
  assert.match((await read(space, id, 1)).markdown, /First of others\.[\s\S]*Kept\.$/)
})
