// Search in an organization: every space that the caller may see, and no other, through every door.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, type World, world, worldOn } from '../../../test/support/world.ts'

type Found = {
  title: string
  path: string
  score: number
  rank: number
  sections?: { body: string; score: number }[]
}
type Space = {
  id: string
  title: string
  pages: Found[]
}
type Answer = { items: Space[]; count: number; next?: { page: string }; suggestions?: string[] }

const searchIn = (w: World) => {
  const address = `/orgs/${w.organizationId}/search`
  return {
    get: async (query: string, as: PersonName = 'admin', more = ''): Promise<Answer> =>
      (await w.call('GET', `${address}?query=${encodeURIComponent(query)}${more}`, { as })).body,
    post: async (query: string, as: PersonName = 'admin', headers = {}): Promise<Answer> =>
      (await w.call('POST', address, { as, body: { query }, headers })).body,
  }
}

const page = (title: string, text: string) => `# ${title}\n\n${text}\n`
/** What a page says wherever it is found: how good it is depends on what else was searched. */
const shown = ({ score: _, rank: __, sections = [], ...page }: Found) => ({
  ...page,
  sections: sections.map(({ score: _, ...section }) => section),
})
const byPath = (a: Found, b: Found) => (a.path < b.path ? -1 : 1)
const found = ({ items }: Answer) =>
  items.flatMap(({ title, pages }) => pages.map(one => `${title}: ${one.title}`))

const SERVERS = {
  'with indexes in memory': {},
  'with candidates of the database': { OCTAVO_SEARCH_MEMORY: '0', OCTAVO_SEARCH_AWAITED_PAGES: '0' },
}

