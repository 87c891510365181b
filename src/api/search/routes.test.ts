import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { encodeCursor } from '../../base/cursor.ts'
import { takeOwnRows } from '../content/own-rows.ts'

const w = await world()

const id = await spaceWith(w, {
  'SUMMARY.md': [
    '* [Webhooks](webhooks.md)',
    '* [Deploying](deploying.md)',
    '* [Secrets](secrets.md)',
    '* [设置](settings.md)',
    '* [Ünïcode](unicode.md)',
  ].join('\n'),
  'webhooks.md':
    '# Webhooks\n\nWe call your server.\n\n## Retry policy\n\nA failed delivery is retried three times.\n',
  'deploying.md':
    '# Deploying\n\nShip it.\n\n## With containers\n\nA webhook can start a deployment of the container.\n',
  'secrets.md': '---\nnoIndex: true\n---\n\n# Secrets\n\nThe webhook secret is xyzzy.\n',
  'settings.md': '# 设置\n\n## 网络\n\n在这里配置代理服务器地址。\n',
  'unicode.md': '# Ünïcode\n\nNaïve café text with a zebra.\n',
})

type Hit = {
  id: string
  title: string
  path: string
  sections: { title: string; path: string; body: string; urls: { app: string } }[]
}
const search = async (query: string, more = '') =>
  (await w.call('GET', `/spaces/${id}/search?query=${encodeURIComponent(query)}${more}`)).body as {
    items: Hit[]
    count: number
    next?: { page: string }
  }
const titles = async (query: string) => (await search(query)).items.map(hit => hit.title)

test('a hit says what is above it, what it is about, and how good it is', async () => {
  const space = await spaceWith(w, {
    'SUMMARY.md':
      '# Contents\n\n## Animals\n\n* [Marsupials](m/README.md)\n  * [Numbat](m/numbat.md)\n* [Ants](ants.md)\n',
    'm/README.md': '# Marsupials\n\nThey have pouches.\n',
    'm/numbat.md': '---\ndescription: A small one\n---\n\n# Numbat\n\n## Food\n\nThe numbat eats termites.\n',
    'ants.md': '# Ants\n\nThey are not eaten by the numbat.\n',
  })
  for (const limit of [10, 1]) {
    const { body } = await w.call('GET', `/spaces/${space}/search?query=numbat&limit=${limit}`)
    const [first] = body.items
    assert.deepEqual(first.ancestors, [{ title: 'Animals' }, { title: 'Marsupials' }])
    assert.deepEqual([first.description, first.rank], ['A small one', 1])
    assert.ok(first.score > 0 && first.sections.every(({ score }: { score: number }) => score >= 0))
    const others = body.items.slice(1)
    if (limit === 1)
      others.push(
        ...(await w.call('GET', `/spaces/${space}/search?query=numbat&limit=1&page=${body.next.page}`)).body
          .items,
      )
    assert.deepEqual(
      others.map(({ title, description, rank }: Hit & { description: string; rank: number }) => [
        title,
        description,
        rank,
      ]),
      [['Ants', '', 2]],
    )
    assert.ok(others[0].score < first.score)
  }
})

test('a page whose title has the word comes before one whose text has it', async () => {
  assert.deepEqual(await titles('webhook'), ['Webhooks', 'Deploying'])
})

test('a hit names the section with its anchor, a piece of its text and its address', async () => {
  const [hit] = (await search('retried')).items
  assert.equal(hit?.title, 'Webhooks')
  assert.deepEqual(
    hit.sections.map(section => [section.title, section.path, section.body, section.urls.app]),
    [
      [
        'Retry policy',
        'webhooks#retry-policy',
        'A failed delivery is retried three times.',
        `http://octavo.test/s/${id}/webhooks#retry-policy`,
      ],
    ],
  )
})

test('every word has to be there, in the title or in one section', async () => {
  assert.deepEqual(await titles('deploying container'), ['Deploying'])
  assert.deepEqual(await titles('webhook retried'), ['Webhooks'])
})

test('the beginning of a word and another form of it find it', async () => {
  assert.deepEqual(await titles('retri'), ['Webhooks'])
  assert.deepEqual(await titles('containers'), ['Deploying'])
  assert.deepEqual(await titles('deployments'), ['Deploying'])
})

test('a typo is forgiven', async () => {
  assert.ok((await titles('webhok')).includes('Webhooks'))
  assert.ok((await titles('delivrey')).includes('Webhooks'))
})

test('text without spaces is found by any two characters of it', async () => {
  assert.deepEqual(await titles('代理'), ['设置'])
  assert.deepEqual(await titles('代理服务器'), ['设置'])
  assert.deepEqual(await titles('设'), ['设置'])
})

test('case and diacritics do not matter', async () => {
  assert.deepEqual(await titles('UNICODE'), ['Ünïcode'])
  assert.deepEqual(await titles('naive CAFE'), ['Ünïcode'])
})

test('a page with noIndex is never found', async () => {
  assert.deepEqual(await titles('xyzzy'), [])
})

