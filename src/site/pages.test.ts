import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageView } from '../../test/support/page-view.ts'
import { renderAccount } from './account/page.ts'
import { readAssets } from './assets.ts'
import { readerPolicy } from './headers.ts'
import { DEFAULT_LAYOUT, type Shell, type SpaceView, type TreeItem } from './layout/view.ts'
import { renderEmptySpace, renderMissing } from './notice-pages.ts'
import { renderPage } from './pages/page.ts'
import { renderHome } from './reader/home.ts'
import { renderSearch } from './reader/search.ts'
import { renderSignIn } from './sign-in/page.ts'
import { renderPasswordPage } from './sign-in/password-page.ts'
import { renderPasswordResetPage } from './sign-in/password-reset-page.ts'

const assets = readAssets()

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>`

const shell = (words = 'Octavo'): Shell => ({
  theme: 'system',
  visitor: { id: words, name: words },
  signInHref: '/sign-in',
  assets: assets.paths,
})

const space = (words = 'Guide'): SpaceView => ({
  id: 's1',
  title: words,
  href: '/s/s1',
  emoji: words === 'Guide' ? '1f680' : words,
  language: words === 'Guide' ? 'en' : words,
  searchAction: '/s/s1/-/search',
})

const item = (id: string, more: Partial<TreeItem> = {}): TreeItem => ({
  id,
  kind: 'document',
  title: `Page ${id}`,
  href: `/s/s1/${id}`,
  emoji: null,
  icon: null,
  children: [],
  ...more,
})

/** Every page kind with the same words wherever content may choose them. */
const everyPage = (words: string): string[] => {
  const crumb = { title: words, href: `javascript:${words}` }
  const tree = [
    item('p1', { title: words, href: `javascript:alert(1)//${words}`, emoji: words, icon: words }),
  ]
  const runs = [{ text: words, isMatch: true }]
  const hit = {
    title: runs,
    href: `javascript:${words}`,
    emoji: words,
    icon: words,
    breadcrumbs: [words],
    snippet: runs,
  }
  return [
    renderPage({
      shell: shell(words),
      space: space(words),
      tree,
      page: pageView({
        title: words,
        description: words,
        emoji: words,
        breadcrumbs: [crumb],
        previous: crumb,
        next: crumb,
        outline: [
          { id: words, text: words, level: 2 },
          { id: 'b', text: words, level: 3 },
        ],
        cover: { src: `javascript:${words}`, srcDark: words, yPos: 0, height: Number.NaN, size: 'hero' },
        updatedAt: words,
        markdownHref: words,
        canonicalHref: words,
      }),
    }),
    renderHome({
      shell: shell(words),
      spaces: [
        {
          title: words,
          href: `javascript:${words}`,
          emoji: words,
          visibility: 'private',
          updatedAt: words,
        },
      ],
    }),
    renderSearch({
      shell: shell(words),
      space: space(words),
      tree,
      search: {
        query: words,
        count: 1,
        corrections: [words],
        nextHref: words,
        hits: [{ ...hit, sections: [{ title: runs, href: words, snippet: runs }] }],
      },
    }),
    renderMissing({ shell: shell(words), space: space(words), tree }),
    renderEmptySpace({ shell: shell(words), space: space(words) }),
    renderSignIn({
      shell: shell(words),
      language: 'en',
      passkeyOptions: null,
      formToken: words,
      next: words,
      problem: { form: 'password', words },
      email: words,
      organization: words,
      logins: [{ label: words, href: words }],
      isOnlyOrganization: false,
      sendsMail: true,
    }),
    renderPasswordResetPage(shell(words), 'en', {
      kind: 'form',
      formToken: words,
      email: words,
      problem: { words },
    }),
    renderPasswordPage({
      language: 'en',
      shell: shell(words),
      formToken: words,
      action: words,
      email: words,
      invited: { title: words, inviter: words },
      problem: words,
    }),
    renderAccount({
      language: 'en',
      shell: shell(words),
      formToken: words,
      name: words,
      email: words,
      hasPassword: true,
      isVerified: false,
      sendsMail: true,
      closed: null,
      limit: null,
      outcome: { isDone: false, words, form: 'password' },
    }),
  ]
}

