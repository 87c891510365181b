// `/mcp`: the tools and resources of a workspace, through the official client over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mcpOf } from '../../test/support/mcp.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { world } from '../../test/support/world.ts'

const FILES = {
  'README.md': '# Weather\n\nWhat to do outside.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Weather](README.md)\n* [Rain](rain.md)\n  * [Hail](hail.md)\n',
  'rain.md': '# Rain\n\n## Clothes\n\nTake the yellow umbrella along.\n',
  'hail.md': '# Hail\n\nStay under a roof.\n',
}

test('a space that searches leave out is in no list and no answer until it is asked for', async () => {
  const w = await world()
  await spaceWith(w, FILES, { title: 'Outside' })
  const guide = await spaceWith(
    w,
    { 'README.md': '# Manual\n\nThe umbrella of the manual.\n' },
    { title: 'Manual' },
  )
  const { status } = await w.call('PATCH', `/spaces/${guide}`, { body: { searchScope: 'space' } })
  assert.equal(status, 200)
  const { client, use } = await mcpOf(w, 'admin')
  const spaces = await use('list_spaces')
  assert.match(spaces.text, /: 1 space\n- Outside/)
  assert.doesNotMatch(spaces.text, /Manual/)
  assert.match((await use('list_spaces', { all: true })).text, /: 2 spaces\n(?:.*\n)?- Manual/)
  assert.doesNotMatch((await use('search', { query: 'umbrella' })).text, /Manual/)
  assert.match((await use('search', { query: 'umbrella', space: guide })).text, /Manual/)
  assert.doesNotMatch((await use('ask', { question: 'Where is the umbrella?' })).text, /manual/)
  const names: string[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const list = await client.listResources(cursor === undefined ? {} : { cursor })
    names.push(...list.resources.map(({ name }) => name))
    cursor = list.nextCursor
  }
  assert.ok(
    names.some(name => name.includes('Rain')) && !names.some(name => name.includes('Manual')),
    names.join(),
  )
})

test('a client finds a page, reads it, and proposes a better one', async () => {
  const w = await world()
  const space = await spaceWith(w, FILES, { title: 'Outside' })
  const { client, use } = await mcpOf(w, 'admin')
  assert.equal(client.getServerVersion()?.name, 'octavo')
  assert.match(client.getInstructions() ?? '', /never as instructions/)

  const spaces = await use('list_spaces')
  assert.match(spaces.text, new RegExp(`Outside \\(space ${space}, private\\)`))
  const found = await use('search', { query: 'umbrella' })
  assert.match(found.text, /Rain \(page \S+, path "rain"\)/)
  assert.match(found.text, /Clothes: Take the yellow umbrella along\./)
  assert.deepEqual(
    await use('search', { query: 'umbrella', space }).then(({ text }) => /Rain/.test(text)),
    true,
  )
  await spaceWith(w, { 'README.md': '# Umbrella\n\nOne that folds.\n' }, { title: 'Shop' })
  const few = await use('search', { query: 'umbrella', limit: 1 })
  assert.match(few.text, /^2 pages found; the best 1:\n\nIn Shop \(space \S+\):\n- Umbrella \(page/)
  const [, rain = ''] = /\(page (\S+), path "rain"\)/.exec(found.text) ?? []

  const page = await use('read_page', { space, page: rain })
  assert.match(page.text, /# Rain\n\n## Clothes\n\nTake the yellow umbrella along\.\n/)
  assert.equal((await use('read_page', { space, path: '/rain' })).text, page.text)
  for (const path of ['rain', 'rain.md']) {
    const address = `http://octavo.test/s/${space}/${path}`
    assert.equal((await use('read_page', { address })).text, page.text, address)
  }
  const inWorkspace = await use('read_page', { address: `http://octavo.test/w/s/${space}/p/${rain}` })
  assert.equal(inWorkspace.text, page.text)
  assert.match((await use('list_pages', { space })).text, /\n- Rain \(.*\n {2}- Hail \(/)

  const opened = await use('create_change_request', { space, subject: 'Another colour' })
  const [, number = ''] = /#(\d+)/.exec(opened.text) ?? []
  const changeRequest = Number(number)
  const edited = await use('edit_change_request', {
    space,
    changeRequest,
    changes: [
      {
        operation: 'update_page',
        page: rain,
        markdown: '# Rain\n\n## Clothes\n\nTake the red umbrella along.\n',
      },
      {
        operation: 'insert_page',
        ref: 'snow',
        markdown: '# Snow\n\nSee [rain](./rain.md) and [fog](fog.md).\n',
      },
    ],
  })
  assert.deepEqual([edited.isError, /updated page/.test(edited.text)], [false, true], edited.text)
  assert.match(edited.text, /^- link of \S+ that leads to nothing yet: fog\.md$/m)
  const changes = await use('read_changes', { space, changeRequest })
  assert.match(changes.text, /- Take the yellow umbrella along\.\n\+ Take the red umbrella along\./)
  assert.match(changes.text, /page created: Snow/)
  assert.match((await use('read_page', { space, changeRequest, page: rain })).text, /red umbrella/)
  assert.match((await use('read_page', { space, page: rain })).text, /yellow umbrella/)
  assert.match((await use('comment', { space, changeRequest, text: 'Red is warmer.' })).text, /was posted/)
  assert.match((await use('list_change_requests', { space, status: 'draft' })).text, /Another colour/)
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/${changeRequest}/comments`)
  assert.equal(body.count, 1)
  const asked = await use('ask', { question: 'Which umbrella should I take along in the rain?' })
  assert.match(asked.text, /yellow umbrella/)
})

test('resources are the pages of every space, and each can be read', async () => {
  const w = await world()
  await spaceWith(w, FILES, { title: 'Outside' })
  await spaceWith(w, { 'README.md': '# Indoors\n' }, { title: 'Inside' })
  const { client } = await mcpOf(w, 'admin')
  const names: string[] = []
  let cursor: string | undefined
  do {
    const list = await client.listResources(cursor === undefined ? {} : { cursor })
    for (const { name, uri } of list.resources) {
      names.push(name)
      const { contents } = await client.readResource({ uri })
      assert.match(String((contents[0] as { text?: unknown }).text), /^# /)
    }
    cursor = list.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(names.sort(), ['Inside: Indoors', 'Outside: Hail', 'Outside: Rain', 'Outside: Weather'])
})
