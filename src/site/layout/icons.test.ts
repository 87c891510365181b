// Icons over HTTP and in a real browser: what a page chose is drawn, kept, and printed.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { skipBrowser as skip, visit } from '../../../test/support/browser.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { cookieOf, signedIn } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const space = await spaceWith(w, {
  'SUMMARY.md': '* [Start](README.md)\n* [Other](other.md)\n',
  'README.md':
    '---\nicon: rocket\n---\n\n# Start\n\nA <i class="fa-github">:github:</i> here, <i class="fa-rocket-launch">:x:</i> there, <i class="fa-no-such">:x:</i>.\n\n<a href="other.md" class="button" data-icon="book">Go</a>\n\n{% hint style="info" icon="fire" %}\nHot\n{% endhint %}\n\n{% stepper %}\n{% step icon="flag" %}\nOne\n{% endstep %}\n{% endstepper %}\n\n{% content-ref url="other.md" %}\n[other.md](other.md)\n{% endcontent-ref %}\n',
  'other.md': '---\nicon: fa-leaf\n---\n\n# Other\n',
})
const ICONS = ['book', 'fire', 'flag', 'github', 'leaf', 'rocket', 'rocket-launch']
let origin = ''

before(async () => {
  if (skip === false) origin = await originOf(w)
})

const sheetsOf = (page: string): string[] =>
  [...page.matchAll(/<link rel="stylesheet" href="(\/assets\/icons\.css[^"]+)">/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
const get = async (url: string, headers: Record<string, string> = {}) =>
  w.app.inject({ url, headers: { cookie: await cookieOf(w, 'read'), ...headers } })

test('the icons of the navigation are one file for every page of a space, those of a page alone another', async () => {
  const [first, second] = await Promise.all([get(`/s/${space}`), get(`/s/${space}/other`)])
  const [tree, own, ...others] = sheetsOf(first.payload)
  assert.deepEqual([sheetsOf(second.payload), others], [[tree], []])
  assert.match(tree ?? '', /icons=leaf,rocket$/)
  const sheet = await get(own ?? '', { 'accept-encoding': 'br' })
  assert.equal(sheet.headers['cache-control'], 'public, max-age=31536000, immutable')
  const rules = brotliDecompressSync(sheet.rawPayload).toString()
  assert.deepEqual(
    [...rules.matchAll(/^\.fa-([a-z-]+)\{/gm)].map(([, name]) => name),
    ['book', 'fire', 'flag', 'github', 'rocket-launch'],
  )
})

test('icons that are asked for without the version of now are asked for again', async () => {
  const [current = ''] = sheetsOf((await get(`/s/${space}`)).payload)
  for (const href of [current.replace(/v=\w+/, 'v=0'), current.replace(/v=\w+&/, '')]) {
    const { headers, payload } = await get(href)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(payload, (await get(current)).payload)
  }
})

test('whatever is asked for as icons is answered with rules of drawings, or with none', async () => {
  for (const query of [
    '',
    '?icons',
    '?icons=',
    '?icons=a,b&icons=c',
    '?icons=..%2Fx,%00,%7D*%7Bcolor',
    '?icons=%',
  ])
    assert.equal((await get(`/assets/icons.css${query}`)).payload, '', query)
  const many = await get(`/assets/icons.css?icons=${Array(1_000).fill('rocket').join(',')},leaf`)
  assert.deepEqual([many.statusCode, many.payload.split('\n').length], [200, 2])
})

test(
  'every icon that a page chose is drawn, an unknown one as a page, and all of them in print',
  { skip },
  () =>
    visit(origin, async (page, watch, context) => {
      await context.addCookies([{ name: 'octavo_session', value: await signedIn(w, 'read'), url: origin }])
      await page.goto(`${origin}/s/${space}`)
      const masks = () =>
        page.evaluate<Record<string, string>>(`Object.fromEntries(
        [...document.querySelectorAll('.icon[class*="fa-"], .icon-file-lines')].map(one => [
          /(?:fa|icon)-([a-z-]+)/.exec(one.className)[1], getComputedStyle(one).maskImage ]))`)
      const shown = await masks()
      const glyph = shown['no-such']
      assert.match(glyph ?? '', /^url\("data:image\/svg/)
      const drawn = (all: Record<string, string>) => ICONS.filter(name => (all[name] ?? glyph) !== glyph)
      assert.deepEqual(drawn(shown), ICONS)
      assert.equal(shown['rocket-launch'], shown.rocket)
      const own = await page.evaluate<
        string[][]
      >(`[...document.querySelectorAll('.icon[class*="icon-"]')].map(one => [
        /icon-([a-z-]+)/.exec(one.className)[1], getComputedStyle(one).maskImage ])`)
      const pages = own.filter(([, mask]) => mask === glyph).map(([name]) => name)
      assert.deepEqual([pages.filter(name => name !== 'file-lines'), own.length > 3], [[], true])
      const { body } = await w.call('GET', `/spaces/${space}/pdf`)
      await page.goto(body.url.replace('http://octavo.test/pdf/', `${origin}/print/`))
      assert.deepEqual(drawn(await masks()), ICONS)
      assert.deepEqual([watch.errors, watch.foreign], [[], []])
    }),
)
