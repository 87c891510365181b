// What admins set of a space and of an organization.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { spaceWith } from '../support/pages.ts'
import { givePassword, signedIn } from '../support/sessions.ts'
import { assertAccessible, endSessions, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const PASSWORD = 'eleven parcels by noon'
const w = await world()
await givePassword(w, w.people.admin.id, PASSWORD)
for (const [person, name] of [
  ['read', 'Reed'],
  ['edit', 'Edith'],
] as const)
  await w.services.db
    .updateTable('users')
    .set({ display_name: name })
    .where('id', '=', w.people[person].id)
    .execute()

const newSpace = () => spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Handbook' })
const spaceOf = async (id: string) => (await w.call('GET', `/spaces/${id}`)).body
const confirm = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}
const saved = async (page: Page) => {
  const message = page.getByRole('alertdialog').filter({ hasText: 'Saved.' })
  await message.first().waitFor()
  await message.first().getByRole('button', { name: 'Close' }).click()
  await message.first().waitFor({ state: 'detached' })
}

test('a space gets another title, an emoji, a language, a way to be edited and a level for members', {
  skip,
}, async () => {
  const space = await newSpace()
  await openWorkspace(w, 'admin', `/w/s/${space}`, async page => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: /^Settings of .*Handbook$/, level: 1 }).waitFor()
    await page.getByLabel('Title', { exact: true }).fill('Field guide')
    await page.getByLabel('Emoji').fill('🧭')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Settings of 🧭 Field guide', level: 1 }).waitFor()
    await saved(page)
    await page.getByRole('button', { name: /^Language of its pages:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch', exact: true }).click()
    await saved(page)
    await page.getByRole('button', { name: /^Who edits it, edits:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Only in a change request' }).click()
    await saved(page)
    await page.getByRole('button', { name: /^Members:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Can read and comment' }).click()
    await saved(page)
    const { title, emoji, language, editMode, defaultLevel } = await spaceOf(space)
    assert.deepEqual(
      [title, emoji, language, editMode, defaultLevel],
      ['Field guide', '🧭', 'de', 'locked', 'comment'],
    )
  })
})

test('a person and a team are given a role in a space, which is changed and taken back', {
  skip,
}, async () => {
  const space = await newSpace()
  await w.call('PUT', `/orgs/${w.organizationId}/teams`, { body: { title: 'Writers' } })
  const rolesOf = async (what: 'users' | 'teams') => {
    const { body } = await w.call('GET', `/spaces/${space}/permissions/${what}`)
    return body.items.map(({ permission }: { permission: string }) => permission)
  }
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async page => {
    const section = page.getByRole('region', { name: 'People and teams' })
    await section.getByText('Nobody was given a role of their own.').waitFor()
    const add = section.getByRole('combobox', { name: 'Add a person or team' })
    // By keys: the list closes when a pointer has to scroll to it.
    await add.fill('Reed')
    await page.getByRole('option', { name: 'Person: Reed' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await section.getByRole('row', { name: 'Reed' }).waitFor()
    await add.fill('Writ')
    await page.getByRole('option', { name: 'Team: Writers' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await section.getByRole('row', { name: 'Writers' }).waitFor()
    assert.deepEqual([await rolesOf('users'), await rolesOf('teams')], [['edit'], ['edit']])
    await assertAccessible(page)
    await section.getByRole('button', { name: /^Role of .*Reed.* here:/ }).click()
    await page.getByRole('menuitemradio', { name: 'No access' }).click()
    await section.getByRole('button', { name: /^Role of .*Reed.* here:.*No access$/ }).waitFor()
    assert.deepEqual(await rolesOf('users'), [])
    await section.getByRole('button', { name: /^Take back: .*Reed/ }).click()
    await section.getByRole('row', { name: 'Reed' }).waitFor({ state: 'detached' })
    await section.getByRole('button', { name: /^Role of .*Writers.* here:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Can do everything' }).click()
    await confirm(page)
    await section.getByRole('button', { name: /Can do everything$/ }).waitFor()
    assert.deepEqual(await rolesOf('teams'), ['admin'])
  })
})

test('a space gets merge rules of its own, one with people and one with an expression, and loses one', {
  skip,
}, async () => {
  const space = await newSpace()
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async page => {
    const section = page.getByRole('region', { name: 'Merge rules' })
    await section.getByRole('button', { name: /^Rules:.*Those of the organization$/ }).click()
    await page.getByRole('menuitemradio', { name: 'Its own' }).click()
    await section.getByText('There is no rule yet').waitFor()
    const open = () => section.getByRole('button', { name: 'Add a rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a rule' })
    const choose = async (kind: string) => {
      await dialog.getByRole('button', { name: /^Rule:/ }).click()
      await page.getByRole('menuitemradio', { name: kind }).click()
    }
    const add = dialog.getByRole('button', { name: 'Add a rule' })
    await open()
    await choose('One of these people has approved')
    assert.equal(await add.isDisabled(), true)
    await dialog.getByRole('combobox', { name: 'Add somebody' }).fill('Edi')
    await page.getByRole('option', { name: 'Edith' }).click()
    await dialog.getByRole('button', { name: /^Take out: .*Edith/ }).waitFor()
    await assertAccessible(page)
    await add.click()
    await section.getByRole('listitem').filter({ hasText: 'Edith' }).waitFor()
    await open()
    await choose('An expression is true')
    await dialog.getByLabel('Expression').fill('let x = 1')
    await add.click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Expression').fill('reviews.length > 1')
    await add.click()
    await section.getByText('reviews.length > 1').waitFor()
    await assertAccessible(page)
    await section.getByRole('button', { name: /^Remove: One of these/ }).click()
    await section.getByRole('listitem').filter({ hasText: 'Edith' }).waitFor({ state: 'detached' })
    assert.deepEqual((await spaceOf(space)).mergeRules, {
      type: 'rules',
      rules: [{ rule: 'custom', expression: 'reviews.length > 1' }],
    })
  })
})

test('the rules of a space are tried on one of its change requests, and say what each of them says', {
  skip,
}, async () => {
  const space = await newSpace()
  const rules = [{ rule: 'require_change_request_subject' }, { rule: 'require_at_least_one_review' }]
  await w.call('PATCH', `/spaces/${space}`, { body: { mergeRules: { type: 'rules', rules } } })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Say when' },
  })
  await w.call('PATCH', `/spaces/${space}/change-requests/${body.id}`, { body: { status: 'open' } })
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async page => {
    const field = page.getByRole('combobox', { name: 'Try these rules on' })
    // A list that opens closes when the page scrolls.
    await field.scrollIntoViewIfNeeded()
    await field.pressSequentially('when')
    await page.getByRole('option', { name: /Say when/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const said = page.getByRole('list', { name: 'Try these rules on' }).getByRole('listitem')
    await said.filter({ hasText: 'Passes' }).getByText('It has a subject.').waitFor()
    await said
      .filter({ hasText: 'Fails' })
      .getByText(/Somebody other than the author/)
      .waitFor()
    await assertAccessible(page)
  })
})

test('a space is deleted by who types its title and confirms, and by nobody else', { skip }, async () => {
  const space = await newSpace()
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async page => {
    await page.getByRole('button', { name: 'Delete space' }).click()
    const question = page.getByRole('dialog', { name: /^Delete .*Handbook/ })
    const last = question.getByRole('button', { name: 'Delete space' })
    await question.getByLabel(/^Type .*Handbook/).fill('Hand')
    assert.equal(await last.isDisabled(), true)
    await question.getByLabel(/^Type .*Handbook/).fill('Handbook')
    await assertAccessible(page)
    await last.click()
    await confirm(page)
    await page.waitForURL(url => url.pathname === '/w')
    assert.equal(typeof (await spaceOf(space)).deletedAt, 'string')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText(/Handbook.* is restored/).waitFor()
    assert.equal((await spaceOf(space)).deletedAt, undefined)
  })
})

test('a deleted space is among those of the organization until it is restored', { skip }, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' }, { title: 'Almanac' })
  await w.call('DELETE', `/spaces/${space}`)
  await openWorkspace(w, 'admin', '/w/org', async page => {
    const section = page.getByRole('region', { name: 'Deleted spaces' })
    const restore = section.getByRole('button', { name: 'Restore Almanac' })
    await restore.waitFor()
    await assertAccessible(page)
    await restore.click()
    await restore.waitFor({ state: 'hidden' })
    assert.equal((await spaceOf(space)).deletedAt, undefined)
  })
})

test('an organization gets another title, a role for new members, and takes nobody in by link', {
  skip,
}, async () => {
  await openWorkspace(w, 'admin', '/w/people', async page => {
    await page.getByRole('link', { name: 'Organization', exact: true }).click()
    await page.getByLabel('Title', { exact: true }).fill('Northwind')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved(page)
    await page.getByRole('button', { name: /^New members:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Can read and comment' }).click()
    await saved(page)
    await page.getByRole('switch', { name: 'People may be invited by link' }).press('Space')
    await saved(page)
    await assertAccessible(page)
    const { body } = await w.call('GET', `/orgs/${w.organizationId}`)
    assert.deepEqual([body.title, body.defaultRole, body.inviteLinks], ['Northwind', 'comment', false])
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.getByText(/takes nobody in by link/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create link' }).count(), 0)
  })
})

test('an organization keeps its audit and conversations for so long; for less only after a question and a confirmation', {
  skip,
}, async () => {
  const retention = async () => (await w.call('GET', `/orgs/${w.organizationId}`)).body.retention
  await openWorkspace(w, 'admin', '/w/org', async page => {
    const section = page.getByRole('region', { name: 'What is kept, and how long' })
    const choose = async (what: RegExp, days: string) => {
      await section.getByRole('button', { name: what }).click()
      await page.getByRole('menuitemradio', { name: days, exact: true }).click()
    }
    await choose(/^Audit: For ever/, '1 year')
    const question = page.getByRole('dialog', { name: 'Audit: Keep it for 1 year only?' })
    await question.getByText(/cannot be brought back/).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    assert.deepEqual(await retention(), { auditDays: null, conversationDays: null })
    await choose(/^Conversations: For ever/, '90 days')
    await page.getByRole('button', { name: 'Delete what is older' }).click()
    await confirm(page)
    await saved(page)
    assert.deepEqual(await retention(), { auditDays: null, conversationDays: 90 })
    await choose(/^Conversations: 90 days/, 'For ever')
    await saved(page)
    assert.deepEqual(await retention(), { auditDays: null, conversationDays: null })
    await assertAccessible(page)
  })
})

test('a directory gets a token, which is shown once to who confirms, and is revoked', { skip }, async () => {
  await openWorkspace(w, 'admin', '/w/org', async page => {
    const section = page.getByRole('region', { name: 'Directory (SCIM)' })
    await section.getByText('No directory has a token.').waitFor()
    await section.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    await dialog.getByLabel('Name').fill('Entra ID')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await confirm(page)
    const made = page.getByRole('dialog', { name: 'Token created' })
    await made.waitFor()
    await assertAccessible(page)
    const secret = await made.getByLabel('Token', { exact: true }).inputValue()
    const address = await made.getByLabel(/^Address for the directory/).inputValue()
    assert.ok(address.endsWith(`/scim/v2/${w.organizationId}`), address)
    const users = () =>
      w.app.inject({
        url: `/scim/v2/${w.organizationId}/Users`,
        headers: { authorization: `Bearer ${secret}` },
      })
    assert.equal((await users()).statusCode, 200)
    await made.getByRole('button', { name: 'Done' }).click()
    await section.getByRole('row', { name: 'Entra ID' }).waitFor()
    await assertAccessible(page)
    await section.getByRole('button', { name: 'Revoke: Entra ID' }).click()
    const question = page.getByRole('dialog', { name: /Entra ID/ })
    await question.getByRole('button', { name: 'Revoke' }).click()
    await section.getByText('No directory has a token.').waitFor()
    assert.equal((await users()).statusCode, 401)
  })
})

test('who may not change settings sees no control of them', { skip }, async () => {
  const space = await newSpace()
  await openWorkspace(w, 'review', `/w/s/${space}`, async page => {
    await page.getByRole('button', { name: 'Share' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0)
    await page.goto(new URL(`/w/s/${space}/settings`, page.url()).href)
    await page.getByText('Only admins change this.').waitFor()
    await assertAccessible(page)
    await page.goto(new URL('/w/org', page.url()).href)
    await page.getByText('Only admins change this.').waitFor()
    assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
  })
})

test('what was typed in settings stays while the network is cut and while the session has ended', {
  skip,
}, async () => {
  const space = await newSpace()
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async (page, watch, context) => {
    const section = page.getByRole('region', { name: 'General' })
    const title = section.getByLabel('Title')
    await title.fill('Handbook of rain')
    const cut = `**/v1/spaces/${space}`
    await context.route(cut, route =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alertdialog').first().waitFor()
    assert.equal(await title.inputValue(), 'Handbook of rain')
    await context.unroute(cut)
    await endSessions(w, 'admin')
    // The stream may say it first, and then nothing below the dialog can be pressed.
    await section.getByRole('button', { name: 'Save' }).dispatchEvent('click')
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    const secret = await signedIn(w, 'admin')
    await context.addCookies([{ name: 'octavo_session', value: secret, url: new URL('/', page.url()).href }])
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await ended.waitFor({ state: 'hidden' })
    assert.equal(await title.inputValue(), 'Handbook of rain')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await spaceOf(space)).title, 'Handbook of rain')
    watch.errors.length = 0
  })
})

test('the key for visitors of a service is shown to who confirms, renewed, and where visitors sign in is saved', {
  skip,
}, async () => {
  const space = await newSpace()
  await w.call('PATCH', `/spaces/${space}`, { body: { visibility: 'visitor-auth' } })
  const read = async () => (await w.call('GET', `/spaces/${space}/publishing/auth`)).body
  await openWorkspace(w, 'admin', `/w/s/${space}/settings`, async page => {
    const section = page.getByRole('region', { name: 'Visitors of your service' })
    await section.getByRole('button', { name: 'Show key' }).click()
    await confirm(page)
    const key = section.getByRole('textbox', { name: 'Key for tokens of visitors' })
    const first = await key.inputValue()
    assert.equal(first, (await read()).privateKey)
    await assertAccessible(page)
    await section.getByRole('button', { name: 'New key' }).click()
    const question = page.getByRole('dialog', { name: 'Make a new key?' })
    await assertAccessible(page)
    await question.getByRole('button', { name: 'New key' }).click()
    await section.getByText(/^The key before ends/).waitFor()
    assert.notEqual(await key.inputValue(), first)
    const address = section.getByLabel('Where visitors sign in')
    await address.fill('https://user:secret@service.test/')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText(/password/).waitFor()
    assert.equal(await address.inputValue(), 'https://user:secret@service.test/')
    await address.fill('https://service.test/docs')
    await section.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await read()).fallbackURL, 'https://service.test/docs')
  })
})
