// Search with embeddings: what means the same is found beside what has the words, in one list, and search never hangs on it.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { modelServer, operationsOver, serverOver } from '../../../test/support/model-server.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, type World, world, worldOn } from '../../../test/support/world.ts'
import type { Clock } from '../../base/clock.ts'
import { encodeCursor } from '../../base/cursor.ts'
import { newId } from '../../base/ids.ts'
import { type Environment, readConfig } from '../../platform/config.ts'
import { createEmbedder } from '../../platform/model/embedder.ts'
import { createEmbeddings } from '../embeddings/embeddings.ts'
import { embeddingJobs } from '../embeddings/jobs.ts'
import { KNOWN_PAIRS } from '../embeddings/known-pairs.ts'

const model = await modelServer()

/** One direction for each thing that is spoken of, and one for each of the pairs that a model is measured by. */
const TOPICS = [/\b(?:cars?|automobiles?|vehicles?)\b/i, /\b(?:invoices?|bills?)\b/i, /./]
function toVector(text: string): number[] {
  const pair = KNOWN_PAIRS.findIndex(({ question, answer }) => question === text || answer === text)
  const topic = pair >= 0 ? TOPICS.length + pair : TOPICS.findIndex(one => one.test(text))
  return Array.from({ length: TOPICS.length + KNOWN_PAIRS.length }, (_, at) => (at === topic ? 1 : 0))
}
const understand = () => model.embed(texts => ({ vectors: texts.map(toVector) }))
beforeEach(understand)

type Hit = { title: string; path: string; sections: { path: string; body: string }[] }
type Answer = { items: Hit[]; count: number; next?: { page: string } }
type SpaceHits = {
  items: { id: string; score: number; pages: Hit[] }[]
  count: number
  next?: { page: string }
}

