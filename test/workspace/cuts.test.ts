// The network is cut in the middle of what somebody does, before the request arrives and after it did: nothing that was
// typed is lost, and nothing is done twice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { buildServer } from '../../src/cli/server.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { originOf, PUBLIC_URL } from '../support/server.ts'
import { givePassword } from '../support/sessions.ts'
import { assertAccessible, openWorkspace, showState, sideBarOf } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()
const PASSWORD = 'eleven parcels by noon'
await givePassword(w, w.people.admin.id, PASSWORD)

/** The next writes to such an address: the first does not arrive, the answer of the second does not. */
async function cut(page: Page, address: RegExp): Promise<void> {
  let writes = 0
  await page.route(address, async route => {
    const request = route.request()
    if (request.method() === 'GET' || writes === 2) return route.fallback()
    writes += 1
    if (writes === 2) await route.fetch({ headers: { ...(await request.allHeaders()), origin: PUBLIC_URL } })
    return route.abort('connectionreset')
  })
}

/** Done twice while the network is cut; each time the screen says that it failed. */
async function tryTwice(
  page: Page,
  address: RegExp,
  act: () => Promise<unknown>,
  isSaid: () => Promise<unknown>,
): Promise<void> {
  await cut(page, address)
  for (let time = 0; time < 2; time += 1) {
    const isCut = page.waitForEvent(
      'requestfailed',
      request => request.method() !== 'GET' && address.test(request.url()),
    )
    await act()
    await isCut
    await isSaid()
  }
}

const CONTENT = /\/change-requests\/\d+\/content(?:\?.*)?$/
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const textbox = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const failed = (page: Page) =>
  page.getByRole('alertdialog').filter({ has: page.getByRole('button', { name: 'Close' }) })
const UNREACHED = 'The server cannot be reached'

/** A message in the corner says why it failed, and is closed. */
async function closeFailed(page: Page): Promise<void> {
  const message = failed(page).filter({ hasText: UNREACHED })
  await message.getByRole('button', { name: 'Close' }).click()
  await message.waitFor({ state: 'detached' })
}

async function confirm(page: Page): Promise<void> {
  const asks = dialog(page, 'Confirm that it is you')
  await asks.getByLabel('Password').fill(PASSWORD)
  await asks.getByRole('button', { name: 'Confirm' }).click()
  await asks.waitFor({ state: 'hidden' })
}

test('a page is begun, written, proposed and merged while the network is cut in each step: all of it is there, once', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await openWorkspace(w, 'admin', `/w/s/${space}`, async (page, watch) => {
    const begin = (await sideBarOf(page)).getByRole('button', { name: 'New page' })
    await cut(page, CONTENT)
    for (const count of [1, 2]) {
      await begin.click()
      await failed(page)
        .nth(count - 1)
        .waitFor()
    }
    await begin.click()
    await page.waitForURL(/\/c\/1\/edit\/\w+$/)
    await page.unroute(CONTENT)

    await cut(page, CONTENT)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Returns')
    await page.getByRole('textbox', { name: 'Text of the page' }).click()
    await page.keyboard.type('Of all parcels.')
    for (let time = 0; time < 2; time += 1) {
      const isCut = page.waitForEvent('requestfailed', request => CONTENT.test(request.url()))
      await page.keyboard.press('Control+s')
      await isCut
      await page
        .getByText(/kept on this device/i)
        .first()
        .waitFor()
    }
    assert.match(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Of all parcels\./)
    await page.keyboard.press('Control+s')
    await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
    await page.unroute(CONTENT)

    const CHANGE_REQUEST = /\/change-requests\/\d+$/
    await cut(page, CHANGE_REQUEST)
    await button(page, 'Propose').click()
    const dialog = page.getByRole('dialog', { name: 'Propose' })
    const subject = dialog.getByRole('textbox', { name: 'Subject' })
    await subject.fill('How to send things back')
    for (let time = 0; time < 2; time += 1) {
      const isCut = page.waitForEvent('requestfailed', request => CHANGE_REQUEST.test(request.url()))
      await dialog.getByRole('button', { name: 'Propose' }).click()
      await isCut
      await dialog.getByRole('alert').waitFor()
      assert.equal(await subject.inputValue(), 'How to send things back')
    }
    await dialog.getByRole('button', { name: 'Propose' }).click()
    await page.waitForURL(/\/c\/1$/)
    await page.unroute(CHANGE_REQUEST)

    const MERGE = /\/merge$/
    await cut(page, MERGE)
    await showState(page)
    await button(page, 'Merge').click()
    await failed(page).last().waitFor()
    assert.equal((await w.call('GET', `/spaces/${space}/change-requests/1`)).body.status, 'open')
    await button(page, 'Merge').click()
    // What its answer did not say, the stream says, or reading it again.
    await page.getByRole('heading', { name: 'Published' }).waitFor()
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  assert.deepEqual(
    body.pages.map(({ title }: { title: string }) => title),
    ['Start', 'Returns'],
  )
  const returns = body.pages[1]
  assert.deepEqual([returns.path, returns.git.path], ['returns', 'returns.md'])
  const { body: written } = await w.call('GET', `/spaces/${space}/content/page/${returns.id}?format=markdown`)
  assert.match(written.markdown, /Of all parcels\./)
  const { body: requests } = await w.call('GET', `/spaces/${space}/change-requests?status=merged`)
  assert.deepEqual(
    requests.items.map((one: { subject: string }) => one.subject),
    ['How to send things back'],
  )
})

/** In the tree of a draft, with the row of `title` in focus. */
async function focusRow(page: Page, title: string): Promise<void> {
  await sideBarOf(page)
  const row = page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name: title })
  await row.getByRole('button', { name: `More about ${title}` }).waitFor()
  await row.focus()
}

