import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ICONS } from '../../engines/conversations/icons.ts'
import { chosenIconsIn, chosenIconsOf, iconSheetHrefs, renderIconRules } from './chosen-icons.ts'
import type { TreeItem } from './view.ts'

const drawingOf = async (name: string): Promise<string | undefined> =>
  /d='([^']+)'/.exec(await renderIconRules([name]))?.[1]

test('an icon of GitBook’s pages is drawn: of today, of older versions, and of brands', async () => {
  for (const name of ['rocket', 'arrow-up-1-9', '0', 'github', 'x-twitter', 'git-alt'])
    assert.ok((await drawingOf(name)) !== undefined, name)
  for (const [older, name] of [
    ['cog', 'gear'],
    ['search', 'magnifying-glass'],
    ['tshirt', 'shirt'],
    ['paint-brush', 'paintbrush'],
  ] as const)
    assert.equal(await drawingOf(older), await drawingOf(name), older)
})

test('a name of the paid set takes the free drawing that comes closest', async () => {
  for (const [name, closest] of [
    ['rocket-launch', 'rocket'],
    ['square-terminal', 'terminal'],
    ['message-lines', 'message'],
    ['books', 'book'],
    ['sparkles', 'wand-magic-sparkles'],
    ['brackets-curly', 'code'],
    ['grid-2-plus', 'table-cells-large'],
    ['shield-check', 'shield-halved'],
    ['octagon-exclamation', 'circle-exclamation'],
  ] as const)
    assert.equal(await drawingOf(name), await drawingOf(closest), name)
})

test('what nothing is drawn for has no rule, and so shows the page of every icon; an addition alone is no icon', async () => {
  for (const name of ['nonsense', 'nonsense-plus', 'constructor', '__proto__', 'index', '-', 'a}b{', ''])
    assert.equal(await renderIconRules([name]), '', name)
})

test('the rules of every drawing are plain characters that end neither the rule nor its string', async () => {
  const names = ['rocket', 'github', 'cog', 'rocket-launch']
  for (const rule of (await renderIconRules(names)).split('\n').slice(1))
    assert.match(
      rule,
      /^\.fa-[a-z0-9-]+\{--icon:url\("data:image\/svg\+xml,%3Csvg [\w:/.'= %]+d='[\w ,.-]+'\/%3E%3C\/svg%3E"\)\}$/,
    )
})

test('equal icons have one address, many have several, and none is asked for without end', () => {
  assert.deepEqual(iconSheetHrefs(['b', 'a', 'b']), iconSheetHrefs(['a', 'b']))
  assert.match(iconSheetHrefs(['b', 'a'])[0] ?? '', /^\/assets\/icons\.css\?v=[0-9a-f]{12}&icons=a,b$/)
  assert.deepEqual(iconSheetHrefs([]), [])
  const many = Array.from({ length: 5_000 }, (_, at) => `name-of-an-icon-that-is-rather-long-${at}`)
  const hrefs = iconSheetHrefs(many)
  assert.equal(hrefs.length, 4)
  for (const href of hrefs) assert.ok(href.length < 12_000)
})

test('the icons of a page are found in its markup, those of a navigation in all of its branches', () => {
  const markup =
    '<span class="icon icon-bars"></span><span class="mark icon fa-book" aria-hidden="true"></span><span class="icon fa-bolt ink-red">'
  assert.deepEqual([...chosenIconsIn(markup)], ['book', 'bolt'])
  const item = (icon: string | null, children: TreeItem[] = [], emoji: string | null = null): TreeItem => ({
    id: '',
    kind: 'document',
    title: '',
    href: '/',
    emoji,
    icon,
    children,
  })
  const tree = [item('fa-solid fa-book', [item(null, [item('leaf')])]), item('star', [], '1f680')]
  assert.deepEqual([...chosenIconsOf(tree)].sort(), ['book', 'leaf'])
})

test('every icon of a cluster of issues is drawn', async () => {
  for (const icon of ICONS) assert.ok((await drawingOf(icon)) !== undefined, icon)
})
