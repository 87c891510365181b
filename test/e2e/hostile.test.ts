// A repository of somebody who means ill, imported and read in a real browser: nothing of it runs.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowser, type Visit, visit, type Watch } from '../support/browser.ts'
import { startedHome } from '../support/home.ts'
import { ACTIVE_FILES, HOSTILE_WORDS, writeHostileFolder } from '../support/hostile-folder.ts'
import { run, type Server, serve, slowness, temporaryFolder } from '../support/process.ts'
import { isWhole } from '../support/slice.ts'

type WirePage = { id: string; path: string; type: string; title: string; pages?: WirePage[] }

/** Runs in every frame before anything else: whatever the content gets to run calls one of these, or makes a mark. */
const TRAP = `for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
  window[name] = () => { try { top.hasRun = true } catch {} ; window.hasRun = true }`

/** Opened at once. */
const FRAMES = 25
// What one page is made of src/site/browser.test.ts shows in a browser, each of them.
const NUMBERED = 5
// The worst of them come first.
const WORDS = isWhole ? HOSTILE_WORDS : HOSTILE_WORDS.slice(0, 2)

/** Every page that is hostile in its own way, and each fifth of those that differ only in their text. */
const sliceOf = (paths: readonly string[]): string[] =>
  paths.filter(path => {
    const number = /page-(\d+)$/.exec(path)?.[1]
    return isWhole || number === undefined || Number(number) % NUMBERED === 0
  })

/** What may be foreign: pictures, which documentation links to. */
const isHarmless = (request: string): boolean => /^(image|media) /.test(request)

describe('a hostile repository in a browser', { skip: skipBrowser }, () => {
  let server: Server
  let space = ''
  let paths: string[] = []

  before(async () => {
    const home = await startedHome()
    server = await serve(home)
    const folder = join(temporaryFolder(), '<img src=x onerror=alert(1)>')
    mkdirSync(folder)
    writeHostileFolder(folder)
    const title = `"><img src=x onerror=alert(1)><script>`
    const { code, stdout, stderr } = await run(['import', folder, '--public', '--title', title], {
      env: { OCTAVO_HOME: home },
    })
    assert.equal(code, 0, stderr)
    space = new URL(stdout.trim()).pathname
    const { body } = await server.call('GET', `${space.replace('/s/', '/spaces/')}/content/pages`)
    const flatten = (pages: WirePage[]): WirePage[] =>
      pages.flatMap(page => [page, ...flatten(page.pages ?? [])])
    paths = flatten(body.pages)
      .filter(page => page.type === 'document')
      .map(page => `${space}/${encodeURI(page.path)}`)
    assert.ok(paths.length > 100, `${paths.length} pages`)
    paths = sliceOf(paths)
    assert.ok(paths.length > FRAMES, `${paths.length} pages`)
  })

  /**
   * Opens addresses, all at once, in frames of a page of the same origin that has no policy of its own. While anything is
   * routed, every request makes a detour through this process, so that page is no longer than it has to be.
   */
  async function openAll(page: Page, addresses: readonly string[]): Promise<void> {
    const harness = `${server.url}/harness`
    for (let at = 0; at < addresses.length; at += FRAMES) {
      await page.route(harness, route =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Frames</title>' }),
      )
      await page.goto(harness)
      await page.unroute(harness)
      await page.evaluate(
        sources =>
          Promise.all(
            sources.map(
              source =>
                new Promise(resolve => {
                  // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser
                  const { document } = globalThis as any
                  const frame = document.createElement('iframe')
                  frame.onload = resolve
                  frame.src = source
                  document.body.append(frame)
                }),
            ),
          ),
        addresses.slice(at, at + FRAMES),
      )
      const findings = await page.evaluate<string[]>(POKE)
      assert.deepEqual(findings, [])
    }
  }

  const inTrap = <T>(look: (page: Page, watch: Watch) => Promise<T>, options: Visit = {}): Promise<T> =>
    visit(
      server.url,
      async (page, watch, context) => {
        await context.addInitScript(TRAP)
        const result = await look(page, watch)
        assert.notEqual(await page.evaluate('window.hasRun'), true, 'script of the content ran')
        assert.deepEqual(
          watch.errors.filter(error => /^dialog|^answered|Uncaught|TypeError/.test(error)),
          [],
        )
        assert.deepEqual(
          watch.foreign.filter(request => !isHarmless(request)),
          [],
        )
        return result
      },
      options,
    )

  test('what would run is caught: the trap works', async () => {
    const bad = `${server.url}/bad`
    await visit(server.url, async (page, watch, context) => {
      await context.addInitScript(TRAP)
      const isCaught = async (body: string) => {
        await page.route(bad, route => route.fulfill({ contentType: 'text/html', body }))
        const before = watch.foreign.length
        const passed = await openAll(page, ['/bad']).then(
          () => true,
          () => false,
        )
        await page.unroute(bad)
        return !passed || watch.foreign.length > before || (await page.evaluate('window.hasRun === true'))
      }
      assert.equal(await isCaught('<p>Harmless</p>'), false)
      for (const body of [
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '<a href="javascript:alert(1)">x</a>',
        '<style>@import "https://evil.example/x.css"</style>',
        '<form action="https://evil.example/"></form>',
        '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
      ])
        assert.equal(await isCaught(body), true, body)
    })
  })

  test('under the policy, pages run nothing, nor load script, style or frames from elsewhere', () =>
    inTrap(page => openAll(page, paths.slice(0, FRAMES))))

  test('no page runs or loads anything without the content security policy either: the markup itself is harmless', () =>
    inTrap(page => openAll(page, paths), { bypassCSP: true }))

  test('what is searched for, asked for and typed is text wherever it is repeated', async () => {
    const words = WORDS.map(encodeURIComponent)
    const addresses = words.flatMap(word => [
      `${space}/~/search?q=${word}`,
      `${space}/~/search?q=${word}&fragment=1`,
      `${space}/~/search?q=page&page=${word}`,
      `${space}/${word}`,
      `/s/${word}`,
      `/sign-in?next=${word}`,
      `/sign-in?next=/${word}`,
      `/${word}`,
      `/docs/${word}`,
    ])
    const others = [
      '/',
      `${space}/~/search?q=alert`,
      `${space}/old`,
      `${space}/older`,
      '/sign-in?next=//evil.example',
    ]
    await inTrap(page => openAll(page, [...addresses, ...others]), { bypassCSP: true })
  })

  test('links that lead to script are no links: clicking everything runs nothing', () =>
    inTrap(async page => {
      await page.goto(server.url + (paths.find(path => path.endsWith('/links')) ?? assert.fail('links')))
      const words = page.locator('main .content').getByText('click me')
      assert.ok((await words.count()) >= 10)
      for (const word of await words.all()) await word.click({ timeout: 5_000 * slowness })
      assert.match(page.url(), /\/links$/)
    }))

  test('typing hostile words shows hits as text', () =>
    inTrap(async page => {
      await page.goto(server.url + (paths.find(path => path.endsWith('/clobber')) ?? assert.fail('clobber')))
      for (const word of ['alert', ...WORDS]) {
        await page.keyboard.press('Escape')
        await page.locator('header input[type=search]').fill(word)
        await page.locator('.search-panel').waitFor()
        await page.waitForLoadState('networkidle')
        assert.equal(await page.locator('.search-panel :is(script, img[onerror], svg)').count(), 0)
      }
    }))

  test('elements that are named like those of the reader do not take their places', () =>
    inTrap(async (page, watch) => {
      await page.goto(server.url + (paths.find(path => path.endsWith('/clobber')) ?? assert.fail('clobber')))
      assert.equal(await page.evaluate('document.documentElement.classList.contains("has-script")'), true)
      await page.keyboard.press('/')
      assert.equal(await page.evaluate('document.activeElement.closest("header") !== null'), true)
      await page.getByRole('button', { name: 'Use dark colours' }).click()
      assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
      assert.deepEqual(
        watch.errors.filter(error => !/Failed to load resource/.test(error)),
        [],
      )
    }))

  test('a file that is opened by its own address runs nothing', async () => {
    const { body } = await server.call('GET', `${space.replace('/s/', '/spaces/')}/content/files?limit=100`)
    const files: { name: string; downloadURL: string }[] = body.items
    await inTrap(async (page, watch) => {
      for (const name of Object.keys(ACTIVE_FILES)) {
        const file = files.find(file => file.name === name) ?? assert.fail(`${name} is not there`)
        // What is saved and not shown ends the visit before it began.
        const isShown = await page.goto(file.downloadURL).then(
          () => true,
          () => false,
        )
        if (isShown) {
          assert.match(name, /\.(svg|png|txt)$/, `${name} is shown as a page`)
          await page.mouse.click(50, 50)
          assert.notEqual(await page.evaluate('document.documentElement.id'), 'ran', name)
          assert.notEqual(await page.evaluate('window.hasRun'), true, name)
        }
        assert.deepEqual(watch.foreign, [], name)
      }
    })
  })

  test('every page that a browser gets forbids what content could run', async () => {
    for (const path of ['/', paths[0] ?? '', `${space}/~/search?q=x`, '/sign-in', '/docs', '/s/nowhere']) {
      const { headers } = await server.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/, path)
      assert.match(policy, /script-src [\w.:]+\/assets\/ [\w.:]+\/docs\/assets\/(;|$)/, path)
      assert.doesNotMatch(policy, /unsafe-(inline|eval)/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    }
  })
})

