// The session ends in the middle of what somebody does. They sign in above the screen: what they typed is there, on the
// screen and on the device, and what they did is done once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, ElementHandle, Locator, Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { file, importWorld, PASSWORD } from '../support/imports.ts'
import { spaceWith } from '../support/pages.ts'
import { givePassword, signedIn } from '../support/sessions.ts'
import { endSessions, openWorkspace, showState, sideBarOf } from '../support/workspace.ts'
import type { PersonName } from '../support/world.ts'

const w = await importWorld()
await givePassword(w, w.people.admin.id, PASSWORD)

const FILES = {
  'SUMMARY.md': '* [Start](README.md)\n* [Parcels](parcels.md)\n* [Ends](ends.md)\n',
  'README.md': '# Start\n\nIt begins.\n',
  'parcels.md': '# Parcels\n\nOf all weights.\n',
  'ends.md': '# Ends\n\nIt ends.\n',
}

type Place = { readonly space: string; readonly api: string; readonly path: string; readonly pageId: string }

/** A space with an open change request of `edit`. */
async function placeOf(): Promise<Place> {
  const space = await spaceWith(w, FILES, { title: 'Handbook' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Heavier parcels' },
  })
  await proposeFiles(w, body.id, { ...FILES, 'parcels.md': '# Parcels\n\nUp to 30 kg.\n' }, 'edit')
  const { body: content } = await w.call('GET', `/spaces/${space}/content/pages`)
  const [{ id: pageId }] = content.pages
  return { space, api: `/spaces/${space}/change-requests/1`, path: `/w/s/${space}`, pageId }
}

/** In the middle of something: the next step is the one that the server refuses. */
type Middle = {
  /** What is pressed. Below the question to sign in it has no name, so it is found before. */
  readonly pressed: Locator
  readonly press?: (element: ElementHandle<HTMLElement | SVGElement>) => Promise<unknown>
  /** Holds what was typed. */
  readonly field?: Locator
  readonly isOnDevice?: boolean
  /** What is left to do after signing in; nothing where it goes on by itself. */
  readonly again?: () => Promise<void>
  /** Waits until the screen says that it is done. */
  readonly done: () => Promise<unknown>
}

type Flow = {
  readonly person: PersonName
  readonly path: (at: Place) => string
  readonly begin: (page: Page, at: Place) => Promise<Middle>
  /** What the server has of it in the end. */
  readonly written: (at: Place) => Promise<unknown>
  readonly expected: unknown
}

const WORDS = 'Words that nobody types twice.'

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const textbox = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const said = (page: Page, words: string | RegExp) => page.getByRole('alertdialog').getByText(words)
const row = (page: Page, name: string) =>
  page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name })

const itemsOf = async (path: string) => (await w.call('GET', path)).body.items
const titlesIn = async (at: string): Promise<string[]> =>
  (await w.call('GET', `${at}/content/pages`)).body.pages.map(({ title }: { title: string }) => title)
const wordsIn = (markdown: string): number => markdown.split(WORDS).length - 1

async function typeAtEnd(page: Page): Promise<void> {
  await textbox(page, 'Text of the page').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(WORDS)
}

/** The row of `title` in the tree of the draft, in focus. */
async function focusRow(page: Page, title: string): Promise<void> {
  await sideBarOf(page)
  await button(row(page, title), `More about ${title}`).waitFor()
  await row(page, title).focus()
}

