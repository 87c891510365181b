// Conflicts between a space and a change request are settled in the workspace, by the names of its controls; what is
// written is what was chosen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { hasSettled } from '../support/axe.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { edit, liveAt, pagesOf } from '../support/edits.ts'
import { type Files, publishFiles, spaceWith } from '../support/pages.ts'
import { keepSpecification } from '../support/specifications.ts'
import { assertAccessible, openWorkspace, showState } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()

type At = { readonly space: string; readonly api: string; readonly path: string }

/** A change request that proposes one thing, and a space that has published another since. */
async function conflicting(base: Files, proposed: Files, published: Files): Promise<At> {
  const space = await spaceWith(w, base, { title: 'Handbook' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Say when' },
  })
  await proposeFiles(w, body.id, proposed, 'edit')
  await publishFiles(w, space, published)
  return {
    space,
    api: `/spaces/${space}/change-requests/${body.id}`,
    path: `/w/s/${space}/c/${body.number}`,
  }
}

const WORDS = '# Start\n\nRun the command once.\n\nKept.\n\nIn between.\n\nKept too.\n\nPay on Monday.\n'
const withWords = (...changes: readonly (readonly [string, string])[]): Files => ({
  'README.md': changes.reduce((text, [from, to]) => text.replace(from, to), WORDS),
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** In a message, which may be said again where the change request stands, and hidden there. */
const isSaid = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
const textAt = async ({ space }: At, path = 'readme') =>
  (await w.call('GET', `/spaces/${space}/content/path/${path}`)).body.markdown

test('versions with the same choices, as requests in several languages: in each, one is chosen by itself', {
  skip,
}, async () => {
  const get = { summary: 'List pens', responses: { 200: { description: 'All.' } } }
  const paths = { '/pens': { get }, '/inks': { get }, '/nibs': { get } }
  const servers = [{ url: 'https://pens.example' }]
  const description = { openapi: '3.1.0', info: { title: 'Pens', version: '1' }, servers, paths }
  await keepSpecification(w, 'pens', JSON.stringify(description))
  const at = (path: string): Files => ({
    'README.md': `# Start\n\n{% openapi-operation spec="pens" path="${path}" method="get" %}\n{% endopenapi-operation %}\n`,
  })
  const { path } = await conflicting(at('/pens'), at('/inks'), at('/nibs'))
  await openWorkspace(w, 'review', `${path}/conflicts?for=merge`, async page => {
    const requests = page.getByRole('group', { name: 'Request in several languages' })
    await requests.nth(1).waitFor()
    for (const [at, language] of ['Python', 'Go'].entries())
      await requests.nth(at).getByText(language, { exact: true }).click()
    for (const [at, language] of ['Python', 'Go'].entries())
      assert.equal(await requests.nth(at).getByRole('radio', { name: language }).isChecked(), true)
  })
})

test('two paragraphs changed on both sides: one is kept, the other written, and Finish publishes exactly that', {
  skip,
}, async () => {
  const at = await conflicting(
    withWords(),
    withWords(['once', 'twice'], ['Monday', 'Tuesday']),
    withWords(['once', 'as root'], ['Monday', 'Friday']),
  )
  await openWorkspace(w, 'review', `${at.path}/conflicts?for=merge`, async page => {
    await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor()
    await page.getByText('0 of 2 settled').waitFor()
    assert.equal(await button(page, 'Finish').isDisabled(), true)
    const ours = page.getByRole('region', { name: 'The space', exact: true })
    await ours.getByRole('insertion').getByText('as root').waitFor()
    assert.deepEqual(await ours.getByRole('deletion').allTextContents(), ['once'])
    await assertAccessible(page)
    await button(page, 'Keep the change request’s').click()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await button(page, 'Write it').click()
    const field = page.getByRole('textbox', { name: 'Your text' })
    assert.equal(await field.inputValue(), 'Pay on Tuesday.')
    await field.fill('Pay on *Wednesday*.')
    await page.getByRole('region', { name: 'Preview' }).getByRole('emphasis').getByText('Wednesday').waitFor()
    await assertAccessible(page)
    await button(page, 'Use this').click()
    await page.getByText('2 of 2 settled').waitFor()
    await assertAccessible(page)
    await button(page, 'Finish').click()
    await isSaid(page, 'Published')
    assert.equal(new URL(page.url()).pathname, at.path)
  })
  assert.equal(
    await textAt(at),
    '# Start\n\nRun the command twice.\n\nKept.\n\nIn between.\n\nKept too.\n\nPay on *Wednesday*.\n',
  )
  assert.equal((await w.call('GET', at.api)).body.status, 'merged')
})

test('a change request leads to its conflicts for what can be done: a merge, or where a rule forbids that an update', {
  skip,
}, async () => {
  const at = await conflicting(withWords(), withWords(['once', 'twice']), withWords(['once', 'as root']))
  await openWorkspace(w, 'review', at.path, async page => {
    const settle = page.getByRole('link', { name: 'Settle 1 conflict' })
    await showState(page)
    await settle.waitFor()
    assert.equal(await settle.getAttribute('href'), `${at.path}/conflicts?for=merge`)
    await w.call('PATCH', `/spaces/${at.space}`, {
      body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } },
    })
    await page.reload()
    await showState(page)
    await page.getByText('Somebody other than the author has to approve it.').first().waitFor()
    assert.equal(await settle.getAttribute('href'), `${at.path}/conflicts?for=update`)
    await settle.click()
    await page.getByRole('heading', { name: 'Changed on both sides' }).waitFor()
  })
})

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Chooses a conflict in the list by what it is about. */
const choose = async (page: Page, name: string) => {
  const list = page.getByRole('listbox', { name: 'All conflicts' })
  const option = list.getByRole('option', { name })
  await list.evaluate(one => one.scrollTo(0, 0))
  await hasSettled(page)
  // Those out of sight are not in the document.
  while ((await option.count()) === 0) {
    await list.evaluate(one => one.scrollBy(0, one.clientHeight / 2))
    await hasSettled(page)
  }
  await option.click()
}
const settled = (page: Page, count: number, total: number) =>
  page.getByRole('status').getByText(`${count} of ${total} settled`).waitFor()