for (const [name, settings] of Object.entries(SERVERS)) {
  test(`an organization is searched as one, ${name}`, async () => {
    const w = await worldOn(await serverBeside(settings))
    const { get, post } = searchIn(w)
    const cooking = await spaceWith(
      w,
      {
        'bread.md': page('Bread', 'Sourdough needs a starter.'),
        'soup.md': page('Soup', 'Serve it with sourdough bread.'),
      },
      { title: 'Cooking' },
    )
    await spaceWith(w, { 'start.md': page('Sourdough', 'How to begin.') }, { title: 'Hobbies' })
    await spaceWith(w, { 'a.md': page('Engines', 'Nothing to eat.') }, { title: 'Cars' })

    const all = await get('sourdough')
    assert.equal(all.count, 3)
    assert.deepEqual(found(all).sort(), ['Cooking: Bread', 'Cooking: Soup', 'Hobbies: Sourdough'])
    assert.equal(found(all)[0], 'Hobbies: Sourdough', 'a title comes before texts, whatever space it is of')
    assert.deepEqual(await post('sourdough'), all)

    const inSpace: Found[] = (await w.call('GET', `/spaces/${cooking}/search?query=sourdough`)).body.items
    const grouped = all.items.find(({ id }) => id === cooking)?.pages
    assert.deepEqual(
      grouped?.toSorted(byPath).map(shown),
      inSpace.toSorted(byPath).map(shown),
      'a page is shown as in its space',
    )

    const seen: string[] = []
    for (let more = ''; ; ) {
      const answer = await get('sourdough', 'admin', `&limit=1${more}`)
      assert.equal(answer.count, 3)
      assert.equal(found(answer).length, 1, 'a page of results is full')
      assert.equal(answer.items[0]?.pages[0]?.rank, seen.length + 1, 'a rank is of the whole list')
      seen.push(...found(answer))
      if (answer.next === undefined) break
      more = `&page=${answer.next.page}`
    }
    assert.deepEqual(seen, found(all))

    const nested = await spaceWith(w, {
      'SUMMARY.md': '* [Cheese](c/README.md)\n  * [Brie](c/brie.md)\n',
      'c/README.md': '# Cheese\n',
      'c/brie.md': page('Brie', 'Goes with a baguette.'),
    })
    const { items } = (await w.call('GET', `/spaces/${nested}/search?query=baguette`)).body
    assert.deepEqual(items[0].ancestors, [{ title: 'Cheese' }])

    // What is written is found by the very next question, and what left is not.
    await publishFiles(w, cooking, { 'bread.md': page('Bread', 'Rye needs a starter.') })
    assert.deepEqual(found(await get('rye')), ['Cooking: Bread'])
    assert.deepEqual(found(await get('sourdough')), ['Hobbies: Sourdough'])
  })

  test(`a sentence that may not be read is told by no door, ${name}`, async () => {
    const w = await worldOn(await serverBeside(settings))
    const { get, post } = searchIn(w)
    const secret = await spaceWith(
      w,
      { 'plan.md': page('Zanzibarplan', 'The quokkafish swims at dawn.') },
      { title: 'Hidden' },
    )
    await spaceWith(w, { 'open.md': page('Open', 'Nothing of it.') }, { title: 'Shown' })
    const cookies: Partial<Record<PersonName, string>> = {}
    for (const as of ['admin', 'read', 'guest', 'comment'] as const) cookies[as] = await cookieOf(w, as)
    const isTold = async (as: PersonName): Promise<boolean> => {
      const answers: unknown[] = []
      for (const query of ['quokkafish', 'quokafish', 'quokk', 'zanzibarplan', '"swims at dawn"']) {
        answers.push(await get(query, as), await post(query, as, { 'idempotency-key': query }))
        const { status, body } = await w.call('GET', `/spaces/${secret}/search?query=quokkafish`, { as })
        answers.push(status === 404 ? [] : body)
      }
      for (const query of ['quokkafish', 'quokafish']) {
        const url = `/s/${secret}/~/search?q=${query}&fragment=1`
        const { payload } = await w.app.inject({ url, headers: { cookie: cookies[as] ?? '' } })
        answers.push({ count: payload.split('class="hit"').length - 1 })
      }
      const counts = (answers as Partial<Answer>[]).map(({ count = 0 }) => count)
      return counts.some(count => count > 0) || /quokka|zanzibar|dawn|Hidden/i.test(JSON.stringify(answers))
    }
    const give = (role: string | null) =>
      w.call('PATCH', `/spaces/${secret}/permissions/users/${w.people.read.id}`, { body: { role } })

    assert.equal(await isTold('read'), true)
    assert.equal(await isTold('guest'), false)
    await give(null)
    assert.equal(await isTold('read'), false, 'what was given was taken')
    await give('read')
    assert.equal(await isTold('read'), true)
    await w.call('PATCH', `/spaces/${secret}/permissions/users/${w.people.guest.id}`, {
      body: { role: 'read' },
    })
    assert.equal(await isTold('guest'), true)
    await w.call('DELETE', `/orgs/${w.organizationId}/members/${w.people.guest.id}`)
    assert.equal(
      (await w.call('GET', `/orgs/${w.organizationId}/search?query=x`, { as: 'guest' })).status,
      404,
    )
    const closed = await w.call('PATCH', `/spaces/${secret}`, { body: { defaultLevel: null } })
    assert.equal(closed.status, 200, closed.text)
    assert.equal(await isTold('comment'), false)
    await w.call('DELETE', `/spaces/${secret}`)
    assert.equal(await isTold('admin'), false, 'a space that was deleted')
    await w.call('POST', `/spaces/${secret}/restore`)
    assert.equal(await isTold('admin'), true)
  })
}

test('an organization is hidden from strangers, and a token needs the scope', async () => {
  const w = await world()
  const address = `/orgs/${w.organizationId}/search`
  for (const as of ['stranger', null] as const) {
    const expected = as === null ? 401 : 404
    assert.equal((await w.call('GET', `${address}?query=a`, { as })).status, expected)
    assert.equal((await w.call('POST', address, { as, body: { query: 'a' } })).status, expected)
  }
  const { body } = await w.call('POST', '/user/tokens', { body: { label: 't', scopes: ['space:read'] } })
  assert.equal((await w.call('GET', `${address}?query=a`, { as: { token: body.token } })).status, 403)
})

