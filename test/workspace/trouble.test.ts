// What others do, and what fails, while somebody is at work in the workspace: nothing that was written is lost, nobody sees
// what is another's, and the screen shows what is so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { skipBrowser as skip, type Watch } from '../support/browser.ts'
import { changeRequestWith, proposeFiles } from '../support/change-requests.ts'
import { spaceWith } from '../support/pages.ts'
import { PUBLIC_URL } from '../support/server.ts'
import { signedIn } from '../support/sessions.ts'
import { isWhole } from '../support/slice.ts'
import { assertAccessible, endSessions, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** An open change request that changes one paragraph. */
async function open() {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nSend it on Monday.\n' }, { title: 'Handbook' })
  const files = { 'README.md': '# Start\n\nSend it on Tuesday.\n' }
  const { id, number } = await changeRequestWith(w, space, files, { subject: 'Tuesday' })
  const api = `/spaces/${space}/change-requests/${id}`
  await w.call('PATCH', api, { body: { status: 'open' } })
  return { space, id, api, path: `/w/s/${space}/c/${number}` }
}

const HELLO = { contentType: 'text/event-stream', body: 'data: {"type":"hello"}\n\n' }
const refusal = (code: number) => ({ status: code, json: { error: { code, message: 'No stream.' } } })
const HELD = undefined

/** What a stream meets on its way, each time that it is begun; the last again and again. */
const STREAMS: Readonly<Record<string, readonly (Parameters<Route['fulfill']>[0] | typeof HELD)[]>> = {
  'breaks and is held back from then on': [HELLO, HELD],
  ...(isWhole && { 'is refused': [refusal(503)], 'is not known': [refusal(404)], 'is held back': [HELD] }),
}

for (const [what, answers] of Object.entries(STREAMS))
  test(`a stream that ${what}: what others do shows after 30 s`, { skip }, async () => {
    const space = await spaceWith(w, { 'README.md': '# Start\n' })
    const look = async (page: Page, watch: Watch, context: BrowserContext) => {
      const address = page.url()
      // The stream of this page may begin only now, and would be counted.
      await page.goto('about:blank')
      const shown = Promise.withResolvers<void>()
      let begun = 0
      await context.route('**/v1/stream', async route => {
        const answer = answers[begun] ?? answers.at(-1)
        begun += 1
        await shown.promise
        if (answer !== HELD) await route.fulfill(answer)
      })
      await page.clock.install()
      await page.goto(address)
      await page.getByText('No change request is open.').waitFor()
      const readAgain =
        answers[0] === HELLO ? page.waitForResponse('**/change-requests?*') : Promise.resolve()
      const beganAgain = answers.length > 1 ? page.waitForRequest('**/v1/stream') : Promise.resolve()
      shown.resolve()
      await readAgain
      await page.clock.runFor(5000)
      await beganAgain
      await changeRequestWith(w, space, { 'README.md': '# Start\n\nMore.\n' }, { subject: 'From afar' })
      await w.call('PATCH', `/spaces/${space}/change-requests/1`, { body: { status: 'open' } })
      await page.clock.fastForward(30_000)
      await page.getByRole('link', { name: /From afar/ }).waitFor()
      watch.errors.length = 0
    }
    await openWorkspace(w, 'read', `/w/s/${space}/c`, look)
  })

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const signIn = (context: BrowserContext, url: string, secret: string) =>
  context.addCookies([{ name: 'octavo_session', value: secret, url: new URL(url).origin }])

/** Who signed in last finds nothing in the field; `review`, who wrote it, finds `text`. */
async function assertTheirsAlone(page: Page, url: string, text: string): Promise<void> {
  await page.goto(url)
  await field(page).waitFor()
  assert.equal(await field(page).inputValue(), '')
  // A page that is open leaves by itself when somebody else signs in.
  await page.goto('about:blank')
  await signIn(page.context(), url, await signedIn(w, 'review'))
  await page.goto(url)
  await field(page).waitFor()
  assert.equal(await field(page).inputValue(), text)
}

test('somebody else signs in on the same browser: the screen of the first goes, and what they wrote is theirs alone', {
  skip,
}, async () => {
  const { path } = await open()
  await openWorkspace(w, 'review', path, async (page, _watch, context) => {
    const url = page.url()
    await field(page).fill('Between us: ')
    await signIn(context, url, await signedIn(w, 'comment'))
    await endSessions(w, 'review')
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await assertTheirsAlone(page, url, 'Between us: ')
  })
})

test('somebody else signs in on the same browser: what the first sends then is not written in their name, and stays a draft of the first', {
  skip,
}, async () => {
  const { api, path } = await open()
  await openWorkspace(w, 'review', path, async (page, _watch, context) => {
    const url = page.url()
    await field(page).fill('Between us')
    const other = await signedIn(w, 'comment')
    // While it is being sent: sooner, and the page could notice by itself and leave.
    await page.route(/\/comments(\?|$)/, async route => {
      const request = route.request()
      if (request.method() !== 'POST') return route.fallback()
      await signIn(context, url, other)
      const own = { cookie: `octavo_session=${other}`, origin: PUBLIC_URL }
      const response = await route.fetch({ headers: { ...(await request.allHeaders()), ...own } })
      return route.fulfill({ response })
    })
    await button(page, 'Comment').click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    const { body } = await w.call('GET', `${api}/comments`)
    assert.deepEqual(body.items, [])
    await assertTheirsAlone(page, url, 'Between us')
  })
})

test('the change request is edited and merged while a comment and a review are written: the words stay, and say why they are refused', {
  skip,
}, async () => {
  const { id, api, path } = await open()
  await openWorkspace(w, 'review', `${path}/changes`, async page => {
    await page.getByRole('group', { name: 'Changed' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await field(page).fill('On Tuesday')
    await proposeFiles(w, id, { 'README.md': '# Start\n\nNothing of it is the same.\n' })
    await page.getByText('Nothing of it is the same.').waitFor()
    assert.equal(await field(page).inputValue(), 'On Tuesday')
    await assertAccessible(page)
    await button(page, 'Comment').click()
    await page.getByRole('article').getByText('On Tuesday').waitFor()

    await button(page, 'Request changes').click()
    const words = dialog(page, 'Request changes').getByRole('textbox', { name: 'What should change?' })
    await words.fill('All of it.')
    await w.call('POST', `${api}/merge`)
    await button(page, 'Approve').waitFor({ state: 'hidden' })
    assert.equal(await words.inputValue(), 'All of it.')
    await dialog(page, 'Request changes').getByRole('button', { name: 'Request changes' }).click()
    await dialog(page, 'Request changes').getByRole('alert').waitFor()
    assert.equal(await words.inputValue(), 'All of it.')
  })
})

test('the change request is archived by somebody else under an open review: the words stay, and say why they are refused', {
  skip,
}, async () => {
  const { api, path } = await open()
  await openWorkspace(w, 'review', `${path}/changes`, async page => {
    await page.getByRole('group', { name: 'Changed' }).waitFor()
    await button(page, 'Request changes').click()
    const asks = dialog(page, 'Request changes')
    const words = asks.getByRole('textbox', { name: 'What should change?' })
    await words.fill('All of it.')
    await w.call('PATCH', api, { body: { status: 'archived' } })
    await page.getByText('Archived', { exact: true }).waitFor()
    assert.equal(await words.inputValue(), 'All of it.')
    await asks.getByRole('button', { name: 'Request changes' }).click()
    await asks.getByRole('alert').waitFor()
    assert.equal(await words.inputValue(), 'All of it.')
    await assertAccessible(page)
  })
})

test('a page is deleted by somebody else under a comment on it: the words stay, and are sent about the page', {
  skip,
}, async () => {
  const { space, api, path } = await open()
  await openWorkspace(w, 'review', `${path}/changes`, async page => {
    await page.getByRole('group', { name: 'Changed' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await field(page).fill('On Tuesday')
    const { body } = await w.call('GET', `${api}/content/pages`)
    const changes = [{ operation: 'delete_page', page: body.pages[0].id }]
    await w.call('POST', `/spaces/${space}/change-requests/1/content`, { body: { changes } })
    await page.getByText('Deleted', { exact: true }).first().waitFor()
    assert.equal(await field(page).inputValue(), 'On Tuesday')
    await assertAccessible(page)
    await button(page, 'Comment').click()
    await page.getByRole('article').getByText('On Tuesday').or(page.getByRole('alert')).first().waitFor()
  })
})

test('a new page is taken out of the change request under a comment on it: the words are shown', {
  skip,
}, async () => {
  const { space, id, path } = await open()
  const files = { 'README.md': '# Start\n\nSend it on Monday.\n', 'new.md': '# New\n\nSoon.\n' }
  await proposeFiles(w, id, files)
  await openWorkspace(w, 'review', `${path}/changes`, async page => {
    await page.getByText('Soon.').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await field(page).fill('Why so late?')
    const { body } = await w.call('GET', `/spaces/${space}/change-requests/${id}/content/pages`)
    const { id: added } = body.pages.find(({ title }: { title: string }) => title === 'New')
    const changes = [{ operation: 'delete_page', page: added }]
    await w.call('POST', `/spaces/${space}/change-requests/${id}/content`, { body: { changes } })
    const left = page.getByRole('region', { name: 'On text that is no longer there' })
    await left.waitFor()
    assert.equal(await field(page).inputValue(), 'Why so late?')
    await assertAccessible(page)
  })
})

test('a role is taken away in the middle of a sentence: it stays, and is refused with the reason', {
  skip,
}, async () => {
  const { space, path, api } = await open()
  await w.call('POST', `${api}/comments`, { body: { body: { markdown: 'Why?' } } })
  await openWorkspace(w, 'review', path, async page => {
    const thread = page.getByRole('article')
    await thread.getByRole('button', { name: 'Reply' }).click()
    const reply = thread.getByRole('textbox', { name: 'Reply' })
    await reply.fill('Because ')
    await field(page).fill('Wait: ')
    const { review } = w.people
    await w.call('PATCH', `/spaces/${space}/permissions/users/${review.id}`, { body: { role: 'read' } })
    await button(page, 'Approve').waitFor({ state: 'hidden' })
    await button(page, 'Comment').click()
    await page.getByRole('alert').waitFor()
    assert.deepEqual([await field(page).inputValue(), await reply.inputValue()], ['Wait: ', 'Because '])
    await assertAccessible(page)
  })
})

test('who loses a space is told so above its history, its change requests and its conflicts', {
  skip,
}, async () => {
  const { space, path } = await open()
  const change = (body: object) => w.call('PATCH', `/spaces/${space}`, { body })
  for (const shown of [`/w/s/${space}/history`, `/w/s/${space}/c`, `${path}/conflicts`]) {
    await openWorkspace(w, 'read', shown, async page => {
      await page.getByRole('main').getByText('Handbook').first().waitFor()
      await change({ defaultLevel: null })
      await page.getByRole('alert').getByText('This space is no longer there').waitFor()
      await assertAccessible(page)
    })
    await change({ defaultLevel: 'inherit' })
  }
})