const PAGES = {
  'SUMMARY.md':
    '* [Start](README.md)\n* [Travel](travel.md)\n* [Expenses](expenses.md)\n* [Finance](finance.md)\n* [People](people.md)\n* [Pay](pay.md)\n* [Bank](bank.md)\n',
  'README.md':
    '---\ndescription: How we work\n---\n\n# Start\n\n| Role | Days |\n| --- | --- |\n| Writer | 28 |\n',
  'travel.md': '# Travel\n\nBook trains.\n',
  'expenses.md': '# Expenses\n\nKeep receipts.\n',
  'finance.md': '# Finance\n\nMoney.\n',
  'people.md': '# People\n\nEverybody.\n',
  'pay.md': '# Pay\n\nPaid monthly.\n\nIn between.\n\nAsk early.\n',
  'bank.md': '# Bank\n\nNumbers.\n',
  '.gitbook/vars.yaml': 'port: "1"\n',
  '.gitbook/assets/a.bin': Buffer.from('a'),
}

test('pages, cells, settings, places, deletions, variables and files are each settled in their own words, and come out as chosen', {
  skip,
}, async () => {
  const space = await spaceWith(w, PAGES, { title: 'Handbook' })
  const live = liveAt(space)
  const id = Object.fromEntries([...(await pagesOf(w, live))].map(([path, page]) => [path, page.id]))
  const { body: opened } = await w.call('POST', `/spaces/${space}/change-requests`)
  await proposeFiles(w, opened.id, {
    ...PAGES,
    'README.md': PAGES['README.md'].replace('How we work', 'Our rules').replace('28', '30'),
    'pay.md': PAGES['pay.md'].replace('Ask early.\n', ''),
    '.gitbook/vars.yaml': 'port: "2"\n',
    '.gitbook/assets/a.bin': Buffer.from('bb'),
  })
  await publishFiles(w, space, {
    ...PAGES,
    'README.md': PAGES['README.md'].replace('How we work', 'Our ways').replace('28', '29'),
    'pay.md': PAGES['pay.md'].replace('Ask early', 'Ask in time'),
    '.gitbook/vars.yaml': 'port: "3"\n',
    '.gitbook/assets/a.bin': Buffer.from('ccc'),
  })
  const proposed = { spaceId: space, id: opened.id, path: `/spaces/${space}/change-requests/${opened.id}` }
  const page = (name: string, more: object) => ({ operation: 'update_page', page: id[name], ...more })
  await edit(
    w,
    proposed,
    page('travel', { document: { markdown: '# Travel\n\nBook trains, and seats.\n' } }),
    page('expenses', { into: id.finance }),
    page('people', { title: 'Everybody', slug: 'everybody' }),
    page('bank', { slug: 'money' }),
  )
  await edit(
    w,
    live,
    { operation: 'delete_page', page: id.travel },
    page('expenses', { into: id.people }),
    page('people', { title: 'Culture', slug: 'culture' }),
    page('pay', { slug: 'money' }),
  )
  const path = `/w/s/${space}/c/${opened.number}/conflicts?for=merge`
  await openWorkspace(w, 'admin', path, async page => {
    await settled(page, 0, 8)
    await choose(page, 'Travel')
    await page.getByRole('heading', { name: 'Deleted in the space, changed in the change request' }).waitFor()
    await region(page, 'The space').getByText('Deleted', { exact: true }).waitFor()
    await region(page, 'The change request').getByRole('insertion').getByText('and seats').waitFor()
    await assertAccessible(page)
    await button(page, 'Keep the change request’s').click()
    await settled(page, 1, 8)

    await choose(page, 'Expenses')
    await page.getByRole('heading', { name: 'Moved to two places' }).waitFor()
    await region(page, 'Before').getByText('At the top level').waitFor()
    await region(page, 'The space').getByText('Below “Culture”').waitFor()
    await region(page, 'The change request').getByText('Below “Finance”').waitFor()
    await button(page, 'Keep the change request’s').click()

    await choose(page, 'Culture')
    await page.getByRole('heading', { name: 'Renamed on both sides' }).waitFor()
    await button(page, 'Write it').click()
    await page.getByRole('textbox', { name: 'Your words' }).fill('All of us')
    await assertAccessible(page)
    await button(page, 'Use this').click()

    await choose(page, 'Start Description')
    assert.deepEqual(await region(page, 'The space').getByRole('insertion').allTextContents(), ['Our ways'])
    await button(page, 'Write it').click()
    await page.getByRole('textbox', { name: 'Your words' }).fill('Our "rules": all of them')
    await button(page, 'Use this').click()

    await choose(page, 'Start Changed')
    const cell = region(page, 'The change request').getByRole('cell', { name: '30' })
    await cell.getByRole('insertion').getByText('30').waitFor()
    await button(page, 'Keep the change request’s').click()

    await choose(page, 'Pay')
    await page.getByRole('heading', { name: 'Deleted in the change request, changed in the space' }).waitFor()
    await region(page, 'The change request').getByText('Deleted', { exact: true }).waitFor()
    await button(page, 'Keep the change request’s').click()

    await choose(page, 'Variable port')
    await button(page, 'Keep the space’s').click()
    await choose(page, 'a.bin')
    await page.getByRole('heading', { name: 'Replaced on both sides' }).waitFor()
    await region(page, 'The change request').getByText('2 byte').waitFor()
    await assertAccessible(page)
    await button(page, 'Keep the change request’s').click()
    await settled(page, 8, 8)
    await button(page, 'Finish').click()
    // Where pages go is known once it is settled which there are.
    await page.getByRole('alert').getByText('What you chose leads to 1 more conflict.').waitFor()
    await settled(page, 8, 9)
    await page.getByRole('heading', { name: 'Two pages at one address' }).waitFor()
    await button(page, 'Write it').click()
    await page.getByRole('textbox', { name: 'Your words' }).fill('The Bank')
    await button(page, 'Use this').click()
    await button(page, 'Finish').click()
    await page.getByRole('alert').getByText('One that can: the-bank').waitFor()
    await button(page, 'Write it').click()
    await page.getByRole('textbox', { name: 'Your words' }).fill('the-bank')
    await button(page, 'Use this').click()
    await settled(page, 9, 9)
    await button(page, 'Finish').click()
    await isSaid(page, 'Published')
  })
  const after = await pagesOf(w, live)
  const titled = (title: string) => [...after].find(([, page]) => page.title === title)?.[0]
  assert.deepEqual(['Travel', 'Expenses', 'All of us', 'Bank', 'Pay'].map(titled), [
    'travel',
    'finance/expenses',
    'culture',
    'the-bank',
    'money',
  ])
  const at = { space, api: proposed.path, path }
  assert.equal(await textAt(at, 'travel'), '# Travel\n\nBook trains, and seats.\n')
  assert.equal((await textAt(at, 'money')).trimEnd(), '# Pay\n\nPaid monthly.\n\nIn between.')
  const { body: start } = await w.call('GET', `/spaces/${space}/content/path/readme`)
  assert.equal(start.description, 'Our "rules": all of them')
  assert.match(start.markdown, /\| Writer \| 30 \|/)
  const { body: content } = await w.call('GET', `/spaces/${space}/content`)
  assert.deepEqual([content.variables, content.files[0].size], [{ port: '3' }, 2])
})