test('no page lets words of the content become markup or a script address', () => {
  for (const markup of everyPage(HOSTILE)) {
    assert.ok(!markup.includes('<script>'), markup)
    assert.ok(!markup.includes('<img src=x'))
    assert.doesNotMatch(markup, /href="\s*javascript:/i)
    assert.doesNotMatch(markup, /src="\s*javascript:/i)
  }
})

test('no page needs an inline script or style, which the policy refuses', () => {
  const site = { publicUrl: 'https://docs.test', isPublicUrlSet: true }
  assert.doesNotMatch(readerPolicy(site, { host: 'docs.test' }), /unsafe/)
  for (const markup of everyPage('words')) {
    assert.doesNotMatch(markup, /\sstyle=/)
    assert.doesNotMatch(markup, /\son\w+=/)
    assert.doesNotMatch(markup, /<style/)
    assert.deepEqual(markup.match(/<script[^>]*>/g), [`<script type="module" src="${assets.paths.script}">`])
  }
})

test('a large tree is cut to the branch of the current page, a small one is whole', () => {
  const branch = (name: string, count: number) =>
    item(name, { children: Array.from({ length: count }, (_, index) => item(`${name}-${index}`)) })
  const render = (count: number) =>
    renderPage({
      shell: shell(),
      space: space(),
      tree: [branch('a', count), branch('b', count)],
      page: pageView({ id: 'a-1' }),
    })
  assert.ok(render(10).includes('Page b-3'))
  const large = render(500)
  assert.ok(large.includes('Page a-400'))
  assert.ok(!large.includes('Page b-3'))
})

test('the current page is marked in the tree and its ancestors are open', () => {
  const tree = [
    item('a', { children: [item('b', { children: [item('c')] })] }),
    item('d', { children: [item('e')] }),
  ]
  const markup = renderPage({ shell: shell(), space: space(), tree, page: pageView({ id: 'c' }) })
  assert.equal(markup.match(/aria-current="page"/g)?.length, 1)
  assert.match(markup, /href="\/s\/s1\/c" aria-current="page"/)
  assert.equal(markup.match(/<details class="branch" open>/g)?.length, 2)
  assert.equal(markup.match(/<details class="branch">/g)?.length, 1)
})

test('a page without a layout part leaves it out', () => {
  const full = pageView({
    description: 'Words',
    next: { title: 'Next one', href: '/n' },
    updatedAt: '2026-03-04T05:06:07Z',
    outline: [
      { id: 'a', text: 'A', level: 2 },
      { id: 'b', text: 'B', level: 2 },
    ],
  })
  const shown = renderPage({ shell: shell(), space: space(), tree: [item('p1')], page: full })
  for (const words of ['class="lead"', 'Next one', '4 March 2026', 'On this page', 'data-tree'])
    assert.ok(shown.includes(words), words)
  const off = {
    ...DEFAULT_LAYOUT,
    description: false,
    pagination: false,
    metadata: false,
    outline: false,
    tableOfContents: false,
  }
  const bare = renderPage({
    shell: shell(),
    space: space(),
    tree: [item('p1')],
    page: { ...full, layout: off },
  })
  for (const words of ['class="lead"', 'Next one', '4 March 2026', 'On this page', 'data-tree'])
    assert.ok(!bare.includes(words), words)
})

test('an asset is found at the path that pages name, and another hash is another file', () => {
  for (const path of Object.values(assets.paths)) {
    assert.match(path, /^\/assets\/[a-z]+\.[0-9a-f]{12}\.[a-z]+$/)
    assert.equal(assets.find(path)?.path, path)
  }
  assert.equal(assets.find(assets.paths.script.replace(/\.[0-9a-f]{12}\./, '.000000000000.')), undefined)
  assert.equal(assets.find('/assets/../assets.ts'), undefined)
})

test('the stylesheet loads fonts from the server, which has each of them', () => {
  const styles = String(assets.find(assets.paths.stylesheet)?.body)
  const fonts = [...styles.matchAll(/url\((\/assets\/[^)]*)\)/g)].map(([, path = '']) => assets.find(path))
  assert.equal(fonts.length, 7)
  for (const font of fonts) {
    assert.equal(font?.contentType, 'font/woff2')
    assert.equal(font.body.subarray(0, 4).toString(), 'wOF2')
  }
  assert.doesNotMatch(assets.printStyles, /@font-face/)
})

test('no asset loads anything from elsewhere', () => {
  for (const path of Object.values(assets.paths)) {
    const text = assets.find(path)?.body.toString() ?? ''
    assert.doesNotMatch(
      text
        .replaceAll('http://www.w3.org/2000/svg', '')
        // What the library of passkeys writes to the console.
        .replaceAll(/https:\/\/simplewebauthn\.dev\/docs\/[\w/#-]*/g, ''),
      /https?:\/\/|@import|url\((?!"data:image\/svg\+xml,|\/assets\/inter-)/,
    )
  }
})
