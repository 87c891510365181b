// The life of a change request in the workspace, by the names of its controls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { spaceWith } from '../support/pages.ts'
import {
  assertAccessible,
  openTool,
  openWorkspace,
  showState,
  sideBarOf,
  stateOf,
} from '../support/workspace.ts'
import { type PersonName, world } from '../support/world.ts'

const w = await world()
const { people } = w
await Promise.all(
  Object.entries(NAMES()).map(([name, display_name]) =>
    w.services.db
      .updateTable('users')
      .set({ display_name })
      .where('id', '=', people[name as PersonName].id)
      .execute(),
  ),
)

function NAMES() {
  return { edit: 'Aisha', review: 'Jonas', create: 'Maya', admin: 'Root' } as const
}

type Opened = { readonly space: string; readonly id: string; readonly api: string; readonly path: string }

/** A change request of Aisha's that edits one page and adds one. */
async function open(mergeRules?: readonly object[]): Promise<Opened> {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nWords.\n' }, { title: 'Handbook' })
  if (mergeRules !== undefined)
    await w.call('PATCH', `/spaces/${space}`, { body: { mergeRules: { type: 'rules', rules: mergeRules } } })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Say when' },
  })
  await proposeFiles(
    w,
    body.id,
    { 'README.md': '# Start\n\nOther words.\n', 'when.md': '# When\n\nNow.\n' },
    'edit',
  )
  return {
    space,
    id: body.id,
    api: `/spaces/${space}/change-requests/${body.id}`,
    path: `/w/s/${space}/c/${body.number}`,
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const statusOf = async (at: Opened) => (await w.call('GET', at.api)).body.status

test('its author asks for a review by name: the draft becomes open, and the reviewer is listed', {
  skip,
}, async () => {
  const at = await open()
  await openWorkspace(w, 'edit', at.path, async page => {
    await page.getByRole('heading', { name: 'Say when #1', level: 1 }).waitFor()
    await showState(page)
    await assertAccessible(page)
    await button(page, 'Request review').click()
    await dialog(page, 'Request review').getByRole('searchbox', { name: 'Find a reviewer' }).fill('jon')
    await dialog(page, 'Request review').getByRole('option', { name: 'Jonas' }).click()
    await assertAccessible(page)
    await dialog(page, 'Request review').getByRole('button', { name: 'Request review' }).click()
    await stateOf(page).getByRole('listitem').filter({ hasText: 'Jonas' }).getByText('Not yet').waitFor()
    await page.getByText('Open', { exact: true }).waitFor()
    assert.equal(await statusOf(at), 'open')
    await button(page, 'Withdraw the request to Jonas').click()
    await stateOf(page).getByText('Nobody has been asked yet.').waitFor()
  })
})

test('Merge says why it cannot be used, then publishes; Undo takes exactly that back', { skip }, async () => {
  const at = await open([{ rule: 'require_at_least_one_approved_review' }])
  await openWorkspace(w, 'review', at.path, async page => {
    await showState(page)
    await stateOf(page)
      .getByText('Somebody other than the author has to approve it. Ask for a review.')
      .first()
      .waitFor()
    assert.equal(await button(page, 'Merge').isDisabled(), true)
    await w.call('POST', `${at.api}/reviews`, { as: 'create', body: { status: 'approved' } })
    await page.reload()
    await showState(page)
    await stateOf(page).getByRole('listitem').filter({ hasText: 'Maya' }).getByText('Approved').waitFor()
    await button(page, 'Merge').click()
    await stateOf(page).getByRole('heading', { name: 'Published' }).waitFor()
    assert.equal(await statusOf(at), 'merged')
    await assertAccessible(page)
    await button(page, 'Undo').click()
    const asks = dialog(page, 'Undo this change request?')
    await asks.getByText('When', { exact: true }).waitFor()
    await assertAccessible(page)
    await asks.getByRole('button', { name: 'Undo' }).click()
    await asks.waitFor({ state: 'hidden' })
    await stateOf(page)
      .getByText(/^Undone by \W*Jonas/)
      .waitFor()
    assert.equal(await button(page, 'Undo').count(), 0)
    const { body } = await w.call('GET', `/spaces/${at.space}/content/pages`)
    assert.deepEqual(
      body.pages.map(({ title }: { title: string }) => title),
      ['Start'],
    )
    const { body: space } = await w.call('GET', `/spaces/${at.space}`)
    await w.call('POST', `/spaces/${at.space}/revisions/${space.revision}/rollback`)
    await page.getByText(/Root\W* brought the merge back/).waitFor()
    await button(page, 'Undo').waitFor()
    assert.equal(
      await stateOf(page)
        .getByText(/^Undone by/)
        .count(),
      0,
    )
  })
})

test('the conversation tells what happened in order; a review is given with what is written there', {
  skip,
}, async () => {
  const at = await open()
  await w.call('POST', `${at.api}/comments`, { as: 'create', body: { body: { markdown: 'Why now?' } } })
  await openWorkspace(w, 'review', at.path, async page => {
    const items = page.getByRole('list', { name: 'Conversation' }).locator(':scope > li')
    await items.nth(1).getByText('Why now?').waitFor()
    assert.match(await items.nth(0).innerText(), /Aisha\W* edited it/)
    await button(page, 'Approve').waitFor()
    assert.equal(await button(page, 'Request changes').isDisabled(), true)
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('Say who.')
    await assertAccessible(page)
    await button(page, 'Request changes').click()
    await items.nth(2).getByText('Say who.').waitFor()
    assert.match(await items.nth(2).innerText(), /Jonas\W* requested changes/)
    await showState(page)
    await stateOf(page)
      .getByRole('listitem')
      .filter({ hasText: 'Jonas' })
      .getByText('Requests changes')
      .waitFor()
    await button(page, 'Approve').click()
    await stateOf(page).getByRole('listitem').filter({ hasText: 'Jonas' }).getByText('Approved').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue(), '')
  })
})

