// A question has one answer, whatever indexes are in memory: all are asked of a server that has them, of one that makes
// each for the first time, and of one that may keep none.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isChosen } from '../../../test/support/corpus.ts'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import type { Services } from '../../http/context.ts'
import { findSpace } from '../spaces/rows.ts'
import type { Hit } from './find.ts'
import { createSearchIndexes } from './indexes.ts'
import { findPassages } from './passages.ts'
import { readQuery } from './read-query.ts'
import { findScopes } from './scopes.ts'
import { searchOrganization, searchSpace, toSearchedSpace } from './search.ts'

const MIB = 1024 * 1024
const CORPUS = join(import.meta.dirname, '../../../../shared/corpus/beefree-sdk-docs')
const QUESTIONS = join(import.meta.dirname, '../../../bench/questions/search.json')

const w = await world()
const { memberships } = await w.principalOf('admin')
const person = { userId: w.people.admin.id, memberships }

const withMemory = (bytesMax: number): Services => ({
  ...w.services,
  searchIndexes: createSearchIndexes(w.services, bytesMax),
})

async function rowOf(id: string) {
  const row = await findSpace(w.services.db, id)
  assert.ok(row !== undefined)
  return row
}

const named = ({ space, pageId, score, sections }: Hit) => ({
  page: `${space.id} ${pageId}`,
  score,
  sections: sections.map(({ section }) => section.anchor),
})

/** The ways to ask: a space, the organization, and the passages of an answer. */
const doorsOf = (ids: readonly string[]) => [
  async (services: Services, query: string) => {
    const hits = await searchSpace(services, await rowOf(ids[0] ?? ''), { query, limit: 50 })
    return { ...hits, items: hits.items.map(named), next: hits.next !== undefined }
  },
  async (services: Services, query: string) => {
    const hits = await searchOrganization(services, w.organizationId, person, { query, limit: 50 })
    return { ...hits, items: hits.items.map(named), next: hits.next !== undefined }
  },
  async (services: Services, question: string) => {
    const spaces = (await Promise.all(ids.map(rowOf))).map(toSearchedSpace)
    const { passages, terms } = await findPassages(services, w.organizationId, spaces, {
      ...{ question, near: [], limit: 12 },
    })
    return {
      items: passages.map(({ pageId, ordinal, score, covered }) => ({ pageId, ordinal, score, covered })),
      terms,
    }
  },
]

/** Each question through one of the doors, of one of the servers. Answers how many found anything. */
async function assertSame(
  warm: Services,
  ids: readonly string[],
  questions: readonly string[],
): Promise<number> {
  const doors = doorsOf(ids)
  let answered = 0
  for (const [at, question] of questions.entries()) {
    const door = doors[at % doors.length] ?? assert.fail()
    const expected = await door(warm, question)
    if (expected.items.length > 0) answered += 1
    const bytesMax = at % 2 === 0 ? 64 * MIB : 0
    assert.deepEqual(await door(withMemory(bytesMax), question), expected, `${question}, ${bytesMax}`)
  }
  return answered
}

async function warmed(ids: readonly string[]): Promise<Services> {
  const services = withMemory(64 * MIB)
  for (const id of ids) await services.searchIndexes.get(toSearchedSpace(await rowOf(id)))
  return services
}

// A few are on most pages, and most on a few.
const WORDS = `page value webhook token branch merge member reader invite banner editor image comment glossary
  export import archive restore database cluster certificate firewall quota invoice receipt currency holiday calendar
  quokka wombat numbat bilby dingo platypus echidna kookaburra cassowary bandicoot`
  .split(/\s+/)
  .filter(word => word !== '')

const wordAt = (at: number): string => WORDS[at % WORDS.length] ?? assert.fail()

/** Pages of a sample, each with the words that divide its number, and some by themselves. */
const sample = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, at) => {
      const page = from + at
      const said = WORDS.filter((_, word) => page % (word + 1) === 0)
      const [one, other] = [wordAt(page), wordAt(page * 7 + 3)]
      const text = `The ${one} of each ${other} is ${said.join(' and ')}.${' More of it.'.repeat(page % 9)}`
      return [`p${page}.md`, `# ${one} ${page % 5}\n\n${text}\n\n## ${other}\n\nSee ${said.at(-1)} ${one}.\n`]
    }),
  )