/** In the browser: does to every frame what a reader could do, and reports what should not be there. */
const POKE = `(() => {
  const findings = []
  for (const frame of document.querySelectorAll('iframe')) {
    const inner = frame.contentDocument
    const where = frame.src.replace(location.origin, '')
    if (inner === null || !frame.contentWindow) { findings.push(where + ' cannot be looked at'); continue }
    for (const node of inner.querySelectorAll('*')) {
      for (const { name } of node.attributes)
        if (/^on|^style$|^srcdoc$|^formaction$|^ping$/i.test(name)) findings.push(where + ' has ' + name)
      if (/^(object|embed|iframe|base|style|template|noscript|frame|frameset|applet|portal)$/i.test(node.localName))
        findings.push(where + ' has ' + node.localName)
      if (node.localName === 'script' && !/^\\/(docs\\/)?assets\\/\\w+\\.\\w+\\.js$/.test(node.getAttribute('src') ?? ''))
        findings.push(where + ' has the script ' + node.outerHTML)
      if (node.localName === 'meta' && node.httpEquiv) findings.push(where + ' has meta ' + node.httpEquiv)
      if (node.localName === 'form' && new URL(node.action, location).origin !== location.origin)
        findings.push(where + ' has a form to ' + node.action)
      for (const address of [node.href, node.src, node.data, node.action].filter(value => typeof value === 'string' && value !== ''))
        if (/^\\s*(javascript|vbscript|data:text|blob|file|feed)/i.test(address)) findings.push(where + ' leads to ' + address)
      node.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      node.dispatchEvent(new Event('toggle'))
      node.focus?.()
    }
    if (frame.contentWindow.hasRun) findings.push(where + ' ran something')
    if (frame.contentWindow.location.href !== frame.src) findings.push(where + ' went to ' + frame.contentWindow.location.href)
  }
  return findings
})()`