test('subject and description are changed in place', { skip }, async () => {
  const at = await open()
  await openWorkspace(w, 'edit', at.path, async page => {
    await button(page, 'Edit subject').click()
    await page.getByRole('textbox', { name: 'Subject' }).fill('Say when and why')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Say when and why #1', level: 1 }).waitFor()
    assert.equal(await page.title(), 'Say when and why #1 · Octavo')
    await button(page, 'Add a description').click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Because **people** ask.')
    await button(page, 'Save').click()
    const description = page.getByRole('region', { name: 'Description' })
    await description.locator('strong', { hasText: 'people' }).waitFor()
    await assertAccessible(page)
    await button(page, 'Edit description').click()
    assert.equal(
      (await page.getByRole('textbox', { name: 'Description' }).inputValue()).trim(),
      'Because **people** ask.',
    )
    await page.getByRole('textbox', { name: 'Description' }).fill('')
    await button(page, 'Save').click()
    await button(page, 'Add a description').waitFor()
  })
})

test('a description that somebody else changes while it is edited is not overwritten unasked; Cancel drops what was typed', {
  skip,
}, async () => {
  const at = await open()
  const write = (markdown: string) => w.call('PATCH', at.api, { body: { description: { markdown } } })
  await write('First.')
  await openWorkspace(w, 'edit', at.path, async page => {
    const field = page.getByRole('textbox', { name: 'Description' })
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this text' })
    await button(page, 'Edit description').click()
    await field.fill('Dropped.')
    await button(page, 'Cancel').click()
    await button(page, 'Edit description').click()
    assert.equal((await field.inputValue()).trim(), 'First.')
    await field.fill('Mine.')
    // It stays when the screen is left.
    await page.reload()
    await page.getByRole('region', { name: 'Description' }).getByText('First.').waitFor()
    await write('Theirs.')
    await page.getByRole('region', { name: 'Description' }).getByText('Theirs.').waitFor()
    await button(page, 'Edit description').click()
    await notice.waitFor()
    assert.equal(await field.inputValue(), 'Mine.')
    assert.equal(await button(page, 'Save').isDisabled(), true)
    await assertAccessible(page)
    await button(page, 'Take theirs').click()
    await notice.waitFor({ state: 'hidden' })
    assert.equal((await field.inputValue()).trim(), 'Theirs.')
    await field.fill('Mine again.')
    await write('Theirs again.')
    await notice.waitFor()
    await button(page, 'Keep mine').click()
    await button(page, 'Save').click()
    await page.getByRole('region', { name: 'Description' }).getByText('Mine again.').waitFor()
  })
})

