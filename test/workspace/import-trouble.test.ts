// What goes wrong, and what others do, while documentation is imported: nothing that was chosen or written is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { holdGit } from '../support/git-lane.ts'
import { file, flattenPages, importWorld, PASSWORD } from '../support/imports.ts'
import { signedIn } from '../support/sessions.ts'
import { endSessions, openWorkspace } from '../support/workspace.ts'
import { zipOf } from '../support/zip.ts'

const w = await importWorld()

const GUIDE = () => [
  file('SUMMARY.md', '* [Home](README.md)\n* [Set up](setup.md)\n* [Guide](guide.md)\n'),
  file('README.md', '# Home\n\nThe first words.\n'),
  file('setup.md', '# Set up\n\nTo begin.\n'),
  file('guide.md', '# Guide\n\nTo go on.\n'),
]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const ended = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

async function signInAgain(page: Page, context: BrowserContext): Promise<void> {
  await ended(page).waitFor()
  const value = await signedIn(w, 'create')
  await context.addCookies([{ name: 'octavo_session', value, url: new URL(page.url()).origin }])
  // As the window of signing in does when it closes.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await ended(page).waitFor({ state: 'hidden' })
}

/** An import that waits, with what lets it go on. */
async function importHeld(page: Page, title: string): Promise<() => void> {
  const repository = await w.repository(GUIDE())
  await field(page, 'Address of the repository').fill(`${w.host.url}/${repository.name}`)
  await page.getByText('The repository is private').click()
  await field(page, 'User').fill('ada')
  await field(page, 'Password or token').fill('not the password')
  await button(page, 'Look at it').click()
  await page.getByText('The host refused the user and password').waitFor()
  await field(page, 'Password or token').fill(PASSWORD)
  await button(page, 'Look at it').click()
  await page.getByText('3 pages, 0 files').waitFor()
  await field(page, 'Title').fill(title)
  let release = () => {}
  await page.route('**/git/import', async route => {
    release = holdGit(w, route.request().url().split('/').at(-3) ?? '')
    await route.fallback()
  })
  await button(page, 'Import').click()
  await page.getByRole('region', { name: 'Import' }).waitFor()
  return () => release()
}

test('credentials are wrong and then right, and the network is cut while the import runs: it ends on its first page', {
  skip,
}, async () => {
  await openWorkspace(w, 'create', '/w/new/git', async (page, watch, context) => {
    const release = await importHeld(page, 'Cut while it runs')
    await context.setOffline(true)
    release()
    await w.services.tasks.idle()
    await context.setOffline(false)
    await page.getByText('The first words.').waitFor()
    watch.errors.length = 0
  })
})

test('the session ends while an import runs: signing in again goes on to its first page', {
  skip,
}, async () => {
  await openWorkspace(w, 'create', '/w/new/git', async (page, _watch, context) => {
    const release = await importHeld(page, 'Ended while it runs')
    await endSessions(w, 'create')
    await signInAgain(page, context)
    release()
    await page.getByText('The first words.').waitFor()
  })
})

test('an import goes on when its page is loaded again, and a second tab shows the same', {
  skip,
}, async () => {
  await openWorkspace(w, 'create', '/w/new/git', async (page, _watch, context) => {
    const release = await importHeld(page, 'Loaded again')
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('region', { name: 'Import' }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Import' }).waitFor()
    release()
    await page.getByText('The first words.').waitFor()
    await other.getByText('The first words.').waitFor()
    await other.close()
  })
})

test('an upload is refused, and then the session ends: what was chosen stays, and is sent at the next try', {
  skip,
}, async () => {
  const bytes = Buffer.from(zipOf([{ path: 'book/docs/README.md', text: '# Home\n\nThe first words.\n' }]))
  await openWorkspace(w, 'create', '/w/new/upload', async (page, watch, context) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Zip archive').click(),
    ])
    await chooser.setFiles({ name: 'Manual.zip', mimeType: 'application/zip', buffer: bytes })
    const refusal = { status: 500, json: { error: { code: 500, message: 'no' } } }
    await page.route('**/git/archive', route => route.fulfill(refusal), { times: 1 })
    await button(page, 'Import').click()
    await page.getByRole('alert').waitFor()
    await page.getByText(/^Manual\.zip: 1 file,/).waitFor()
    await endSessions(w, 'create')
    await button(page, 'Import').click()
    await signInAgain(page, context)
    await page.getByText(/^Manual\.zip: 1 file,/).waitFor()
    assert.equal(await field(page, 'Title').inputValue(), 'Manual')
    await button(page, 'Import').click()
    await page.getByText('The first words.').waitFor()
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `/orgs/${w.organizationId}/spaces?limit=1000`)
  assert.equal(body.items.filter(({ title }: { title: string }) => title === 'Manual').length, 1)
})

test('two people write in two browsers while an import runs: the space and both screens have the words of all three', {
  skip,
}, async () => {
  const space = await w.createSpace({ title: 'Of three' })
  const repository = await w.repository(GUIDE())
  await w.import(space, repository)
  await repository.commit({ changes: [file('README.md', '# Home\n\nThe new words.\n')] })
  const { pages } = await w.get(`/spaces/${space.id}/content/pages`)
  const idOf = (path: string) => flattenPages(pages).find(page => page.git?.path === path)?.id
  const type = async (page: Page, words: string) => {
    const text = page.getByRole('textbox', { name: 'Text of the page' })
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(words)
  }
  const publish = async (page: Page) => {
    await button(page, 'Publish').click()
    await page.waitForURL(/\/p\/\w+$/)
  }
  await openWorkspace(w, 'admin', `/w/s/${space.id}/git`, async admin => {
    const release = holdGit(w, space.id)
    await button(admin, 'Import again').click()
    const dialog = admin.getByRole('dialog', { name: 'Import again' })
    await dialog.getByRole('textbox', { name: 'User' }).fill('ada')
    await dialog.getByRole('textbox', { name: 'Password or token' }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await admin.getByText('Running').waitFor()
    await openWorkspace(w, 'create', `/w/s/${space.id}/edit/${idOf('setup.md')}`, async one => {
      await openWorkspace(w, 'review', `/w/s/${space.id}/edit/${idOf('guide.md')}`, async other => {
        await type(one, 'Words of one.')
        await type(other, 'Words of another.')
        await publish(one)
        release()
        await type(other, ' And more of them.')
        await publish(other)
        await admin.getByText('Done').nth(1).waitFor()
        for (const page of [one, other])
          for (const [path, words] of [
            ['README.md', 'The new words.'],
            ['setup.md', 'Words of one.'],
            ['guide.md', 'Words of another. And more of them.'],
          ] as const) {
            const address = `/w/s/${space.id}/p/${idOf(path)}`
            await page.evaluate(to => history.pushState(null, '', to), address)
            await page.getByRole('main').getByText(words).waitFor()
          }
      })
    })
  })
  await w.services.tasks.idle()
  const textOf = async (path: string) =>
    (await w.get(`/spaces/${space.id}/content/page/${idOf(path)}?format=markdown`)).markdown
  assert.match(await textOf('README.md'), /The new words/)
  assert.match(await textOf('setup.md'), /To begin\.[\s\S]*Words of one\./)
  assert.match(await textOf('guide.md'), /To go on\.[\s\S]*Words of another\. And more of them\./)
})