/** A world whose server has a model of embeddings; jobs run when they are asked to. */
async function embedding(settings: Environment = {}, existing?: World, clock?: Clock) {
  const w = existing ?? (await world())
  const { model: config } = readConfig({
    ...{ OCTAVO_AI_BASE_URL: model.baseUrl, OCTAVO_AI_MODEL: 'writer', OCTAVO_AI_EMBEDDING_MODEL: newId() },
    OCTAVO_AI_SEARCH_MILLISECONDS_MAX: '60000',
    ...settings,
  })
  assert.ok(config !== undefined)
  const embedder = createEmbedder(config, config.embeddingModel as string, w.services.db)
  const services = {
    ...w.services,
    embeddings: createEmbeddings(w.services, embedder, {
      ...config,
      ...(clock === undefined ? {} : { clock }),
    }),
  }
  const app = operationsOver(services, /search|queryOrganization|ask/i)
  const [job] = embeddingJobs(services)
  const call = async (url: string, as: PersonName = 'admin', body?: object) => {
    const { statusCode, payload } = await app.inject({
      ...{ method: body === undefined ? 'GET' : 'POST', url: `/v1${url}` },
      headers: { authorization: `Bearer ${w.people[as].token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: statusCode, body: JSON.parse(payload) }
  }
  const organization = `/orgs/${w.organizationId}/search`
  return {
    ...{ w, services, organization },
    call,
    embed: async (space: string) =>
      job?.run({ space }, { id: newId(), attempt: 1, signal: new AbortController().signal }),
    search: async (space: string, query: string, more = ''): Promise<Answer> =>
      (await call(`/spaces/${space}/search?query=${encodeURIComponent(query)}${more}`)).body,
    searchAll: async (query: string, as: PersonName = 'admin', more = ''): Promise<SpaceHits> =>
      (await call(`${organization}?query=${encodeURIComponent(query)}${more}`, as)).body,
  }
}

const titles = ({ items }: Answer) => items.map(({ title }) => title)

const CARS = {
  'SUMMARY.md': '* [Fleet](fleet.md)\n* [Desks](desks.md)\n* [Boss](boss.md)\n',
  'fleet.md': '# Fleet\n\n## Monday\n\nEach automobile is washed on Mondays.\n',
  'desks.md': '# Desks\n\nDesks are of oak, and polished once in spring.\n',
  'boss.md': '---\nnoIndex: true\n---\n\n# Boss\n\nThe vehicle of the boss is a tank.\n',
}
/** None of its words is in those pages. */
const IN_OTHER_WORDS = 'cleaning schedule for company cars'

const asked = () => model.asked.length

test('a page that uses other words is found by meaning, by every kind of search', async () => {
  const { w, services, call, embed, search, searchAll, organization } = await embedding()
  const space = await spaceWith(w, CARS)
  const without = await w.call('GET', `/spaces/${space}/search?query=${encodeURIComponent(IN_OTHER_WORDS)}`)
  assert.equal(without.body.count, 0, 'nothing has the words')
  await embed(space)
  const found = await search(space, IN_OTHER_WORDS)
  assert.deepEqual(titles(found), ['Fleet'])
  assert.equal(found.count, 1)
  assert.deepEqual(
    found.items[0]?.sections.map(({ path, body }) => [path, body]),
    [['fleet#monday', 'Each automobile is washed on Mondays.']],
    'a section without the words is shown from its beginning',
  )
  const all = await searchAll(IN_OTHER_WORDS)
  assert.deepEqual([all.count, all.items[0]?.pages[0]?.title], [1, 'Fleet'])
  assert.ok((all.items[0]?.score ?? 0) > 0)
  assert.deepEqual((await call(organization, 'admin', { query: IN_OTHER_WORDS })).body, all)
  const page = await serverOver(services).inject({
    url: `/s/${space}/~/search?q=${encodeURIComponent(IN_OTHER_WORDS)}`,
    headers: { cookie: await cookieOf(w, 'admin') },
  })
  assert.match(page.payload, /class="hit"[\s\S]*Fleet/)
})

test('what has the words comes first, and what is near is ranked among it', async () => {
  const { w, embed, search } = await embedding()
  const space = await spaceWith(w, {
    'a.md': '# Company cars\n\nNothing else.\n',
    'b.md': '# Garage\n\nEach automobile has a bay.\n',
    'c.md': '# Washing\n\nWho washes the company cars\n',
  })
  await embed(space)
  const found = await search(space, 'Washing our company cars')
  assert.equal(titles(found)[0], 'Washing')
  assert.ok(titles(found).indexOf('Garage') > 0, JSON.stringify(titles(found)))
  assert.equal(found.count, 3)
  assert.equal(titles(await search(space, 'Company cars'))[0], 'Company cars')
})

test('a page whose title is the query stays first', async () => {
  const { w, embed, search } = await embedding()
  const space = await spaceWith(w, {
    'a.md': '# Buying winter tyres\n\nNothing else.\n',
    'b.md': '# Garage\n\nBuying tyres for winter: buying winter tyres for vehicles, winter tyres.\n',
  })
  model.embed(texts => ({ vectors: texts.map(text => toVector(/tyres$/.test(text) ? 'car' : text)) }))
  await embed(space)
  assert.deepEqual(titles(await search(space, 'buying winter tyres')), ['Buying winter tyres', 'Garage'])
})

test('what is far from everything finds nothing', async () => {
  const { w, embed, search } = await embedding()
  const space = await spaceWith(w, { 'a.md': '# Fleet\n\nEach automobile is washed.\n' })
  await embed(space)
  const found = await search(space, 'unpaid invoices somewhere abroad')
  assert.deepEqual([found.items, found.count], [[], 0])
})

test('a model that cannot separate texts adds no hits', async () => {
  const { w, embed, search } = await embedding()
  const space = await spaceWith(w, CARS)
  await embed(space)
  model.embed(texts => ({ vectors: texts.map(() => toVector('car')) }))
  assert.deepEqual(titles(await search(space, IN_OTHER_WORDS)), [])
})

const SERVERS = {
  'with indexes in memory': {},
  'with candidates of the database': { OCTAVO_SEARCH_MEMORY: '0', OCTAVO_SEARCH_AWAITED_PAGES: '0' },
}

for (const [name, settings] of Object.entries(SERVERS))
  test(`every page of a list is found once, whatever its length, ${name}`, async () => {
    const { w, embed, search, searchAll } = await embedding({}, await worldOn(await serverBeside(settings)))
    const pages = Object.fromEntries([
      ...Array.from({ length: 30 }, (_, at) => [
        `w${at}.md`,
        `# W${at}\n\n${'Company schedule. '.repeat(at + 1)}${'More text. '.repeat(at)}\n`,
      ]),
      ...Array.from({ length: 4 }, (_, at) => [`n${at}.md`, `# N${at}\n\nAn automobile, number ${at}.\n`]),
      // Far behind by its words, and near by what it means.
      ['both.md', `# Both\n\nThe automobile of a company schedule. ${'Other things. '.repeat(400)}\n`],
    ])
    const space = await spaceWith(w, pages, { defaultLevel: 'read' })
    const byWords = await w.call('GET', `/spaces/${space}/search?query=${encodeURIComponent(IN_OTHER_WORDS)}`)
    assert.equal(byWords.body.count, 31)
    await embed(space)
    const whole = await search(space, IN_OTHER_WORDS, '&limit=100')
    assert.equal(whole.count, 35)
    assert.deepEqual([whole.items.length, new Set(titles(whole)).size], [35, 35])
    assert.ok(titles(whole).indexOf('N0') < 25 && titles(whole).indexOf('Both') < 25)
    for (const limit of [1, 4, 20, 22, 34, 35]) {
      const seen: string[] = []
      for (let more = ''; ; ) {
        const answer = await search(space, IN_OTHER_WORDS, `&limit=${limit}${more}`)
        assert.equal(answer.count, 35)
        seen.push(...titles(answer))
        if (answer.next === undefined) break
        assert.equal(answer.items.length, limit, 'a page of results is full')
        assert.ok(answer.next.page.length <= 2048)
        more = `&page=${answer.next.page}`
      }
      assert.deepEqual(seen, titles(whole), `${limit}`)
    }
    const before = asked()
    const { body } = { body: await search(space, IN_OTHER_WORDS, '&limit=0') }
    assert.deepEqual([body.items, body.count, body.next], [[], 35, undefined])
    assert.equal((await searchAll(IN_OTHER_WORDS)).count, 35)
    assert.equal(asked(), before, 'a query is sent once')
  })

