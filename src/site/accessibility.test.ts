// The rules of axe over every kind of page, light and dark, wide and narrow; and what keys alone have to reach.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { bringAxe, RULES, resize, thinOut, violationsOf } from '../../test/support/axe.ts'
import { skipBrowser as skip, visit } from '../../test/support/browser.ts'
import { changeRequestWith } from '../../test/support/change-requests.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { originOf } from '../../test/support/server.ts'
import { signedIn } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'

const WIDE_TABLE = `| ${Array.from({ length: 14 }, (_, at) => `Column number ${at}`).join(' | ')} |\n|${' - |'.repeat(14)}\n|${' value |'.repeat(14)}\n`

const CORPUS = new URL('../../../shared/corpus/', import.meta.url)
/** Pages of real documentation: long, with many tables and code, with cards. */
const REAL_PAGES = [
  'beefree-sdk-docs/builder-addons/addons/README.md',
  'dify-docs-zh/getting-started/install-self-hosted/environments.md',
]

/** Every block, as the guide shows them, and what a reader could stumble over. */
const BLOCKS = [
  readFileSync(new URL('../../docs/blocks.md', import.meta.url), 'utf8'),
  '## Wide things',
  WIDE_TABLE,
  '| A | B |\n| - | - |\n| small | table |\n',
  `\`\`\`js\n${'const words = 1; '.repeat(20)}\n\`\`\``,
  'Rocket :rocket: and <span data-gb-custom-inline data-tag="emoji" data-code="1f4a1">💡</span>.',
  '{% stepper %}\n{% step %}\n### One\nFirst.\n{% endstep %}\n{% step icon="flag" %}\n### Two\nLast.\n{% endstep %}\n{% endstepper %}',
  '{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}\nA film\n{% endembed %}',
].join('\n\n')

const w = await world()
let origin = ''
let space = ''
let real = ''

before(async () => {
  if (skip !== false) return
  origin = await originOf(w)
  space = await spaceWith(w, {
    'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [Blocks](blocks.md)\n  * [Below](below.md)\n',
    'README.md':
      '---\nicon: rocket\ndescription: Where it begins\n---\n\n# Start\n\nGo to [blocks](blocks.md).\n',
    'blocks.md': BLOCKS,
    'below.md': '# Below\n',
  })
  await changeRequestWith(
    w,
    space,
    { 'README.md': '# Start\n\nChanged words.\n\n## More\n', 'blocks.md': BLOCKS.replace('small', 'little') },
    { subject: 'Other words' },
  )
  if (existsSync(CORPUS))
    real = await spaceWith(
      w,
      Object.fromEntries(
        REAL_PAGES.map((path, at) => [`page-${at}.md`, readFileSync(new URL(path, CORPUS), 'utf8')]),
      ),
    )
})

const member = async () => [{ name: 'octavo_session', value: await signedIn(w, 'admin'), url: origin }]

/** Paths of every kind of page; `null` is a page without a session. */
async function pathsOf(): Promise<{ member: string[]; stranger: string[] }> {
  const { body } = await w.call('GET', `/spaces/${space}/pdf`)
  const at = `/s/${space}`
  return {
    member: [
      '/?reader',
      at,
      `${at}/guides/blocks`,
      `${at}/~/search?q=words`,
      `${at}/~/search?q=nothinglikethis`,
      `${at}/~/changes/1/guides/blocks`,
      `${at}/nowhere`,
      '/account/password',
      '/nope',
      String(body.url).replace('http://octavo.test/pdf/', '/print/'),
      '/docs',
      '/docs/schemas',
      '/docs/operations/createSpace',
      ...(real === '' ? [] : REAL_PAGES.map((_, at) => `/s/${real}/page-${at}`)),
    ],
    stranger: ['/sign-in', '/', at, '/password'],
  }
}

// What a phone shows is what a desk shows, but for the frame of the page, which is the same on the short ones.
const LONG_PAGES = /^\/docs|page-\d$|^\/print/
/** Every page of the reference has the list of all operations: it is looked at whole on the first. */
const LIST = 'nav.sidebar'
const hasListAgain = (path: string): boolean => path.startsWith('/docs/')

