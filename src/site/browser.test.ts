// The reader in a real browser: what templates, stylesheet and script promise together, and that a hostile page
// can do nothing there.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skipBrowser as skip } from '../../test/support/browser.ts'
import { HOSTILE_PAGES } from '../../test/support/markdown/hostile-pages.ts'
import { pageView } from '../../test/support/page-view.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { readAssets } from './assets.ts'
import { readerHeaders } from './headers.ts'
import type { OutlineEntry, SearchView, Shell, SpaceView, TreeItem } from './layout/view.ts'
import { renderPage } from './pages/page.ts'
import { renderSearch, renderSearchFragment } from './reader/search.ts'

const PAGE = `
## First

{% tabs %}
{% tab title="npm" %}
The npm way
{% endtab %}
{% tab title="pnpm" %}
The pnpm way
### Inside
{% endtab %}
{% endtabs %}

{% tabs %}
{% tab title="yarn" %}
Second yarn
{% endtab %}
{% tab title="pnpm" %}
Second pnpm
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

### Hidden place

</details>

## Code

\`\`\`bash
npm start
\`\`\`
`

const assets = readAssets()
const space: SpaceView = {
  id: 's',
  title: 'Guide',
  href: '/s',
  emoji: null,
  language: null,
  searchAction: '/search',
}
const tree: TreeItem[] = [
  { id: 'p', kind: 'document', title: 'The page', href: '/page', emoji: null, icon: null, children: [] },
]

const shellFor = (cookie: string): Shell => ({
  theme: cookie.includes('octavo_theme=dark')
    ? 'dark'
    : cookie.includes('octavo_theme=light')
      ? 'light'
      : 'system',
  visitor: null,
  signInHref: '/sign-in',
  assets: assets.paths,
})

const renderBody = (source: string) =>
  toHtml(parseMarkdown(source), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: src => ({ src }),
  })

function renderWhole(html: string, outline: readonly OutlineEntry[], shell: Shell): string {
  return renderPage({
    shell,
    space,
    tree,
    page: pageView({ title: 'The page', html, outline }),
  })
}

/** Hostile pages are rendered one by one and shown some at a time: opening a hundred would take 15 s. */
const BATCH = 20

async function renderHostile(batch: number, shell: Shell): Promise<string> {
  const pages = HOSTILE_PAGES.slice(batch * BATCH, (batch + 1) * BATCH)
  const bodies = await Promise.all(pages.map(renderBody))
  return renderWhole(bodies.map(({ html }) => `<section class="body">${html}</section>`).join(''), [], shell)
}

const found = (query: string): SearchView => ({
  query,
  count: 1,
  corrections: [],
  nextHref: null,
  hits: [
    {
      title: [
        { text: 'About ', isMatch: false },
        { text: query, isMatch: true },
      ],
      href: '/page#code',
      emoji: null,
      icon: null,
      breadcrumbs: [],
      snippet: [{ text: '<img src=x onerror=alert(1)>', isMatch: false }],
      sections: [],
    },
  ],
})

let server: Server
let browser: Browser
let address = ''