const TREE = {
  'a page is moved by keys': {
    begin: (page: Page) => page.keyboard.press('Alt+Shift+ArrowUp'),
    done: 'Moved “⁨Ends⁩”',
    expected: ['Ends', 'Start'],
  },
  'a page is hidden in the navigation': {
    async begin(page: Page) {
      await button(page, 'More about Ends').click()
      await page.getByRole('menuitem', { name: 'Hide in the navigation', exact: true }).click()
    },
    done: /^Changed/,
    expected: ['Start', 'Ends (hidden)'],
  },
  'a page is deleted': {
    async begin(page: Page) {
      await page.keyboard.press('Delete')
      await page
        .getByRole('dialog', { name: /Delete/ })
        .getByRole('button', { name: 'Delete' })
        .click()
    },
    done: /^Deleted/,
    expected: ['Start'],
  },
} as const

for (const [what, { begin, done, expected }] of Object.entries(TREE))
  test(`the network is cut while ${what} → the screen says so, and Try again does it once`, {
    skip,
  }, async () => {
    const files = { 'README.md': '# Start\n', 'ends.md': '# Ends\n' }
    const space = await spaceWith(w, files, { title: 'Handbook' })
    await w.call('POST', `/spaces/${space}/change-requests`, { body: { subject: 'Order' } })
    const content = `/spaces/${space}/change-requests/1/content/pages`
    const titles = async () =>
      (await w.call('GET', content)).body.pages.map(
        ({ title, hidden }: { title: string; hidden?: boolean }) => (hidden ? `${title} (hidden)` : title),
      )
    await openWorkspace(w, 'admin', `/w/s/${space}/c/1/preview`, async (page, watch) => {
      await focusRow(page, 'Ends')
      await cut(page, CONTENT)
      await begin(page)
      const said = page.getByRole('alertdialog').filter({ hasText: UNREACHED })
      await said.waitFor()
      // It stays while it is pointed at.
      await said.hover()
      assert.deepEqual(await titles(), ['Start', 'Ends'])
      const isLost = page.waitForEvent('requestfailed', request => CONTENT.test(request.url()))
      await said.getByRole('button', { name: 'Try again' }).click()
      await isLost
      await said.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('alertdialog').getByText(done).waitFor()
      watch.errors.length = 0
    })
    assert.deepEqual(await titles(), expected)
  })