const confirm = async (page: Page): Promise<void> => {
  const asks = dialog(page, 'Confirm that it is you')
  await asks.getByLabel('Password').fill(PASSWORD)
  await button(asks, 'Confirm').click()
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'a page is written': {
    person: 'edit',
    path: ({ path, pageId }) => `${path}/c/1/edit/${pageId}`,
    async begin(page) {
      await typeAtEnd(page)
      const text = textbox(page, 'Text of the page')
      const saves = { key: 's', ctrlKey: true, bubbles: true, cancelable: true }
      return {
        pressed: text,
        press: element => element.dispatchEvent('keydown', saves),
        field: text,
        isOnDevice: true,
        again: () => page.keyboard.press('Control+s'),
        done: () => page.getByRole('main').getByText('Saved', { exact: true }).waitFor(),
      }
    },
    async written({ api, pageId }) {
      return wordsIn((await w.call('GET', `${api}/content/page/${pageId}`)).body.markdown)
    },
    expected: 1,
  },
  'a page is begun': {
    person: 'edit',
    path: ({ path }) => `${path}/c/1/preview`,
    async begin(page) {
      const begins = button(await sideBarOf(page), 'New page')
      return {
        pressed: begins,
        again: () => begins.click(),
        done: () => page.waitForURL(/\/c\/1\/edit\/\w+$/),
      }
    },
    written: ({ api }) => titlesIn(api),
    expected: ['Start', 'Parcels', 'Ends', 'New page'],
  },
  'a page is renamed in the tree': {
    person: 'edit',
    path: ({ path }) => `${path}/c/1/preview`,
    async begin(page) {
      await focusRow(page, 'Ends')
      await page.keyboard.press('F2')
      const title = textbox(page, 'Title')
      await title.fill(WORDS)
      return {
        pressed: title,
        press: element => element.evaluate(input => (input as HTMLInputElement).form?.requestSubmit()),
        isOnDevice: true,
        done: () => said(page, /^Changed/).waitFor(),
      }
    },
    written: ({ api }) => titlesIn(api),
    expected: ['Start', 'Parcels', WORDS],
  },
  'a page is moved by keys': {
    person: 'edit',
    path: ({ path }) => `${path}/c/1/preview`,
    async begin(page) {
      await focusRow(page, 'Ends')
      const up = { key: 'ArrowUp', altKey: true, shiftKey: true, bubbles: true, cancelable: true }
      return {
        pressed: row(page, 'Ends'),
        press: element => element.dispatchEvent('keydown', up),
        done: () => said(page, 'Moved “⁨Ends⁩”').waitFor(),
      }
    },
    written: ({ api }) => titlesIn(api),
    expected: ['Start', 'Ends', 'Parcels'],
  },
  'a page is proposed': {
    person: 'edit',
    path: ({ path, pageId }) => `${path}/c/1/edit/${pageId}`,
    async begin(page) {
      await typeAtEnd(page)
      await button(page, 'Propose').click()
      const asks = dialog(page, 'Propose')
      const subject = textbox(asks, 'Subject')
      await subject.fill(WORDS)
      return {
        pressed: button(asks, 'Propose'),
        field: subject,
        again: () => button(asks, 'Propose').click(),
        done: () => page.getByRole('heading', { name: `${WORDS} #1`, level: 1 }).waitFor(),
      }
    },
    async written({ api, pageId }) {
      const { body } = await w.call('GET', api)
      const { markdown } = (await w.call('GET', `${api}/content/page/${pageId}`)).body
      return [body.status, body.subject, wordsIn(markdown)]
    },
    expected: ['open', WORDS, 1],
  },
  'a page is published': {
    person: 'review',
    path: ({ path, pageId }) => `${path}/edit/${pageId}`,
    async begin(page, { pageId }) {
      await typeAtEnd(page)
      return {
        pressed: button(page, 'Publish'),
        field: textbox(page, 'Text of the page'),
        isOnDevice: true,
        again: () => button(page, 'Publish').click(),
        done: () => page.waitForURL(`**/p/${pageId}`),
      }
    },
    async written({ space, pageId }) {
      return wordsIn((await w.call('GET', `/spaces/${space}/content/page/${pageId}`)).body.markdown)
    },
    expected: 1,
  },
  'a change request is merged': {
    person: 'review',
    path: ({ path }) => `${path}/c/1`,
    async begin(page) {
      await showState(page)
      return {
        pressed: button(page, 'Merge'),
        again: () => button(page, 'Merge').click(),
        done: () => page.getByRole('heading', { name: 'Published' }).waitFor(),
      }
    },
    async written({ api }) {
      return (await w.call('GET', api)).body.status
    },
    expected: 'merged',
  },
  'a comment is written': {
    person: 'review',
    path: ({ path }) => `${path}/c/1`,
    async begin(page) {
      const field = textbox(page, 'Write a comment')
      await field.fill(WORDS)
      return {
        pressed: button(page, 'Comment'),
        field,
        isOnDevice: true,
        again: () => button(page, 'Comment').click(),
        done: () => page.getByRole('article').getByText(WORDS).waitFor(),
      }
    },
    written: async ({ api }) => (await itemsOf(`${api}/comments`)).length,
    expected: 1,
  },
  'a comment is answered': {
    person: 'review',
    path: ({ path }) => `${path}/c/1`,
    async begin(page, { api }) {
      await w.call('POST', `${api}/comments`, { body: { body: { markdown: 'Why?' } } })
      await page.reload()
      const thread = page.getByRole('article').filter({ hasText: 'Why?' })
      await button(thread, 'Reply').click()
      const field = textbox(thread, 'Reply')
      await field.fill(WORDS)
      return {
        pressed: button(thread, 'Reply'),
        field,
        isOnDevice: true,
        again: () => button(thread, 'Reply').click(),
        done: () => field.waitFor({ state: 'detached' }),
      }
    },
    async written({ api }) {
      const [{ id }] = await itemsOf(`${api}/comments`)
      return (await itemsOf(`${api}/comments/${id}/replies`)).length
    },
    expected: 1,
  },
  'a review is given': {
    person: 'review',
    path: ({ path }) => `${path}/c/1/changes`,
    async begin(page) {
      await button(page, 'Request changes').click()
      const asks = dialog(page, 'Request changes')
      const field = textbox(asks, 'What should change?')
      await field.fill(WORDS)
      return {
        pressed: button(asks, 'Request changes'),
        field,
        isOnDevice: true,
        again: () => button(asks, 'Request changes').click(),
        done: () =>
          page.getByRole('list', { name: 'Reviewers' }).getByText('Requests changes').first().waitFor(),
      }
    },
    written: async ({ api }) =>
      (await itemsOf(`${api}/reviews`)).map(({ status }: { status: string }) => status),
    expected: ['changes-requested'],
  },
  'people are invited': {
    person: 'admin',
    path: () => '/w/people',
    async begin(page) {
      await button(page, 'Invite').click()
      const asks = dialog(page, 'Invite people')
      const field = asks.getByLabel('Email addresses')
      await field.fill('ana@session.test')
      return {
        pressed: button(asks, 'Invite'),
        field,
        again: () => button(asks, 'Invite').click(),
        done: () => asks.getByText(/^1 person is invited/).waitFor(),
      }
    },
    async written() {
      const members = `/orgs/${w.organizationId}/members?search=ana@session.test`
      return (await w.call('GET', members)).body.count
    },
    expected: 1,
  },
  'a link is made under Share': {
    person: 'admin',
    path: ({ path }) => path,
    async begin(page) {
      await button(page, 'Share').click()
      const asks = dialog(page, 'Share')
      const field = textbox(asks, 'Whom is it for?')
      await field.fill(WORDS)
      return {
        pressed: button(asks, 'Create link'),
        field,
        again: async () => {
          await button(asks, 'Create link').click()
          await confirm(page)
        },
        done: () => textbox(asks, `Link ${WORDS}`).waitFor(),
      }
    },
    written: async ({ space }) =>
      (await itemsOf(`/spaces/${space}/share-links`)).map(({ name }: { name: string }) => name),
    expected: [WORDS],
  },
  'a space is opened to others under Share': {
    person: 'admin',
    path: ({ path }) => path,
    async begin(page) {
      await button(page, 'Share').click()
      const asks = dialog(page, 'Share')
      const choose = async () => {
        await button(asks, 'Who may read it: Members').click()
        return page.getByRole('menuitemradio', { name: 'Anyone with the address' })
      }
      return {
        pressed: await choose(),
        again: async () => {
          await (await choose()).click()
          await confirm(page)
        },
        done: () => button(asks, 'Who may read it: Anyone with the address').waitFor(),
      }
    },
    written: async ({ space }) => (await w.call('GET', `/spaces/${space}`)).body.visibility,
    expected: 'unlisted',
  },
  'the key of visitors is renewed': {
    person: 'admin',
    path: ({ path }) => `${path}/settings`,
    async begin(page, { space }) {
      await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'visitor-auth' } })
      const section = page.getByRole('region', { name: 'Visitors of your service' })
      await button(section, 'Show key').click()
      await confirm(page)
      await textbox(section, 'Key for tokens of visitors').waitFor()
      await button(section, 'New key').click()
      const asks = dialog(page, 'Make a new key?')
      return {
        pressed: button(asks, 'New key'),
        again: async () => {
          await button(asks, 'New key').click()
          await confirm(page)
        },
        done: () => section.getByText(/^The key before ends/).waitFor(),
      }
    },
    written: async ({ space }) =>
      (await w.call('GET', `/spaces/${space}/publishing/auth`)).body.retiringKeys.length,
    expected: 1,
  },
  'a link is made in the tree': {
    person: 'edit',
    path: ({ path }) => `${path}/c/1/preview`,
    async begin(page) {
      await focusRow(page, 'Ends')
      await button(page, 'New group or link').click()
      await page.getByRole('menuitem', { name: 'New external link' }).click()
      const asks = dialog(page, 'New external link')
      await textbox(asks, 'Title').fill('Elsewhere')
      const field = textbox(asks, 'Address')
      await field.fill('https://example.com/there')
      return {
        pressed: button(asks, 'Create'),
        field,
        again: () => button(asks, 'Create').click(),
        done: () => asks.waitFor({ state: 'hidden' }),
      }
    },
    written: ({ api }) => titlesIn(api),
    expected: ['Start', 'Parcels', 'Ends', 'Elsewhere'],
  },
  'a repository is imported': {
    person: 'create',
    path: () => '/w/new/git',
    async begin(page) {
      const repository = await w.repository([file('README.md', '# Home\n\nThe first words.\n')])
      await textbox(page, 'Address of the repository').fill(`${w.host.url}/${repository.name}`)
      await page.getByText('The repository is private').click()
      await textbox(page, 'User').fill('ada')
      await textbox(page, 'Password or token').fill(PASSWORD)
      await button(page, 'Look at it').click()
      await page.getByText('1 page, 0 files').waitFor()
      await textbox(page, 'Title').fill(WORDS)
      return {
        pressed: button(page, 'Import'),
        field: textbox(page, 'Title'),
        again: () => button(page, 'Import').click(),
        done: () => page.getByText('The first words.').waitFor(),
      }
    },
    async written() {
      const spaces = await itemsOf(`/orgs/${w.organizationId}/spaces?limit=1000`)
      return spaces.filter(({ title }: { title: string }) => title === WORDS).length
    },
    expected: 1,
  },
}