const SAMPLE_QUESTIONS = [
  ...WORDS.filter((_, at) => at % 2 === 0),
  ...WORDS.filter((_, at) => at % 5 === 0).map(word => word.slice(0, 4)),
  ...['qoukka', 'wmobat', 'ebhook', 'cerificate', 'platipus', 'kookabura', 'gloxary', 'datebase'],
  ...['webhook invoice', 'token platypus', 'page value', 'merge branch quokka', 'imge banner', 'page qoukka'],
  ...['"page and value"', '"webhook of each" token', '"quokka"', '"the token" page'],
  ...['how do I restore the database of a page?', 'where is the quokka that a member has on each page?'],
  ...[
    'what does a webhok do to the value of an invoice?',
    'which page has a platypus and a value and a token?',
  ],
  ...[
    'is the currency of the holiday on the calendar?',
    'nothing has xylophone',
    'xylophone',
    'pages of values',
  ],
  ...['picture', 'delete picture', 'remove an image from the banner of a reader', 'certificates firewalls'],
  ...[
    'archived exports',
    'wombat dingo',
    'echidna kookaburra cassowary',
    'see bandicoot',
    'member',
    'more of it',
  ],
]

test('questions have the same answers with and without indexes in memory, also after edits', async () => {
  assert.ok(SAMPLE_QUESTIONS.length >= 60)
  const ids = [await spaceWith(w, sample(1, 220)), await spaceWith(w, sample(150, 310), { language: 'de' })]
  const warm = await warmed(ids)
  assert.ok((await assertSame(warm, ids, SAMPLE_QUESTIONS)) > 50)

  const { pages } = (await w.call('GET', `/spaces/${ids[0]}/content/pages`)).body
  const live = liveAt(ids[0] ?? '')
  await edit(w, live, {
    operation: 'update_page',
    page: pages[3].id,
    document: { markdown: 'A quokka and an invoice.\n' },
  })
  await edit(w, live, { operation: 'delete_page', page: pages[5].id })
  await edit(w, live, { operation: 'insert_page', title: 'Xylophone', document: { markdown: 'A page.\n' } })
  await assertSame(
    warm,
    ids,
    SAMPLE_QUESTIONS.filter((_, at) => at % 4 === 0),
  )
  assert.ok(warm.searchIndexes.counts().updates > 0)
})

test('pages with equal scores come in the order of their spaces, whichever index is in memory', async () => {
  const ids = [
    await spaceWith(w, { 'a.md': '# Thylacine\n\nIt is gone.\n' }),
    await spaceWith(w, { 'b.md': '# Thylacine\n\nIt is gone.\n' }),
  ]
  const orders: unknown[] = []
  for (const inMemory of [[], [ids[0] ?? ''], [ids[1] ?? ''], ids]) {
    const services = await warmed(inMemory)
    const found = await searchOrganization(services, w.organizationId, person, { query: 'thylacine' })
    orders.push(found.items.map(named))
  }
  for (const order of orders) assert.deepEqual(order, orders[0])
})

test('spaces of more pages than a search waits for are searched in the database', async () => {
  const id = await spaceWith(w, Object.fromEntries([1, 2, 3].map(at => [`a${at}.md`, `# Potoroo ${at}\n`])))
  const space = toSearchedSpace(await rowOf(id))
  const query = await readQuery(w.services, w.organizationId, 'potoroo')
  for (const [searchAwaitedPages, builds] of [
    [3, 1],
    [2, 0],
  ] as const) {
    const config = { ...w.services.config, searchAwaitedPages }
    const services = { ...withMemory(0), config }
    const { scopes } = await findScopes(services, { lane: id, spaces: [space], query })
    assert.equal(scopes[0]?.index.pages, 3)
    assert.equal(services.searchIndexes.counts().builds, builds)
  }
})

test('so do questions about real documentation', {
  skip: existsSync(CORPUS) ? false : 'the corpus is not beside the project',
}, async () => {
  const files = globSync('**/*.md', { cwd: CORPUS }).sort()
  const id = await spaceWith(
    w,
    Object.fromEntries(files.map(file => [file, readFileSync(join(CORPUS, file))])),
  )
  const all: { corpus: string; question: string }[] = JSON.parse(readFileSync(QUESTIONS, 'utf8'))
  const some = all.filter(({ corpus }, at) => corpus === 'beefree-sdk-docs' && isChosen(at, 7))
  const questions = some.map(({ question }) => question)
  assert.ok((await assertSame(await warmed([id]), [id], questions)) > questions.length / 2)
})