before(async () => {
  if (skip !== false) return
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://reader.test')
    const asset = assets.find(url.pathname)
    if (asset !== undefined)
      return response.writeHead(200, { 'content-type': asset.contentType }).end(asset.body)
    const shell = shellFor(request.headers.cookie ?? '')
    const headers = readerHeaders(
      { publicUrl: address, isPublicUrlSet: false },
      { host: String(request.headers.host) },
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    const query = url.searchParams.get('q') ?? ''
    const batch = /^\/hostile\/(\d+)$/.exec(url.pathname)
    if (url.pathname === '/search')
      response.end(
        url.searchParams.has('fragment')
          ? renderSearchFragment(found(query)).markup
          : renderSearch({ shell, space, tree, search: found(query) }),
      )
    else if (batch !== null) response.end(await renderHostile(Number(batch[1]), shell))
    else {
      const { html, outline } = await renderBody(PAGE)
      response.end(renderWhole(html, outline, shell))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await openBrowser()
})

after(async () => {
  server?.close()
})

interface Visit {
  readonly javaScriptEnabled?: boolean
  readonly viewport?: { width: number; height: number }
  readonly colorScheme?: 'light' | 'dark'
}

/** Opens a page in a fresh profile that reaches nothing but the server of this test. */
async function visit<T>(
  path: string,
  look: (page: Page, refused: readonly string[]) => Promise<T>,
  options: Visit = {},
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  try {
    await context.route(
      url => url.origin !== address,
      route => route.abort(),
    )
    const page = await context.newPage()
    const refused: string[] = []
    page.on('console', message => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    page.on('pageerror', error => refused.push(String(error)))
    await page.goto(address + path)
    return await look(page, refused)
  } finally {
    await context.close()
  }
}

test('the reader needs nothing that its own policy refuses', { skip }, async () => {
  await visit('/page', async (page, refused) => {
    assert.equal(await page.evaluate('document.documentElement.classList.contains("has-script")'), true)
    assert.match(
      await page.evaluate<string>('getComputedStyle(document.querySelector(".icon")).maskImage'),
      /^url\("data:image\/svg/,
    )
    assert.deepEqual(refused, [])
  })
})

test('tabs, the tree of a phone and search work without scripts', { skip }, async () => {
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }
  await visit(
    '/page',
    async page => {
      assert.equal(await page.getByText('The npm way').isVisible(), true)
      assert.equal(await page.getByText('The pnpm way').isVisible(), false)
      await page.locator('label', { hasText: 'pnpm' }).first().click()
      assert.equal(await page.getByText('The pnpm way').isVisible(), true)
      assert.equal(await page.locator('nav.sidebar').isVisible(), false)
      await page.getByRole('button', { name: 'Pages' }).click()
      assert.equal(await page.locator('nav.sidebar').isVisible(), true)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Search' }).click()
      await page.getByRole('searchbox').fill('words')
      await page.getByRole('button', { name: 'Search' }).click()
      assert.equal(await page.locator('.hit mark').textContent(), 'words')
    },
    options,
  )
})

test('a chosen tab holds for its title on the page, and on the next visit', { skip }, async () => {
  await visit('/page', async page => {
    await page.locator('label', { hasText: 'pnpm' }).first().click()
    assert.equal(await page.getByText('Second pnpm').isVisible(), true)
    await page.reload()
    assert.equal(await page.getByText('The pnpm way').isVisible(), true)
  })
})

test('a link into a closed tab or expandable opens it', { skip }, async () => {
  await visit('/page#inside', async page => {
    assert.equal(await page.getByText('The pnpm way').isVisible(), true)
  })
  await visit('/page#hidden-place', async page => {
    assert.equal(await page.getByRole('heading', { name: 'Hidden place' }).isVisible(), true)
  })
})

test('a link names a heading, an expandable or a tab in any case', { skip }, async () => {
  await visit('/page#MORE', async page => {
    assert.equal(await page.getByRole('heading', { name: 'Hidden place' }).isVisible(), true)
  })
  await visit('/page#Pnpm', async page => {
    assert.equal(await page.getByText('The pnpm way').isVisible(), true)
  })
})

test('the theme follows the device, can be changed, and is kept by the server', { skip }, async () => {
  const isDark = (page: Page) =>
    page.evaluate<boolean>('getComputedStyle(document.documentElement).backgroundColor === "rgb(18, 20, 23)"')
  await visit(
    '/page',
    async page => {
      assert.equal(await isDark(page), true)
      await page.getByRole('button', { name: 'Use light colours' }).click()
      assert.equal(await isDark(page), false)
      await page.reload()
      assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light')
      assert.equal(await isDark(page), false)
    },
    { colorScheme: 'dark' },
  )
})

test('typing shows hits, arrows walk through them, and nothing in a hit becomes markup', {
  skip,
}, async () => {
  await visit('/page', async (page, refused) => {
    await page.keyboard.press('/')
    await page.keyboard.type('start')
    await page.locator('.search-panel .hit mark', { hasText: /^start$/ }).waitFor()
    assert.equal(await page.locator('.search-panel img').count(), 0)
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate('document.activeElement.className'), 'hit-page')
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.search-panel').isVisible(), false)
    assert.deepEqual(refused, [])
  })
})

test('no hostile page runs anything, even without the policy', { skip }, async () => {
  const context = await browser.newContext({ bypassCSP: true })
  await context.addInitScript(
    'window.alert = window.confirm = window.prompt = () => { window.hasRun = true }',
  )
  await context.route(
    url => url.origin !== address,
    route => route.abort(),
  )
  const page = await context.newPage()
  for (let batch = 0; batch * BATCH < HOSTILE_PAGES.length; batch++) {
    await page.goto(`${address}/hostile/${batch}`)
    const seen = await page.evaluate<{ hasRun: boolean; where: string; bodies: number }>(`(() => {
      for (const node of document.querySelectorAll('.body *')) {
        node.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
        node.dispatchEvent(new Event('toggle'))
        node.focus?.()
        if (node.matches('a[href]') && !/^(https?|mailto|tel):$/.test(node.protocol)) window.hasRun = true
      }
      return {
        hasRun: window.hasRun === true,
        where: location.pathname,
        bodies: document.querySelectorAll('main > article > .content > .body').length,
      }
    })()`)
    const bodies = Math.min(BATCH, HOSTILE_PAGES.length - batch * BATCH)
    assert.deepEqual(seen, { hasRun: false, where: `/hostile/${batch}`, bodies })
  }
  await context.close()
})
