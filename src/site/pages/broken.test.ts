// What is broken on a page of the reader: marked for members, who can mend it, from the same rendering that visitors get.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bringAxe, RULES, violationsOf } from '../../../test/support/axe.ts'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { cookieOf, signedIn } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const FILES = {
  'README.md':
    '# Start\n\nSee the [price list](prices.md) first.\n\n![A map](maps/the%20way.png)\n\n{% content-ref url="lost.md" %}\n[lost.md](lost.md)\n{% endcontent-ref %}\n',
}
const space = await spaceWith(w, FILES, { visibility: 'public' })
const { number } = await changeRequestWith(w, space, { 'README.md': `${FILES['README.md']}\nMore.\n` })
const READER = `/s/${space}`
const PREVIEW = `/s/${space}/~/changes/${number}/readme`
let origin = ''
before(async () => {
  if (skip === false) origin = await originOf(w)
})

const look = (person: PersonName | null, path: string, see: (page: Page) => Promise<void>) =>
  visit(origin, async (page, watch, context) => {
    await bringAxe(context)
    if (person !== null)
      await context.addCookies([{ name: 'octavo_session', value: await signedIn(w, person), url: origin }])
    await page.goto(origin + path)
    await see(page)
    assert.deepEqual([watch.errors, watch.foreign], [[], []])
  })

/** How the words of the link and the frame of the picture are drawn. */
const drawnIn = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const of = selector => getComputedStyle(document.querySelector(selector))
    return [of('.broken').textDecorationLine, of('.broken').textDecorationStyle, of('.missing-image').borderTopColor]
  })()`)

test('members see that a link, a card and a picture are broken, and which file is missing, in pages and previews', {
  skip,
}, async () => {
  for (const path of [READER, PREVIEW])
    await look('read', path, async page => {
      const frames = new Set<string>()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const [line, style, frame = ''] = await drawnIn(page)
        assert.deepEqual([line, style], ['underline', 'wavy'])
        frames.add(frame)
        assert.deepEqual(await violationsOf(page, RULES.all), [])
      }
      assert.equal(frames.size, 2, 'each theme has its own colour')
      const said = await page.getByRole('article').ariaSnapshot()
      assert.match(said, /See the price list \(The target of this link is missing\) ?first\./)
      assert.match(said, /A map ?Missing file: the way\.png/)
      assert.match(said, /\(target missing\)/)
    })
})

test('to visitors a broken link is words, and a picture that is missing says what it would show', {
  skip,
}, async () => {
  for (const person of [null, 'stranger'] as const)
    await look(person, READER, async page => {
      const [line] = await drawnIn(page)
      assert.equal(line, 'none')
      assert.deepEqual(await violationsOf(page, RULES.all), [])
      const said = await page.getByRole('article').ariaSnapshot()
      assert.match(said, /See the price list first\./)
      assert.match(said, /A map/)
      assert.doesNotMatch(said, /Missing file|the way\.png/)
    })
})

test('members and visitors get the same text of a page', async () => {
  const articleOf = async (person: PersonName | null) => {
    const headers = person === null ? {} : { cookie: await cookieOf(w, person) }
    const { payload } = await w.app.inject({ url: READER, headers })
    assert.equal(payload.includes('marks-broken'), person === 'read')
    return /<article>(.*)<\/article>/s.exec(payload)?.[1]
  }
  const [member, visitor, stranger] = [
    await articleOf('read'),
    await articleOf(null),
    await articleOf('stranger'),
  ]
  assert.match(member ?? '', /class="broken"/)
  assert.deepEqual([visitor, stranger], [member, member])
})