test('the network is cut while a group and a link are made: their dialogs keep what was typed, and each is there once', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { body: { subject: 'Order' } })
  await openWorkspace(w, 'admin', `/w/s/${space}/c/1/preview`, async (page, watch) => {
    await focusRow(page, 'Start')
    for (const [kind, fields] of [
      ['New group', { Title: 'More' }],
      ['New external link', { Title: 'Elsewhere', Address: 'https://example.com/there' }],
    ] as const) {
      await button(page, 'New group or link').click()
      await page.getByRole('menuitem', { name: kind }).click()
      const asks = dialog(page, kind)
      for (const [name, typed] of Object.entries(fields)) await textbox(asks, name).fill(typed)
      const create = asks.getByRole('button', { name: 'Create' })
      await tryTwice(
        page,
        CONTENT,
        () => create.click(),
        () => asks.getByRole('alert').getByText(UNREACHED).waitFor(),
      )
      for (const [name, typed] of Object.entries(fields))
        assert.equal(await textbox(asks, name).inputValue(), typed)
      await create.click()
      await asks.waitFor({ state: 'hidden' })
      await page.unroute(CONTENT)
    }
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/pages`)
  assert.deepEqual(
    body.pages.map(({ title, href }: { title: string; href?: string }) => [title, href]),
    [
      ['Start', undefined],
      ['More', undefined],
      ['Elsewhere', 'https://example.com/there'],
    ],
  )
})

/** A server of which the disk is full until `makeRoom` is called. */
async function fullServer(): Promise<{ readonly origin: string; readonly makeRoom: () => void }> {
  const databaseRoom = { isFull: true }
  const app = buildServer({ ...w.services, databaseRoom })
  after(() => {
    const closed = app.close()
    app.server.closeAllConnections()
    return closed
  })
  const makeRoom = () => {
    databaseRoom.isFull = false
  }
  return { origin: await originOf({ app }), makeRoom }
}

test('the disk of the server is full while somebody writes: the device keeps text and title and says so, also when the page is loaded again, and they arrive by themselves when there is room', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nIt begins.\n' }, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { as: 'edit', body: { subject: 'Parcels' } })
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const content = `/spaces/${space}/change-requests/1/content/page/${body.pages[0].id}`
  const before = (await w.call('GET', content)).body.markdown
  const { origin, makeRoom } = await fullServer()
  const path = `/w/s/${space}/c/1/edit/${body.pages[0].id}`
  await openWorkspace(
    w,
    'edit',
    path,
    async (page, watch) => {
      const text = textbox(page, 'Text of the page')
      const kept = page
        .getByRole('main')
        .getByText('The server has no room left, kept on this device', { exact: true })
      const assertKept = async () =>
        assert.match(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Of all parcels\./)
      await text.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('Of all parcels.')
      await page.keyboard.press('Control+s')
      await kept.waitFor()
      await assertKept()
      await assertAccessible(page)
      await page.reload()
      await text.getByText('Of all parcels.').waitFor()
      await kept.waitFor()
      await assertKept()
      assert.equal((await w.call('GET', content)).body.markdown, before)
      makeRoom()
      await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
      await text.getByText('Of all parcels.').waitFor()
      assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage })), /Of all parcels\./)
      watch.errors.length = 0
    },
    { origin },
  )
  assert.equal((await w.call('GET', content)).body.markdown, `${before}Of all parcels.`)
})

test('the disk of the server is full while a page is renamed in the tree: the title stays on the device, and Try again saves it when there is room', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await w.call('POST', `/spaces/${space}/change-requests`, { as: 'edit', body: { subject: 'Order' } })
  const { origin, makeRoom } = await fullServer()
  const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }))
  await openWorkspace(
    w,
    'edit',
    `/w/s/${space}/c/1/preview`,
    async (page, watch) => {
      await focusRow(page, 'Start')
      await page.keyboard.press('F2')
      await textbox(page, 'Title').fill('Beginnings')
      await page.keyboard.press('Enter')
      const said = failed(page).filter({ hasText: 'The disk of the server is full' })
      await said.waitFor()
      assert.match(await kept(page), /Beginnings/)
      makeRoom()
      await said.getByRole('button', { name: 'Try again' }).click()
      await page
        .getByRole('alertdialog')
        .getByText(/^Changed/)
        .waitFor()
      await page.waitForFunction(() => !JSON.stringify({ ...localStorage }).includes('Beginnings'))
      watch.errors.length = 0
    },
    { origin },
  )
  const { body } = await w.call('GET', `/spaces/${space}/change-requests/1/content/pages`)
  assert.equal(body.pages[0].title, 'Beginnings')
})

test('the network is cut while a role is changed → the screen says so, the role stays, and a second try changes it', {
  skip,
}, async () => {
  const { id } = w.people.edit
  const roleOf = async () => (await w.call('GET', `/orgs/${w.organizationId}/members/${id}`)).body.role
  await w.services.db.updateTable('users').set({ display_name: 'Edith' }).where('id', '=', id).execute()
  await openWorkspace(w, 'admin', '/w/people', async (page, watch) => {
    const person = page.getByRole('grid', { name: 'People' }).getByRole('row', { name: 'Edith' })
    const choose = async () => {
      await person.getByRole('button', { name: /Can write, not merge$/ }).click()
      await page.getByRole('menuitemradio', { name: 'Can read and comment' }).click()
    }
    await page.route(/\/members\/\w+$/, route => route.abort('connectionreset'), { times: 1 })
    await choose()
    await failed(page).getByText('The server cannot be reached').waitFor()
    assert.equal(await roleOf(), 'edit')
    await choose()
    await person.getByRole('button', { name: /Can read and comment$/ }).waitFor()
    watch.errors.length = 0
  })
  assert.equal(await roleOf(), 'comment')
})

const titlesOf = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name)

test('the network is cut in each step of Share: what is typed stays, and each link is made, renamed and deleted once', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  const links = async () => (await w.call('GET', `/spaces/${space}/share-links`)).body
  const visibility = async () => (await w.call('GET', `/spaces/${space}`)).body.visibility
  await openWorkspace(w, 'admin', `/w/s/${space}`, async (page, watch) => {
    await button(page, 'Share').click()
    const share = dialog(page, 'Share')
    await share.getByRole('button', { name: 'Show links' }).click()
    await confirm(page)
    await share.getByText('There is none yet.').waitFor()

    const LINKS = /\/share-links$/
    await textbox(share, 'Whom is it for?').fill('Auditors')
    const create = share.getByRole('button', { name: 'Create link' })
    const saysSo = () => closeFailed(page)
    await tryTwice(page, LINKS, () => create.click(), saysSo)
    assert.equal(await textbox(share, 'Whom is it for?').inputValue(), 'Auditors')
    await create.click()
    await textbox(share, 'Link Auditors').waitFor()
    assert.equal(await textbox(share, 'Whom is it for?').inputValue(), '')
    assert.deepEqual(titlesOf(await links()), ['Auditors'])

    const LINK = /\/share-links\/\w+$/
    await share.getByRole('button', { name: 'Rename Auditors' }).click()
    const name = textbox(share, 'New name')
    await name.fill('Partners')
    const save = share.getByRole('button', { name: 'Save' })
    await tryTwice(
      page,
      LINK,
      () => save.click(),
      () => share.getByText(UNREACHED).waitFor(),
    )
    assert.equal(await name.inputValue(), 'Partners')
    await save.click()
    await textbox(share, 'Link Partners').waitFor()
    assert.deepEqual(titlesOf(await links()), ['Partners'])
    await page.unroute(LINK)

    await share.getByRole('button', { name: 'Delete Partners' }).click()
    const question = dialog(page, 'Delete Partners')
    const remove = question.getByRole('button', { name: 'Delete' })
    await tryTwice(
      page,
      LINK,
      () => remove.click(),
      () => question.getByRole('alert').getByText(UNREACHED).waitFor(),
    )
    await remove.click()
    await share.getByText('There is none yet.').waitFor()

    const SPACE = /\/v1\/spaces\/\w+$/
    const chooser = (who: string) =>
      share.getByRole('button', { name: `Who may read it: ${who}`, exact: true })
    await cut(page, SPACE)
    for (const expected of ['private', 'unlisted']) {
      await chooser('Members').click()
      await page.getByRole('menuitemradio', { name: 'Anyone with the address' }).click()
      await closeFailed(page)
      assert.equal(await visibility(), expected)
    }
    // What its answer did not say, the stream says.
    await chooser('Anyone with the address').click()
    await page.getByRole('menuitemradio', { name: 'Anyone', exact: true }).click()
    await chooser('Anyone').waitFor()
    watch.errors.length = 0
  })
  assert.deepEqual([await visibility(), (await links()).items], ['public', []])
})

test('the network is cut while the key of visitors is renewed and where they sign in is saved: the key before is still taken, and the address stays', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'visitor-auth' } })
  const read = async () => (await w.call('GET', `/spaces/${space}/publishing/auth`)).body
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async (page, watch) => {
    const section = page.getByRole('region', { name: 'Visitors of your service' })
    await section.getByRole('button', { name: 'Show key' }).click()
    await confirm(page)
    const key = textbox(section, 'Key for tokens of visitors')
    const before = await key.inputValue()

    const RENEW = /\/publishing\/auth\/regenerate$/
    await section.getByRole('button', { name: 'New key' }).click()
    const question = dialog(page, 'Make a new key?')
    const renew = question.getByRole('button', { name: 'New key' })
    const alert = question.getByRole('alert').getByText(UNREACHED)
    await tryTwice(
      page,
      RENEW,
      () => renew.click(),
      () => alert.waitFor(),
    )
    await renew.click()
    await question.waitFor({ state: 'hidden' })
    const { privateKey, retiringKeys } = await read()
    assert.notEqual(privateKey, before)
    assert.equal(await key.inputValue(), privateKey)
    assert.ok(retiringKeys.length > 0)

    const AUTH = /\/publishing\/auth$/
    const address = section.getByLabel('Where visitors sign in')
    await address.fill('https://service.test/docs')
    const save = section.getByRole('button', { name: 'Save' })
    await tryTwice(
      page,
      AUTH,
      () => save.click(),
      () => section.getByText(UNREACHED).waitFor(),
    )
    assert.equal(await address.inputValue(), 'https://service.test/docs')
    await save.click()
    await page.getByText('Saved.').waitFor()
    watch.errors.length = 0
  })
  assert.equal((await read()).fallbackURL, 'https://service.test/docs')
})

test('the network is cut while somebody begins a change request, comments, answers and reviews: each is there once', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
  const api = `/spaces/${space}/change-requests/1`
  const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }))
  await openWorkspace(w, 'review', `/w/s/${space}/c`, async (page, watch) => {
    await button(page, 'New change request').click()
    const asks = dialog(page, 'New change request')
    await textbox(asks, 'Subject').fill('Parcels')
    const create = asks.getByRole('button', { name: 'Create' })
    await tryTwice(
      page,
      /\/change-requests$/,
      () => create.click(),
      () => asks.getByText(UNREACHED).waitFor(),
    )
    assert.equal(await textbox(asks, 'Subject').inputValue(), 'Parcels')
    await create.click()
    await page.getByRole('heading', { name: 'Parcels #1', level: 1 }).waitFor()

    const refused = page.getByRole('alert').getByText(UNREACHED)
    const field = textbox(page, 'Write a comment')
    await field.fill('Of all weights?')
    await tryTwice(
      page,
      /\/comments(?:\?.*)?$/,
      () => button(page, 'Comment').click(),
      () => refused.waitFor(),
    )
    assert.equal(await field.inputValue(), 'Of all weights?')
    assert.match(await kept(page), /Of all weights\?/)
    await button(page, 'Comment').click()
    const thread = page.getByRole('article').filter({ hasText: 'Of all weights?' })
    await thread.waitFor()
    await page.waitForFunction(() => !JSON.stringify({ ...localStorage }).includes('Of all weights'))

    await thread.getByRole('button', { name: 'Reply' }).click()
    const reply = textbox(thread, 'Reply')
    await reply.fill('Up to 30 kg.')
    const answer = thread.getByRole('button', { name: 'Reply', exact: true })
    await tryTwice(
      page,
      /\/replies(?:\?.*)?$/,
      () => answer.click(),
      () => refused.waitFor(),
    )
    assert.equal(await reply.inputValue(), 'Up to 30 kg.')
    assert.match(await kept(page), /Up to 30 kg\./)
    await answer.click()
    await reply.waitFor({ state: 'detached' })

    await field.fill('Say so.')
    await tryTwice(
      page,
      /\/reviews$/,
      () => button(page, 'Request changes').click(),
      () => refused.waitFor(),
    )
    assert.equal(await field.inputValue(), 'Say so.')
    assert.match(await kept(page), /Say so\./)
    await button(page, 'Request changes').click()
    await page.waitForFunction(() => !JSON.stringify({ ...localStorage }).includes('Say so.'))
    watch.errors.length = 0
  })
  const count = async (path: string) => (await w.call('GET', path)).body.items.length
  const comments = (await w.call('GET', `${api}/comments`)).body.items
  const [comment] = comments.filter(({ body }: { body: { markdown: string } }) =>
    /weights/.test(body.markdown),
  )
  assert.deepEqual(
    [
      await count(`/spaces/${space}/change-requests?status=draft`),
      // That of the review is one of them.
      comments.length,
      await count(`${api}/comments/${comment.id}/replies`),
      await count(`${api}/reviews`),
    ],
    [1, 2, 1, 1],
  )
})
