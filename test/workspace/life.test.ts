// The whole life of a change request, by two people in two browsers: in the list, reviewed, commented on, approved, merged
// and undone. By whichever hands, whatever goes wrong in the middle of a sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { CIRCUMSTANCES } from '../support/circumstances.ts'
import { keyboard, pointer } from '../support/hands.ts'
import { linkTo } from '../support/link.ts'
import { spaceWith } from '../support/pages.ts'
import { originOf } from '../support/server.ts'
import { signedIn } from '../support/sessions.ts'
import { assertAccessible, endSessions, openWorkspace } from '../support/workspace.ts'
import { type World, world } from '../support/world.ts'

/** Each life has one of its own, so that its change request is the only one in every list. */
async function worldOfTwo(): Promise<World> {
  const w = await world()
  for (const [name, display_name] of [
    ['create', 'Maya'],
    ['review', 'Jonas'],
  ] as const)
    await w.services.db
      .updateTable('users')
      .set({ display_name })
      .where('id', '=', w.people[name].id)
      .execute()
  return w
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const conversation = (page: Page) => page.getByRole('list', { name: 'Conversation' })

for (const { hands: named, trouble } of CIRCUMSTANCES)
  test(`the whole life of a change request, with the ${named} alone, while ${trouble}`, {
    skip,
  }, async () => {
    const w = await worldOfTwo()
    const hands = named === 'keyboard' ? keyboard : pointer
    const space = await spaceWith(w, { 'README.md': '# Start\n\nSend it on Monday.\n' }, { title: 'Life' })
    const link = await linkTo(await originOf(w))

    /** In the middle of a sentence of the reviewer's, who goes on with it afterwards. */
    const disturb = async (page: Page, context: BrowserContext, send: () => Promise<void>) => {
      if (trouble === 'the network is cut') {
        link.cut()
        await context.setOffline(true)
        await page.getByText('You are offline').waitFor()
        await send()
        await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
        await assertAccessible(page)
        link.mend()
        await context.setOffline(false)
        await page.getByText('You are offline').waitFor({ state: 'hidden' })
      }
      if (trouble === 'the session ends') {
        await endSessions(w, 'review')
        await dialog(page, 'Your session has ended').waitFor()
        await assertAccessible(page)
        const value = await signedIn(w, 'review')
        await context.addCookies([{ name: 'octavo_session', value, url: link.origin }])
        await page.evaluate(() => dispatchEvent(new Event('focus')))
        await dialog(page, 'Your session has ended').waitFor({ state: 'hidden' })
      }
    }

    const review = async (page: Page, context: BrowserContext) => {
      await hands.press(page.getByRole('link', { name: /A life/ }))
      await hands.press(page.getByRole('link', { name: 'Changes', exact: true }))
      const changed = page.getByRole('group', { name: 'Changed' })
      await changed.waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('c')
      const field = page.getByRole('textbox', { name: 'Write a comment' })
      const send = () => hands.press(button(page, 'Comment'))
      await hands.write(field, 'Is it always ')
      await disturb(page, context, send)
      assert.equal(await field.inputValue(), 'Is it always ')
      await hands.write(field, 'on Tuesday?')
      await send()
      await page.getByRole('article').getByText('Is it always on Tuesday?').waitFor()
    }

    const live = async (author: Page) => {
      await hands.press(button(author, 'New change request'))
      await hands.write(author.getByRole('textbox', { name: 'Subject' }), 'A life')
      await hands.press(button(author, 'Create'))
      await author.getByRole('heading', { name: 'A life #1', level: 1 }).waitFor()
      const { body } = await w.call('GET', `/spaces/${space}/change-requests/1`)
      await proposeFiles(w, body.id, { 'README.md': '# Start\n\nSend it on Tuesday.\n' }, 'create')
      await author.getByText(/Maya\W* edited it/).waitFor()
      // On a narrow screen where it stands is one line, which opens.
      const line = author
        .getByRole('complementary', { name: 'State of the change request' })
        .getByRole('button', { name: /^(?:Not r|R)eady to merge/ })
      await line.or(button(author, 'Request review')).first().waitFor()
      if ((await line.count()) > 0) await hands.press(line)
      await hands.press(button(author, 'Request review'))
      const asks = dialog(author, 'Request review')
      const find = asks.getByRole('searchbox', { name: 'Find a reviewer' })
      await hands.write(find, 'jon')
      await hands.choose(find, asks.getByRole('option', { name: 'Jonas' }))
      await hands.press(asks.getByRole('button', { name: 'Request review' }))
      await asks.waitFor({ state: 'hidden' })
      await author.getByText(/Maya\W* asked \W*Jonas\W* for a review/).waitFor()
      await assertAccessible(author)

      await openWorkspace(
        w,
        'review',
        '/w/c?filter=mine',
        async (reviewer, watch, context) => {
          await review(reviewer, context)
          const said = author.getByRole('article').filter({ hasText: 'Is it always on Tuesday?' })
          await hands.press(said.getByRole('button', { name: 'Reply' }))
          await hands.write(said.getByRole('textbox', { name: 'Reply' }), 'It is.')
          await hands.press(said.getByRole('button', { name: 'Reply' }))
          await reviewer.getByRole('article').getByText('It is.').waitFor()

          await hands.press(button(reviewer, 'Approve'))
          const approves = dialog(reviewer, 'Approve')
          await hands.press(approves.getByRole('button', { name: 'Approve' }))
          await conversation(author)
            .getByText(/Jonas\W* approved/)
            .waitFor()

          await button(author, 'Merge').and(author.locator(':enabled')).waitFor()
          if (named === 'keyboard') await author.keyboard.press('m')
          else await hands.press(button(author, 'Merge'))
          await author.getByRole('heading', { name: 'Published' }).waitFor()
          await assertAccessible(author)
          await reviewer.getByText('Merged', { exact: true }).waitFor()

          await hands.press(button(author, 'Undo'))
          const undoes = dialog(author, 'Undo this change request?')
          await hands.press(undoes.getByRole('button', { name: 'Undo' }))
          await hands.press(reviewer.getByRole('link', { name: 'Conversation', exact: true }))
          for (const page of [author, reviewer])
            await conversation(page)
              .getByText(/Maya\W* undid the merge/)
              .waitFor()
          await assertAccessible(reviewer)
          // The browser notes each request that met no server.
          const isOfCut = (error: string) => trouble === 'the network is cut' && /net::ERR_/.test(error)
          watch.errors.splice(0, watch.errors.length, ...watch.errors.filter(error => !isOfCut(error)))
        },
        { origin: link.origin },
      )
    }
    await openWorkspace(w, 'create', `/w/s/${space}/c`, live).finally(() => link.close())
    const { body } = await w.call('GET', `/spaces/${space}/content/path/readme`)
    assert.equal(body.markdown, '# Start\n\nSend it on Monday.\n')
  })