test('pages of results are all results', async () => {
  const first = await search('webhook', '&limit=1')
  assert.equal(first.count, 2)
  const second = await search('webhook', `&limit=1&page=${first.next?.page}`)
  assert.deepEqual(
    [...first.items, ...second.items].map(hit => hit.title),
    ['Webhooks', 'Deploying'],
  )
  assert.equal(second.next, undefined)
})

test('results go on where they were, also when the space got live rows of its own meanwhile', async () => {
  const page = (word: string) => `# ${word}\n\nA kangaroo.\n`
  const origin = await spaceWith(w, { 'a.md': page('A'), 'b.md': page('B'), 'c.md': page('C') })
  // the last one is found by similar words only
  for (const query of ['kangaroo', 'kangaroo unheard', 'kangarooo']) {
    const ask = (more: string) =>
      w.call('GET', `/spaces/${origin}/search?query=${encodeURIComponent(query)}&limit=1${more}`)
    const seen: string[] = []
    let { body } = await ask('')
    for (;;) {
      assert.equal(body.count, 3, query)
      seen.push(body.items[0].title)
      if (body.next === undefined) break
      await w.call('POST', `/spaces/${origin}/duplicate`)
      await takeOwnRows(w.services, origin)
      body = (await ask(`&page=${body.next.page}`)).body
    }
    assert.deepEqual(seen.sort(), ['A', 'B', 'C'], query)
  }
  const { body } = await w.call('GET', `/spaces/${origin}/search?query=kangaroo&limit=0`)
  assert.deepEqual([body.items, body.count, body.next], [[], 3, undefined])
})

test('a forged page token is refused', async () => {
  const question = { list: 'search', space: id, query: 'webhook' }
  const ask = async (keys: (string | number)[]) =>
    (await w.call('GET', `/spaces/${id}/search?query=webhook&page=${encodeCursor(question, keys)}`)).status
  assert.equal(await ask([1_000, id, 'x', 20]), 200)
  for (const keys of [
    [],
    ['all'],
    [1, id, 'x'],
    ['1', id, 'x', 20],
    [1, 2, 'x', 20],
    [1, id, 3, 20],
    [1, id, 'x', '20'],
    [1, id, 'x', -1],
    [1, id, 'x', 0.5],
    [1, id, 'x', 1e300],
    [1, id, 'a\u0000', 20, 'near'],
  ])
    assert.equal(await ask(keys), 400, JSON.stringify(keys))
})

test('a space is searched alike whichever index is entered', async () => {
  // Common beyond a small space, so that its own pages are looked through instead of everybody's.
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`p${at}.md`, `# P${at}\n\nOkapi ${at}.\n`]),
  )
  await spaceWith(w, many)
  const small = await spaceWith(w, {
    'one.md': '# One\n\n## Part\n\nAn okapi.\n',
    'two.md': '# Okapi\n\nNothing else.\n',
  })
  const { body } = await w.call('GET', `/spaces/${small}/search?query=okapi`)
  assert.deepEqual(
    body.items.map((hit: Hit) => [hit.title, hit.sections.length]),
    [
      ['Okapi', 1],
      ['One', 1],
    ],
  )
  assert.equal(body.count, 2)
})

test('questions that ask for nothing, or for too much, are refused by name', async () => {
  for (const query of ['', '%20', 'x'.repeat(513)]) {
    const { status, body } = await w.call('GET', `/spaces/${id}/search?query=${query}`)
    assert.equal(status, 400)
    assert.match(body.error.message, /query/)
  }
  assert.equal((await w.call('GET', `/spaces/${id}/search`)).status, 400)
})

test('no query is an error of the server', async () => {
  for (const query of [
    "'",
    '"',
    '\\',
    ':*',
    '& | !',
    '<->',
    '%',
    '_',
    '\u0000',
    '🚀',
    "a' | 'b",
    '()',
    'a:A',
    '-x'.repeat(100),
  ]) {
    const { status } = await w.call('GET', `/spaces/${id}/search?query=${encodeURIComponent(query)}`)
    assert.ok(status === 200 || status === 400, `${query}: ${status}`)
  }
})

test('a change is found by the very next question, and what left is not', async () => {
  const changing = await spaceWith(w, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A\n\nquokka\n' })
  const count = async (query: string) =>
    (await w.call('GET', `/spaces/${changing}/search?query=${query}`)).body.count
  assert.equal(await count('quokka'), 1)
  await publishFiles(w, changing, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A\n\nwombat\n' })
  assert.deepEqual([await count('wombat'), await count('quokka')], [1, 0])
})

test('a duplicate is searched from the start, and afterwards each of the two has its own', async () => {
  const origin = await spaceWith(w, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A\n\nnumbat\n' })
  const { body: copy } = await w.call('POST', `/spaces/${origin}/duplicate`)
  const count = async (space: string, query: string) =>
    (await w.call('GET', `/spaces/${space}/search?query=${query}`)).body.count
  assert.equal(await count(copy.id, 'numbat'), 1)
  await publishFiles(w, origin, { 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '# A\n\nbilby\n' })
  assert.deepEqual([await count(copy.id, 'numbat'), await count(copy.id, 'bilby')], [1, 0])
  assert.deepEqual([await count(origin, 'numbat'), await count(origin, 'bilby')], [0, 1])
})