test('no query of an organization is an error of the server', async () => {
  const w = await world()
  await spaceWith(w, { 'a.md': page('A', "O'Reilly & sons: 100% <b>") })
  const queries = [
    "'",
    '"',
    '\\',
    ':*',
    "a' | 'b",
    'a & !b',
    "'; drop table spaces; --",
    '(',
    '%',
    '\u0000',
    '🚀',
  ]
  queries.push(
    'x'.repeat(512),
    'x '.repeat(256),
    '"'.repeat(512),
    '-'.repeat(512),
    '代'.repeat(512),
    'a:A',
    '\ud800',
  )
  for (const query of queries) {
    for (const reply of [
      await w.call(
        'GET',
        `/orgs/${w.organizationId}/search?query=${encodeURIComponent(query.toWellFormed())}`,
      ),
      await w.call('POST', `/orgs/${w.organizationId}/search`, { body: { query } }),
    ])
      assert.ok(reply.status === 200 || reply.status === 400, `${query}: ${reply.status} ${reply.text}`)
  }
  for (const query of ['', ' ', 'x'.repeat(513), 'x'.repeat(10_000)]) {
    const { status, body } = await w.call('POST', `/orgs/${w.organizationId}/search`, { body: { query } })
    assert.equal(status, 400)
    assert.match(body.error.message, /query/)
  }
})

test('a space of its own search scope is left out of searches and answers of its organization, and listed by it', async () => {
  const w = await world()
  const { get, post } = searchIn(w)
  await spaceWith(w, { 'a.md': page('Lamp', 'A zircon lamp.') }, { title: 'Ours' })
  const id = await spaceWith(w, { 'b.md': page('Manual', 'A zircon manual.') }, { title: 'Guide' })
  assert.equal((await get('zircon')).count, 2)
  const changed = await w.call('PATCH', `/spaces/${id}`, { body: { searchScope: 'space' } })
  assert.deepEqual([changed.status, changed.body.searchScope], [200, 'space'])
  assert.deepEqual(found(await get('zircon')), ['Ours: Lamp'])
  assert.deepEqual(found(await post('zircon')), ['Ours: Lamp'])
  assert.equal((await w.call('GET', `/spaces/${id}/search?query=zircon`)).body.count, 1)
  const answer = await w.call('POST', `/orgs/${w.organizationId}/ask`, {
    body: { query: 'What is zircon?' },
  })
  assert.equal(answer.status, 200)
  assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(id))
  const list = async (more: string) => {
    const { body } = await w.call('GET', `/orgs/${w.organizationId}/spaces?${more}`)
    return { count: body.count, titles: body.items.map(({ title }: Space) => title) }
  }
  assert.equal((await list('')).count, 2)
  assert.deepEqual(await list('searchScope=organization'), { count: 1, titles: ['Ours'] })
  assert.deepEqual(await list('searchScope=space'), { count: 1, titles: ['Guide'] })
  assert.equal((await w.call('GET', `/orgs/${w.organizationId}/spaces?searchScope=x`)).status, 400)
  assert.equal((await w.call('POST', `/spaces/${id}/duplicate`)).body.searchScope, 'space')
  await w.call('PATCH', `/spaces/${id}`, { body: { searchScope: 'organization' } })
  assert.equal((await get('zircon')).count, 2)
})

test('a query that finds nothing is answered with near words, of spaces that the caller may see', async () => {
  const w = await world()
  await spaceWith(w, { 'README.md': page('Start', 'Authentication comes first.') }, { title: 'Open' })
  const closed = await spaceWith(
    w,
    { 'README.md': page('Plans', 'The persimmon project.') },
    { title: 'Closed' },
  )
  await w.call('PATCH', `/spaces/${closed}`, { body: { defaultLevel: null } })
  const { get, post } = searchIn(w)
  const near = async (query: string, as: PersonName) => (await get(query, as)).suggestions
  assert.deepEqual(await near('authentikashun', 'read'), ['authentication'])
  assert.deepEqual((await post('authentikashun', 'read')).suggestions, ['authentication'])
  assert.deepEqual(await near('persymun', 'admin'), ['persimmon'])
  assert.equal(await near('persymun', 'read'), undefined)
  assert.equal(await near('authentication', 'read'), undefined)
  const { body } = await w.call('GET', `/spaces/${closed}/search?query=persymun`)
  assert.deepEqual(body.suggestions, ['persimmon'])
})
