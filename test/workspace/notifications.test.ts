// What somebody is told of: at the bell at once, in a list that leads to each place, and on Home.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { hubOf } from '../../src/api/live/hub.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { isNarrow } from '../support/circumstances.ts'
import { allTold, mentionOf } from '../support/notifications.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace, showState, sideBarOf, stateOf } from '../support/workspace.ts'
import { type World, world } from '../support/world.ts'

/** A space with a change request of the editor, in which the reviewer may say something. */
async function discussion(w: World) {
  const space = await spaceWith(w, { 'README.md': '# Guide\n\nWords.\n' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Better words' },
  })
  const say = async (markdown: string) => {
    await w.call('POST', `/spaces/${space}/change-requests/${body.id}/comments`, {
      as: 'review',
      body: { body: { markdown } },
    })
  }
  return { space, say }
}

const nameOf = (w: World, person: 'review') => w.people[person].email.split('@')[0]
const rows = (page: Page) => page.getByRole('grid', { name: 'Notifications' }).getByRole('row')

test('who is mentioned sees it at the bell by the stream, and is led to the place', {
  skip,
}, async () => {
  const w = await world()
  const { space, say } = await discussion(w)
  // Those of earlier stories end with their pages.
  while (hubOf(w.services).open > 0) await setTimeout(20)
  await openWorkspace(w, 'edit', '/w', async page => {
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    const bell = (await sideBarOf(page)).getByRole('link', { name: /^Notifications/ })
    await bell.waitFor()
    while (hubOf(w.services).open === 0) await page.waitForTimeout(20)
    await say(`What do you think, ${mentionOf(w, 'edit')}?`)
    // Without the stream it is read again after 30 seconds.
    await bell.getByText('1 unread').waitFor({ timeout: 20_000 })
    await bell.click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await rows(page)
      .getByText(`${nameOf(w, 'review')}`)
      .waitFor()
    await assertAccessible(page)
    await rows(page).getByRole('link').click()
    await page.waitForURL(new RegExp(`/w/s/${space}/c/1$`))
    if (!isNarrow) {
      const later = (await sideBarOf(page)).getByRole('link', { name: 'Notifications', exact: true })
      await later.waitFor()
    }
  })
})

test('Home has mentions that are unread; one is marked as read in its row, and all are at once', {
  skip,
}, async () => {
  const w = await world()
  const { say } = await discussion(w)
  for (const words of ['One', 'Two', 'Three']) await say(`${words} ${mentionOf(w, 'edit')}`)
  await say('And a word to nobody.')
  await allTold(w)
  await openWorkspace(w, 'edit', '/w', async page => {
    const waiting = page.getByRole('region', { name: 'Mentions and conflicts' })
    await waiting.getByRole('link').nth(2).waitFor()
    assert.equal(await waiting.getByRole('link').count(), 3)
    await waiting.getByRole('button', { name: 'Mark as read' }).first().click()
    await waiting.getByRole('link').nth(2).waitFor({ state: 'detached' })
    await assertAccessible(page)
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await rows(page).nth(2).waitFor()
    assert.equal(await rows(page).count(), 3)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('You have read everything.').waitFor()
    await page.getByRole('radio', { name: 'All' }).click()
    await rows(page).nth(3).waitFor()
    assert.equal(await rows(page).count(), 4)
    await rows(page).first().getByRole('button', { name: 'Mark as unread' }).click()
    await rows(page).first().getByRole('button', { name: 'Mark as read' }).waitFor()
  })
})

test('a page is watched by its menu, and its comments are told of', { skip }, async () => {
  const w = await world()
  const { space } = await discussion(w)
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  const [{ id }] = body.pages
  await openWorkspace(w, 'read', `/w/s/${space}/p/${id}`, async page => {
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'This page' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Watching', exact: true }).waitFor()
    await assertAccessible(page)
  })
  await w.call('POST', `/spaces/${space}/comments`, {
    as: 'review',
    body: { page: id, body: { markdown: 'Hm.' } },
  })
  await allTold(w)
  const { body: told } = await w.call('GET', '/user/notifications', { as: 'read' })
  assert.deepEqual([told.count, told.items[0].kind, told.items[0].page], [1, 'comment', id])
})

test('a change request is watched beside its conversation; what is watched is listed, leads there, and is stopped', {
  skip,
}, async () => {
  const w = await world()
  const { space } = await discussion(w)
  await openWorkspace(w, 'review', `/w/s/${space}/c/1`, async page => {
    await page.getByRole('heading', { name: /^Better words/, level: 1 }).waitFor()
    await showState(page)
    await stateOf(page).getByRole('button', { name: 'Watch', pressed: false }).click()
    await stateOf(page).getByRole('button', { name: 'Watching', pressed: true }).waitFor()
    await assertAccessible(page)
    const watched = async () => (await w.call('GET', `/spaces/${space}/watch`, { as: 'review' })).body
    assert.equal((await watched()).changeRequests.length, 1)
    await page.goto(new URL('/w/me/notifications', page.url()).href)
    const section = page.getByRole('region', { name: 'What you watch' })
    await section.getByRole('link', { name: 'Better words #1' }).waitFor()
    await assertAccessible(page)
    await section.getByRole('button', { name: /^Stop watching: .*Better words #1/ }).click()
    await section.getByText(/^You watch nothing/).waitFor()
    assert.equal((await watched()).changeRequests.length, 0)
  })
})

test('a kind that is turned off stays off, and is not told of', { skip }, async () => {
  const w = await world()
  const { say } = await discussion(w)
  await openWorkspace(w, 'edit', '/w/me/notifications', async page => {
    const mentions = page.getByRole('switch', { name: 'Mentions: in the workspace' })
    await mentions.waitFor()
    await assertAccessible(page)
    const saved = page.waitForResponse(one => one.request().method() === 'PATCH')
    await page.locator('label', { has: mentions }).click()
    await saved
    await page.reload()
    await mentions.waitFor()
    assert.equal(await mentions.isChecked(), false)
  })
  await say(`Hello ${mentionOf(w, 'edit')}`)
  await allTold(w)
  const { body } = await w.call('GET', '/user/notifications', { as: 'edit' })
  assert.equal(body.count, 0)
})
