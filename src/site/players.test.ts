import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { skipBrowser as skip, visit } from '../../test/support/browser.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { originOf } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'

const w = await world()
const FILM = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const PLAYER = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'
const space = await spaceWith(
  w,
  {
    'README.md': `# Film\n\n{% embed url="${FILM}" %}\n\n{% embed url="https://example.com/x" %}\n`,
    'plain.md': '# Plain\n\nWords: data-player="https://vimeo.com/\n',
  },
  { visibility: 'public' },
)
let origin = ''

before(async () => {
  if (skip === false) origin = await originOf(w)
})

test('only a page with a player allows frames, and only of its host', async () => {
  const policyOf = async (path: string) =>
    String((await w.app.inject({ url: `/s/${space}${path}` })).headers['content-security-policy'])
  assert.match(await policyOf(''), /; frame-src https:\/\/www\.youtube-nocookie\.com$/)
  assert.doesNotMatch(await policyOf('/plain'), /frame-src/)
})

test('the host of a player is asked for nothing before the click, and without a script it is a link', {
  skip,
}, async () => {
  await visit(origin, async (page, watch) => {
    await page.goto(`${origin}/s/${space}`)
    await page.waitForLoadState('load')
    assert.deepEqual(watch.foreign, [])
    const asked = page.waitForEvent('requestfailed')
    await page.locator('a[data-player]').click()
    await asked
    assert.deepEqual(watch.foreign, [`document ${PLAYER}`])
    assert.equal(await page.evaluate('document.activeElement.src'), PLAYER)
    assert.equal(await page.locator('a.link-card-embed').count(), 1, 'another host stays a link')
  })
  await visit(
    origin,
    async page => {
      await page.goto(`${origin}/s/${space}`)
      assert.equal(await page.locator('a[data-player]').getAttribute('href'), FILM)
    },
    { javaScriptEnabled: false },
  )
})
