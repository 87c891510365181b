import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

import { EMPTY_ROOT } from '../../engines/content/trie-nodes.ts'
import { navigationOf } from '../navigation.ts'
import { drawTree, renderTree } from './tree.ts'
import type { TreeItem } from './view.ts'

const w = await world()

test('the navigation calls a page what SUMMARY.md quotes behind its path, the page itself keeps its title', async () => {
  const space = await spaceWith(w, {
    'SUMMARY.md':
      '* [Start](README.md)\n* [Setting up the whole server](setup.md "Setup")\n* [All](https://a.test/ "Web")\n',
    'README.md': '# Start\n',
    'setup.md': '# Any\n',
  })
  const { payload } = await w.app.inject({
    url: `/s/${space}/setup`,
    headers: { cookie: await cookieOf(w, 'read') },
  })
  const tree = /<nav class="sidebar".*?<\/nav>/s.exec(payload)?.[0] ?? ''
  const titles = [...tree.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, title]) => title)
  assert.deepEqual(titles, ['Start', 'Setup', 'Web'])
  assert.match(payload, /<h1[^>]*>Setting up the whole server<\/h1>/)
})

const leaf = (id: string, children: TreeItem[] = []): TreeItem => ({
  ...{ id, kind: 'document', title: id, href: `/${id}`, emoji: null, icon: null },
  children,
})

for (const [name, branches] of [
  ['whole', 3],
  ['cut', 300],
] as const) {
  test(`a tree that is ${name} and was drawn before is shown like a new one`, async () => {
    const make = () =>
      Array.from({ length: branches }, (_, at) => leaf(`b${at}`, [leaf(`p${at}`, [leaf(`q${at}`)])]))
    const tree = make()
    await drawTree(tree)
    for (const current of ['b0', 'p1', 'q2', `q${branches - 1}`, 'p1', 'b0', null, 'hidden'])
      assert.equal(renderTree(tree, current).markup, renderTree(make(), current).markup)
    assert.match(renderTree(tree, 'q2').markup, /aria-current="page"><bdi>q2<\/bdi>/)
  })
}

test('a navigation is made once for a content and the address of its pages', async () => {
  const content = await w.services.contents.get(EMPTY_ROOT)
  const [one, same] = await Promise.all([navigationOf('/s/a', content), navigationOf('/s/a', content)])
  assert.equal(one, same)
  assert.notEqual(await navigationOf('/s/a/~/changes/1', content), one)
})

test('a link of the navigation whose target is gone is words that say so', () => {
  const gone: TreeItem = { ...leaf('gone'), kind: 'link', href: null }
  const { markup } = renderTree([leaf('a'), gone], 'a')
  assert.match(markup, /<span class="tree-link broken" title="The target of this link is missing"><bdi>gone</)
})