test('nothing of a space is near for somebody who may not read it any more, on later pages neither', async () => {
  const { w, embed, searchAll } = await embedding()
  const closed = await spaceWith(w, CARS, { defaultLevel: 'read' })
  const open = await spaceWith(
    w,
    {
      'a.md': '# Company\n\nThe schedule of the company.\n',
      'b.md': '# Schedule\n\nOf a company.\n',
      'c.md': '# Garage\n\nThe automobiles stand here.\n',
    },
    { defaultLevel: 'read' },
  )
  await embed(closed)
  await embed(open)
  const found = ({ items }: SpaceHits) => items.flatMap(({ pages }) => pages.map(({ title }) => title))
  const all = await searchAll(IN_OTHER_WORDS, 'read')
  assert.deepEqual(found(all).sort(), ['Company', 'Fleet', 'Garage', 'Schedule'])
  const first = await searchAll(IN_OTHER_WORDS, 'read', '&limit=1')
  assert.equal(first.count, 4)
  await w.call('PATCH', `/spaces/${closed}`, { body: { defaultLevel: null } })
  const again = await searchAll(IN_OTHER_WORDS, 'read')
  assert.deepEqual([found(again).sort(), again.count], [['Company', 'Garage', 'Schedule'], 3])
  const seen: string[] = []
  for (let next = first.next; next !== undefined; ) {
    const answer = await searchAll(IN_OTHER_WORDS, 'read', `&limit=1&page=${next.page}`)
    assert.equal(answer.count, 3)
    seen.push(...found(answer))
    next = answer.next
  }
  assert.ok(!seen.includes('Fleet'))
  // The first page was shown while Fleet could be read.
  const others = [...found(first), ...seen].filter(title => title !== 'Fleet')
  assert.deepEqual(others.sort(), ['Company', 'Garage', 'Schedule'])
})

test('a token that somebody made shows no page that is not to be found, and none of another space', async () => {
  const { w, call, embed, search } = await embedding()
  const space = await spaceWith(w, CARS)
  const other = await spaceWith(w, { 'x.md': '# Elsewhere\n\nAn automobile.\n' })
  await embed(space)
  const query = IN_OTHER_WORDS
  const { pages } = (await w.call('GET', `/spaces/${space}/content/pages`)).body
  const boss = pages.find(({ title }: Hit) => title === 'Boss').id
  const [elsewhere] = (await w.call('GET', `/spaces/${other}/content/pages`)).body.pages
  const question = { list: 'search', space, query }
  const ask = (...keys: (string | number | boolean | null)[]) =>
    call(
      `/spaces/${space}/search?query=${encodeURIComponent(query)}&page=${encodeCursor(question, [1_000, space, 'x', 20, ...keys])}`,
    )
  const near = (spaceId: string, id: string) => [spaceId, id, 1, true, '0']
  assert.equal((await search(space, query)).count, 1)
  for (const keys of [near(space, boss), near(other, elsewhere.id), near(space, 'nothing')]) {
    const { status, body } = await ask(true, ...keys)
    assert.deepEqual([status, body.items, body.count], [200, [], 0])
  }
  for (const keys of [
    ['yes'],
    [true, space],
    [true, space, boss, 2, true, '0'],
    [true, space, boss, 1, 'true', '0'],
    [true, space, boss, 1, true, '0 1 2 3'],
    [true, space, boss, 1, true, 'x'],
    [true, ...Array.from({ length: 11 }, () => near(space, boss)).flat()],
  ])
    assert.equal((await ask(...keys)).status, 400, JSON.stringify(keys))
})