test('two save the description at the same moment: the second is told, keeps the words and is offered the others', {
  skip,
}, async () => {
  const at = await open()
  const write = (markdown: string) => w.call('PATCH', at.api, { body: { description: { markdown } } })
  await openWorkspace(w, 'edit', at.path, async page => {
    const field = page.getByRole('textbox', { name: 'Description' })
    const description = page.getByRole('region', { name: 'Description' })
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this text' })
    // Done before the next save arrives.
    let meanwhile: (() => Promise<unknown>) | undefined
    await page.route('**/change-requests/*', async route => {
      if (route.request().method() === 'PATCH') {
        await meanwhile?.()
        meanwhile = undefined
      }
      return route.fallback()
    })
    await button(page, 'Add a description').click()
    await field.fill('Mine.')
    meanwhile = () => write('Theirs.')
    await button(page, 'Save').click()
    await notice.getByRole('button', { name: 'Keep mine' }).waitFor()
    assert.equal(await notice.count(), 1)
    assert.equal(await field.inputValue(), 'Mine.')
    assert.equal((await w.call('GET', `${at.api}?format=markdown`)).body.descriptionMarkdown, 'Theirs.\n')
    await assertAccessible(page)
    await button(page, 'Keep mine').click()
    await notice.waitFor({ state: 'hidden' })
    await button(page, 'Save').click()
    await description.getByText('Mine.').waitFor()
    // What others do beside the description is in nobody's way.
    await button(page, 'Edit description').click()
    await field.fill('Mine again.')
    meanwhile = () => proposeFiles(w, at.id, { 'README.md': '# Start\n\nNewer words.\n' })
    await button(page, 'Save').click()
    await description.getByText('Mine again.').waitFor()
  })
})

test('what was undone is not offered to be undone again, however much was said since', { skip }, async () => {
  const at = await open()
  const { body } = await w.call('POST', `${at.api}/merge`)
  await w.call('POST', `/spaces/${at.space}/revisions/${body.revision}/rollback`, { as: 'review' })
  for (let count = 0; count < 50; count += 1)
    await w.call('POST', `${at.api}/comments`, { body: { body: { markdown: `Comment ${count}.` } } })
  await openWorkspace(w, 'review', at.path, async page => {
    await showState(page)
    await stateOf(page)
      .getByText(/^Undone by \W*Jonas/)
      .waitFor()
    assert.equal(await button(page, 'Undo').count(), 0)
  })
})

test('a heading of the description that is called as a part of the screen names nothing else', {
  skip,
}, async () => {
  const at = await open()
  await w.call('PATCH', at.api, { body: { description: { markdown: '## Merge\n\n## Reviewers' } } })
  await openWorkspace(w, 'edit', at.path, async page => {
    await page.getByRole('region', { name: 'Description' }).getByRole('heading', { name: 'Merge' }).waitFor()
    await showState(page)
    await page.getByRole('region', { name: /^(Not r|R)eady to merge$/ }).waitFor()
    await page.getByRole('region', { name: 'Reviewers', exact: true }).waitFor()
    await assertAccessible(page)
  })
})

test('on a phone where it stands is one line above the conversation, which opens', { skip }, async () => {
  const at = await open()
  await w.call('POST', `${at.api}/reviews`, { as: 'review', body: { status: 'approved' } })
  await openWorkspace(
    w,
    'create',
    at.path,
    async page => {
      const line = stateOf(page).getByRole('button', { name: /^Ready to merge/ })
      await line.waitFor()
      assert.equal(await button(page, 'Merge').isVisible(), false)
      await assertAccessible(page)
      await line.click()
      await button(page, 'Merge').waitFor()
      await stateOf(page).getByRole('listitem').filter({ hasText: 'Jonas' }).waitFor()
      await assertAccessible(page)
    },
    { viewport: { width: 390, height: 844 } },
  )
})

test('e goes on writing the page that is changed, c goes to the field for a comment', { skip }, async () => {
  const at = await open()
  await openWorkspace(w, 'edit', at.path, async page => {
    await page.getByText(/Aisha\W* edited it/).waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('Soon?')
    assert.equal(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue(), 'Soon?')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Text of the page' }).waitFor()
    assert.match(page.url(), /\/c\/1\/edit\/\w+$/)
    await openTool(page, 'Write with Git or a program')
    const says = dialog(page, 'Write in change request #1')
    const clone = await says.getByRole('textbox', { name: 'Command to clone its branch' }).inputValue()
    assert.match(clone, new RegExp(`^git clone --branch change-requests/1 \\S+/git/${at.space}\\.git$`))
    await assertAccessible(page)
    await says.getByRole('button', { name: 'Close' }).click()
  })
})

test('an address of no change request says so, and leads home', { skip }, async () => {
  const at = await open()
  await openWorkspace(w, 'read', `/w/s/${at.space}/c/99`, async page => {
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })
})

test('what cannot be read says so all the time that it is read again', { skip }, async () => {
  const at = await open()
  await openWorkspace(w, 'read', `/w/s/${at.space}/c/99`, async (page, _watch, context) => {
    const missing = page.getByRole('heading', { name: 'Nothing here', level: 1 })
    await missing.waitFor()
    const held = Promise.withResolvers<void>()
    await context.route('**/change-requests/99', async route => {
      await held.promise
      await route.fallback()
    })
    const asked = page.waitForRequest('**/change-requests/99')
    await w.call('POST', `/spaces/${at.space}/change-requests`, { body: { subject: 'Another' } })
    await asked
    assert.ok(await missing.isVisible())
    held.resolve()
  })
})