const ended = (page: Page) => dialog(page, 'Your session has ended')

async function signInAgain(page: Page, context: BrowserContext, person: PersonName): Promise<void> {
  await ended(page).waitFor()
  const value = await signedIn(w, person)
  await context.addCookies([{ name: 'octavo_session', value, url: new URL('/', page.url()).href }])
  // As the window of signing in does when it closes.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await ended(page).waitFor({ state: 'hidden' })
}

/** At `path`, where nothing but an answer to what is done tells that the session has ended. */
const openWithoutStream = (
  person: PersonName,
  path: string,
  look: (page: Page, context: BrowserContext) => Promise<void>,
) =>
  openWorkspace(w, person, '/robots.txt', async (page, watch, context) => {
    await context.route('**/v1/stream*', route => route.abort())
    await page.goto(new URL(path, page.url()).href)
    await look(page, context)
    watch.errors.length = 0
  })

const keptOf = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage }))
const textOf = (field: Locator): Promise<string> =>
  field.evaluate(element =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.value
      : element.textContent,
  )

for (const [what, { person, path, begin, written, expected }] of Object.entries(FLOWS))
  test(`the session ends while ${what} → signing in above the screen, and it is done once`, {
    skip,
  }, async () => {
    const at = await placeOf()
    await openWithoutStream(person, path(at), async (page, context) => {
      const {
        pressed,
        press = element => element.dispatchEvent('click'),
        field,
        isOnDevice = false,
        again,
        done,
      } = await begin(page, at)
      const element = (await pressed.elementHandle()) as ElementHandle<HTMLElement | SVGElement>
      const typed = field && (await textOf(field))
      await endSessions(w, person)
      await press(element)
      await ended(page).waitFor()
      if (isOnDevice) assert.ok((await keptOf(page)).includes(WORDS))
      await signInAgain(page, context, person)
      if (field) assert.equal(await textOf(field), typed)
      await again?.()
      await done()
    })
    assert.deepEqual(await written(at), expected)
  })

test('the session ends while files are sent → signing in above the screen, and they go on by themselves', {
  skip,
}, async () => {
  const { space, path } = await placeOf()
  await openWithoutStream('edit', `${path}/c/1/files`, async (page, context) => {
    const asks = page.waitForEvent('filechooser')
    await button(page, 'Upload').click()
    const chooser = await asks
    await endSessions(w, 'edit')
    const files = ['one.txt', 'two.txt'].map(name => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(name) },
    }))
    await chooser.setFiles(files)
    await signInAgain(page, context, 'edit')
    const list = page.getByRole('grid', { name: 'Files' })
    for (const { name } of files) await list.getByRole('row', { name }).waitFor()
  })
  const files = await itemsOf(`/spaces/${space}/change-requests/1/content/files`)
  assert.deepEqual(files.map(({ name }: { name: string }) => name).sort(), ['one.txt', 'two.txt'])
})