test('axe finds nothing on any kind of page, light and dark, on a desk and on a phone', { skip }, () =>
  visit(origin, async (page, _watch, context) => {
    await bringAxe(context)
    const paths = await pathsOf()
    const found: string[] = []
    const note = (where: string, violations: readonly string[]) =>
      void found.push(...violations.map(violation => `${where}: ${violation}`))
    const look = async (path: string, at: number) => {
      const isLong = LONG_PAGES.test(path)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(origin + path)
      await resize(page, 1440)
      if (hasListAgain(path)) await thinOut(page, LIST)
      if (isLong) note(path, await violationsOf(page, RULES.all, RULES.ofColours))
      await thinOut(page)
      note(path, await violationsOf(page, isLong ? RULES.ofColours : RULES.all))
      await page.emulateMedia({ colorScheme: 'dark' })
      note(`${path} in the dark`, await violationsOf(page, RULES.ofColours))
      // The frame of a phone is the same on many pages, of which every other is looked at in the dark.
      const colorScheme = at % 2 === 0 ? 'light' : 'dark'
      await page.emulateMedia({ colorScheme })
      await resize(page, 390)
      note(
        `${path} on a phone, ${colorScheme}`,
        await violationsOf(page, isLong ? RULES.ofWidths : RULES.all),
      )
    }
    for (const [at, path] of paths.stranger.entries()) await look(path, at)
    await context.addCookies(await member())
    for (const [at, path] of paths.member.entries()) await look(path, at)
    assert.deepEqual(found, [])
  }),
)

test(
  'wide tables and code are reached by Tab and scrolled by keys; what fits is no stop on the way',
  { skip },
  () =>
    visit(origin, async (page, _watch, context) => {
      await context.addCookies(await member())
      await page.goto(`${origin}/s/${space}/guides/blocks`)
      for (const name of ['Table: Column number 0', 'Code: const words']) {
        const region = page.getByRole('region', { name }).first()
        await region.evaluate(one =>
          one.addEventListener('scroll', () => one.toggleAttribute('data-scrolled', one.scrollLeft > 0)),
        )
        await region.focus()
        await page.keyboard.press('ArrowRight')
        await page.locator('[data-scrolled]:focus').waitFor()
      }
      assert.equal(await page.getByRole('region', { name: 'Table: A, B' }).count(), 0)
    }),
)

test('scrollable regions can be reached without a script too', { skip }, () =>
  visit(
    origin,
    async (page, _watch, context) => {
      await context.addCookies(await member())
      await page.goto(`${origin}/s/${space}/guides/blocks`)
      assert.equal(await page.getByRole('region', { name: 'Table: Column number 0' }).count(), 1)
    },
    { javaScriptEnabled: false },
  ),
)

test(
  'the navigation of a phone: focus goes into it and stays, it leads home, and closes by button and by Escape',
  { skip },
  () =>
    visit(
      origin,
      async (page, _watch, context) => {
        await context.addCookies(await member())
        await page.goto(`${origin}/s/${space}`)
        const menu = page.getByRole('button', { name: 'Pages' })
        const tree = page.locator('nav.sidebar')
        await menu.click()
        const close = page.getByRole('button', { name: 'Close the navigation' })
        await page.locator('[data-drawer-close]:focus').waitFor()
        for (let stop = 0; stop < 12; stop++) {
          await page.keyboard.press('Tab')
          const where = await page.evaluate<string>(
            `document.activeElement === document.body || document.activeElement.closest('nav.sidebar') ? '' : document.activeElement.outerHTML`,
          )
          assert.equal(where, '', 'the keyboard left the navigation')
        }
        await page.keyboard.press('Escape')
        assert.equal(await tree.isVisible(), false)
        await page.locator('.menu-button:focus').waitFor()
        await menu.click()
        await close.click()
        assert.equal(await tree.isVisible(), false)
        await menu.click()
        await tree.getByRole('link', { name: 'All spaces' }).click()
        await page.waitForURL(`${origin}/w`)
      },
      { viewport: { width: 390, height: 800 } },
    ),
)

test(
  'every link of a page to itself or back is at least 24 pixels to touch, and a stepper ends at its last step',
  { skip },
  () =>
    visit(origin, async (page, _watch, context) => {
      await context.addCookies(await member())
      await page.goto(`${origin}/s/${space}/guides/blocks`)
      const small = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.anchor, sup > a, .footnote-back')].map(one => [one.className, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24).map(([name, box]) => name + ' ' + box.width + ' ' + box.height)`,
      )
      assert.deepEqual(small, [])
      const lines = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.stepper')].at(-1).querySelectorAll('.step').values().map(one => getComputedStyle(one, '::after').content).toArray()`,
      )
      assert.deepEqual([lines.length, lines.at(-1)], [2, 'none'])
      assert.notEqual(lines[0], 'none')
    }),
)

test('a token that is refused leaves the field of the token in focus', { skip }, () =>
  visit(origin, async page => {
    await page.goto(`${origin}/sign-in`)
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Token').fill('not a token')
    await page.getByRole('button', { name: 'Sign in with the token' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'reader:token')
  }),
)