test('the preview shows the pages as readers will see them, the changed one first', { skip }, async () => {
  const at = await open()
  await openWorkspace(w, 'read', at.path, async page => {
    await page.getByRole('link', { name: 'Preview', exact: true }).click()
    await page.getByText('Other words.').waitFor()
    await assertAccessible(page)
    await (await sideBarOf(page)).getByRole('link', { name: 'When', exact: true }).click()
    await page.getByText('Now.').waitFor()
    await page.getByRole('heading', { name: 'When', level: 2 }).waitFor()
  })
})

test('what others do under the open screen: what is written stays, and the screen shows what is so', {
  skip,
}, async () => {
  const at = await open()
  const words = 'Wait: '.repeat(10)
  await openWorkspace(w, 'review', at.path, async (page, watch) => {
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await field.fill(words)
    await w.call('PATCH', at.api, { body: { status: 'archived' } })
    await page.getByText('Archived', { exact: true }).first().waitFor()
    await page.getByText(/archived it/).waitFor()
    await showState(page)
    assert.equal(await button(page, 'Merge').count(), 0)
    assert.equal(await button(page, 'Approve').count(), 0)
    assert.equal(await field.inputValue(), words)
    await button(page, 'Reopen').click()
    await button(page, 'Merge').waitFor()
    await w.call('PATCH', `/spaces/${at.space}/permissions/users/${people.review.id}`, {
      body: { role: 'read' },
    })
    await button(page, 'Merge').waitFor({ state: 'hidden' })
    await w.call('DELETE', `/spaces/${at.space}`)
    await page.getByText(/This change request is no longer there/).waitFor()
    await page.getByRole('heading', { name: 'Say when #1', level: 1 }).waitFor()
    // The browser notes each answer that is no success.
    watch.errors.length = 0
  })
})

test('a comment of 20,000 characters is sent; one of more says by how much, and stays', {
  skip,
}, async () => {
  const at = await open()
  await openWorkspace(w, 'comment', at.path, async page => {
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await field.fill('x'.repeat(20_001))
    await page.getByText('1 character too many. Say it in several comments.').waitFor()
    assert.equal(await button(page, 'Comment').isDisabled(), true)
    await field.fill('x'.repeat(20_000))
    await button(page, 'Comment').click()
    await page.getByRole('article').getByText('x'.repeat(20_000)).waitFor()
    assert.equal(await field.inputValue(), '')
  })
})

test('of a thousand comments the last are shown, and earlier ones when they are asked for', {
  skip,
}, async () => {
  const at = await open()
  await w.call('POST', `${at.api}/comments`, { body: { body: { markdown: 'Number 0' } } })
  await sql`insert into comments (id, space_id, change_request_id, revision_id, body, posted_by, posted_at)
    select id || 'x' || count, space_id, change_request_id, revision_id, 'Number ' || count, posted_by,
      posted_at + count * interval '1 millisecond'
    from comments, generate_series(1, 999) as count where change_request_id = ${at.id}`.execute(w.services.db)
  await sql`insert into events (id, type, organization_id, space_id, actor_id, payload, occurred_at)
    select gen_random_uuid()::text, type, organization_id, space_id, actor_id,
      jsonb_set(payload, '{comment}', to_jsonb((payload->>'comment') || 'x' || count)),
      occurred_at + count * interval '1 millisecond'
    from events, generate_series(1, 999) as count
    where type = 'comment.created' and payload->>'changeRequest' = ${at.id}`.execute(w.services.db)
  // What is said from now on is said after the last of them.
  await setTimeout(1000)
  await openWorkspace(w, 'read', at.path, async page => {
    await page.getByText('Number 999', { exact: true }).waitFor()
    const threads = () => page.getByRole('article').count()
    assert.equal(await threads(), 50)
    // What others say meanwhile does not end the reading of earlier ones.
    const held = Promise.withResolvers<void>()
    await page.route('**/timeline?*page=*', async route => {
      await held.promise
      await route.fallback()
    })
    await button(page, 'Show 952 earlier').click()
    const again = page.waitForResponse(reply => /\/change-requests\/[^/?]+(?:\?|$)/.test(reply.url()))
    await w.call('POST', `${at.api}/comments`, { as: 'review', body: { body: { markdown: 'Meanwhile' } } })
    await again
    held.resolve()
    await page.getByText('Number 901', { exact: true }).waitFor()
    await page.getByText('Meanwhile', { exact: true }).waitFor()
    assert.equal(await threads(), 100)
  })
})