test('without an answer of the model, and after nonsense, words find what there is', async () => {
  const w = await world()
  const space = await spaceWith(w, CARS)
  const query = 'automobile washed on which weekday'
  for (const answer of [
    { vectors: [] },
    { vectors: [[null, 'x']] },
    { vectors: [[0, 0]] },
    { vectors: 'what?' },
    { vectors: [Array.from({ length: 5_000 }, () => 1)] },
    { status: 500, vectors: [] },
    { status: 200, vectors: [[1, 2]] },
  ]) {
    const { embed, search } = await embedding({}, w)
    await embed(space)
    model.embed(() => answer)
    const found = await search(space, query)
    assert.deepEqual([titles(found), found.count], [['Fleet'], 1], JSON.stringify(answer).slice(0, 60))
    understand()
  }
})

test('a model that does not answer holds up one search for its while, not the next, and no question', async () => {
  let ahead = 0
  const { w, call, embed, search } = await embedding(
    { OCTAVO_AI_SEARCH_MILLISECONDS_MAX: '1500' },
    undefined,
    () => new Date(Date.now() + ahead),
  )
  const space = await spaceWith(w, CARS, { defaultLevel: 'read' })
  await embed(space)
  // A machine with much to do may need more than one try, and the pause after a failed one is not waited for.
  while (titles(await search(space, IN_OTHER_WORDS)).length === 0) ahead += 60_000
  model.embed(() => 'never')
  // The first is given up a moment after its search was answered.
  for (let before = -1, times = 0; asked() !== before; times += 1) {
    before = asked()
    assert.deepEqual(titles(await search(space, `automobile washed on which weekday ${times}`)), ['Fleet'])
  }
  assert.deepEqual(titles(await search(space, IN_OTHER_WORDS)), ['Fleet'], 'what is known is not asked for')
  understand()
  const { body } = await call(`/orgs/${w.organizationId}/ask?details=true`, 'admin', { query: 'any cars?' })
  assert.match(body.octavo.passages[0]?.section ?? '', /#monday$/, 'who asks has more patience')
})

test('searches do not wait for the model to be measured', async () => {
  const { w, embed, services, search } = await embedding({ OCTAVO_AI_SEARCH_MILLISECONDS_MAX: '50' })
  const space = await spaceWith(w, CARS)
  await embed(space)
  model.embed(texts => (texts.length > 1 ? 'never' : { vectors: texts.map(toVector) }))
  const before = asked()
  const searching = search(space, 'automobile washed on which weekday')
  while (!model.asked.slice(before).some(({ body }) => JSON.parse(body).input.length > 1))
    await new Promise(setImmediate)
  let isMeasured = false
  const measured = model.leftAlone().then(() => {
    isMeasured = true
  })
  assert.deepEqual(titles(await searching), ['Fleet'])
  assert.equal(isMeasured, false)
  await services.embeddings.end()
  await measured
})

test('where it is turned off, used up or of no use, no query is sent', async () => {
  const w = await world()
  const space = await spaceWith(w, CARS)
  const { embed, search, services } = await embedding({}, w)
  await embed(space)
  assert.deepEqual(titles(await search(space, IN_OTHER_WORDS)), ['Fleet'])
  const before = asked()
  for (const query of ['cars', 'company cars', 'pg_stat_activity', '"cleaning of company cars"', 'how do I'])
    await search(space, query)
  // Typed in the reader's field.
  const { payload } = await serverOver(services).inject({
    url: `/s/${space}/~/search?q=${encodeURIComponent(`${IN_OTHER_WORDS} now`)}&fragment=1`,
    headers: { cookie: await cookieOf(w, 'admin') },
  })
  assert.doesNotMatch(payload, /Fleet/)
  for (const settings of [{ OCTAVO_AI_SEARCH_MILLISECONDS_MAX: '0' }, { OCTAVO_AI_TOKENS_PER_HOUR: '1' }]) {
    const other = await embedding(settings, w)
    assert.deepEqual(titles(await other.search(space, 'automobile washed on which weekday')), ['Fleet'])
  }
  await w.call('PATCH', `/orgs/${w.organizationId}`, { body: { ai: false } })
  const off = await embedding({}, w)
  assert.deepEqual(titles(await off.search(space, 'automobile washed on which weekday')), ['Fleet'])
  assert.equal(asked(), before)
})