test('what was settled stays when a side moves, in this tab and in the next, and only what is new is asked', {
  skip,
}, async () => {
  const at = await conflicting(
    withWords(),
    withWords(['once', 'twice'], ['Monday', 'Tuesday'], ['between', 'the middle']),
    withWords(['once', 'as root'], ['Monday', 'Friday']),
  )
  const publish = (...changes: readonly (readonly [string, string])[]) =>
    publishFiles(w, at.space, withWords(['once', 'as root'], ['Monday', 'Friday'], ...changes))
  await openWorkspace(w, 'edit', at.path, async (page, watch, context) => {
    await showState(page)
    await button(page, 'Update').click()
    await page.getByRole('heading', { name: 'Conflicts' }).waitFor()
    assert.equal(new URL(page.url()).search, '?for=update')
    await settled(page, 0, 2)
    await button(page, 'Keep the space’s').click()
    await settled(page, 1, 2)
    // A sentence that is cut off by the network and by the end of the session.
    await context.route('**/content/preview', route => route.abort())
    await button(page, 'Write it').click()
    await page.getByRole('textbox', { name: 'Your text' }).fill('Pay on Wednesday.')
    await page
      .getByText('The server did not answer')
      .or(page.getByRole('button', { name: 'Try again' }))
      .first()
      .waitFor()
    await page.reload()
    await settled(page, 1, 2)
    assert.equal(await page.getByRole('textbox', { name: 'Your text' }).inputValue(), 'Pay on Wednesday.')
    await context.unroute('**/content/preview')
    await button(page, 'Use this').click()
    await settled(page, 2, 2)
    // Who signs in again goes on where the session ended.
    const cookies = await context.cookies()
    await context.clearCookies()
    // The dialog may have opened by itself, above the button.
    await button(page, 'Finish').dispatchEvent('click')
    const asks = page.getByRole('dialog', { name: 'Your session has ended' })
    await asks.waitFor()
    await context.addCookies(cookies)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await asks.waitFor({ state: 'hidden' })
    await settled(page, 2, 2)
    // The page does not hear of it before it finishes.
    await context.route('**/v1/stream*', route => route.abort())
    await page.reload()
    await settled(page, 2, 2)
    await publish(['between', 'the end'])
    await button(page, 'Finish').click()
    await page.getByRole('alert').getByText('1 conflict is new. What you settled stays.').waitFor()
    await settled(page, 2, 3)
    await assertAccessible(page)
    await button(page, 'Keep the change request’s').click()
    await settled(page, 3, 3)
    await button(page, 'Finish').click()
    await isSaid(page, 'Updated')
    assert.equal(new URL(page.url()).pathname, at.path)
    assert.deepEqual(
      await page.evaluate(() => Object.keys(localStorage).filter(key => key.includes('conflicts'))),
      [],
    )
    watch.errors.length = 0
  })
  const { body } = await w.call('GET', `${at.api}/content/path/readme`)
  assert.equal(
    body.markdown,
    '# Start\n\nRun the command as root.\n\nKept.\n\nIn the middle.\n\nKept too.\n\nPay on Wednesday.\n',
  )
})

test('two hundred conflicts are settled with the keyboard alone, on a narrow and dark screen', {
  skip,
}, async () => {
  const text = (word: string) =>
    `# Start\n\n${Array.from({ length: 200 }, (_, at) => `Number ${at} is ${word}.\n\nKept ${at}.`).join('\n\n')}\n`
  const at = await conflicting(
    { 'README.md': text('one') },
    { 'README.md': text('two') },
    { 'README.md': text('three') },
  )
  await openWorkspace(
    w,
    'review',
    `${at.path}/conflicts`,
    async page => {
      await settled(page, 0, 200)
      assert.ok((await page.getByRole('option').count()) < 40)
      await assertAccessible(page)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.getByText('3 of 200', { exact: true }).waitFor()
      await page.keyboard.press('k')
      await page.getByText('2 of 200', { exact: true }).waitFor()
      // From the heading: previous, next, and then the first choice.
      for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Keep the space’s')
      await page.keyboard.press('Enter')
      await settled(page, 1, 200)
      await page.getByText('3 of 200', { exact: true }).waitFor()
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        true,
        'nothing is wider than the screen',
      )
    },
    { viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
  )
})
