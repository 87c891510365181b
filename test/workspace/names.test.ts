// Names as people give them, with markup, in another direction and with pictures, are shown as they are written, wherever
// they stand; `node test/torture.ts web` looks at all of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser } from '../support/browser.ts'
import { changeRequestWith, proposeFiles } from '../support/change-requests.ts'
import { PIXEL, publishFiles, spaceWith } from '../support/pages.ts'
import { isWhole } from '../support/slice.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const skip = isWhole
  ? skipBrowser
  : 'the routes are tried with such names; node test/torture.ts web looks at them'

const PERSON = '<b>מאיה</b> "&amp;" 👩‍🚀'
const SPACE = '<img src=x onerror=alert(1)> دليل 📦'
const PAGE = '</title><script>alert(2)</script> ابدأ 🚀'
const SUBJECT = `{{count}} $t(shell.name) <i>متى</i> ${'ؤ'.repeat(40)} 🕰️`

const TEAM = '</li><li>الفريق</li> 🧭'
const FILE = '<b>صورة "1" 🖼.png'
/** More than a title has room for, without a place where a line could break. */
const LONG = 'Ω'.repeat(1000)

const w = await world()

const { edit, create, admin } = w.people
await w.services.db
  .updateTable('users')
  .set({ display_name: PERSON })
  .where('id', 'in', [edit.id, create.id, admin.id])
  .execute()

async function start() {
  const page = (words: string) => ({ 'README.md': `---\ntitle: '${PAGE}'\n---\n\n# ${PAGE}\n\n${words}\n` })
  const space = await spaceWith(w, page('One.'), { title: SPACE })
  const { number, id } = await changeRequestWith(w, space, page('Two.'), { subject: SUBJECT })
  const api = `/spaces/${space}/change-requests/${id}`
  await w.call('PATCH', api, { body: { status: 'open' } })
  await w.call('POST', `${api}/comments`, { as: 'edit', body: { body: { markdown: 'Why?' } } })
  await w.call('POST', `${api}/requested-reviewers`, { body: { users: [create.id] } })
  await proposeFiles(w, id, page('Three.'), 'edit')
  await publishFiles(w, space, page('Four.'))
  return { space, number }
}

/** A space with a page of a long title, and a file; and a team. */
async function startLong() {
  const space = await spaceWith(
    w,
    {
      'SUMMARY.md': '* [Start](README.md)\n* [Long](long.md)\n',
      'README.md': `---\ntitle: '${PAGE}'\n---\n\n# ${PAGE}\n`,
      'long.md': `---\ntitle: ${LONG}\n---\n\n# ${LONG}\n\nWords.\n`,
      [`.gitbook/assets/${FILE}`]: PIXEL,
    },
    { title: SPACE },
  )
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const [start, long] = body.pages.map(({ id }: { id: string }) => id)
  await w.call('PUT', `/orgs/${w.organizationId}/teams`, { body: { title: TEAM } })
  return { space, start, long }
}

/** Each stands somewhere in the page, as it was given, and has made nothing of itself. */
async function assertShown(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByText(name).filter({ visible: true }).first().waitFor()
  assert.equal(await page.locator('main b, main i, main img:not([src^="/"])').count(), 0)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true)
  await assertAccessible(page)
}

test('names with markup, from right to left and with emoji are shown as they are written on every screen', {
  skip,
}, async () => {
  const { space, number } = await start()
  const own = `/w/s/${space}/c/${number}`
  await openWorkspace(w, 'review', '/w', async page => {
    const go = (path: string) => page.goto(new URL(path, page.url()).href)
    await assertShown(page, SPACE)
    await go(`/w/s/${space}/c`)
    await assertShown(page, SPACE, SUBJECT, PERSON)
    await go(own)
    await assertShown(page, SPACE, SUBJECT, PERSON)
    assert.equal(await page.title(), `${SUBJECT} #${number} · Octavo`)
    await go(`${own}/changes`)
    await assertShown(page, SUBJECT, PAGE)
    await go(`${own}/preview`)
    await assertShown(page, SUBJECT, PAGE)
    await go(`${own}/conflicts`)
    await assertShown(page, SUBJECT, PAGE)
    await go(`/w/s/${space}/history`)
    await assertShown(page, PERSON)
    await go(`/w/s/${space}`)
    await assertShown(page, PAGE)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and actions' })
    await palette.getByRole('option').first().waitFor()
    await page.keyboard.type('ابدأ')
    await palette
      .getByRole('group', { name: 'Pages' })
      .getByRole('option')
      .filter({ hasText: PAGE })
      .first()
      .waitFor()
    await assertAccessible(page)
  })
})

test('such names, and a title of 1,000 characters, are shown in the editor, among the files, the people and the settings', {
  skip,
}, async () => {
  const { space, start, long } = await startLong()
  await openWorkspace(w, 'admin', `/w/s/${space}/edit/${start}`, async (page, watch) => {
    const go = (path: string) => page.goto(new URL(path, page.url()).href)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.waitFor()
    assert.equal(await title.inputValue(), PAGE)
    await go(`/w/s/${space}/edit/${long}`)
    await title.waitFor()
    assert.match(await title.inputValue(), /^Ω+$/)
    await assertShown(page)
    await go(`/w/s/${space}/p/${long}`)
    await page.getByText('Words.').waitFor()
    await assertShown(page)
    await go(`/w/s/${space}/files`)
    await page.getByText(FILE).first().waitFor()
    await assertAccessible(page)
    await go(`/w/s/${space}/git`)
    await assertShown(page, SPACE)
    await go(`/w/s/${space}/settings`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertShown(page)
    await go('/w/people')
    await assertShown(page, PERSON)
    await go('/w/teams')
    await assertShown(page, TEAM)
    await go('/w/new')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await assertShown(page)
    // Pictures have the public address of the server, which no test listens at.
    watch.errors.length = 0
    watch.foreign.length = 0
  })
})
