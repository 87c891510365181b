// The pages of a specification, asked for by what computes them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { keepSpecification, shopSummary } from '../../../test/support/specifications.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1', description: 'Sells **things**.' },
  tags: [{ name: 'orders', description: 'What was bought.' }],
  paths: {
    '/orders': {
      get: { tags: ['orders'], summary: 'List orders', responses: {} },
      post: { tags: ['orders'], summary: 'Make an order', responses: {} },
    },
  },
  components: { schemas: { Order: { type: 'object', properties: { id: { type: 'string' } } } } },
}

const dependencies = { spec: { ref: { kind: 'openapi', spec: 'shop' } } }
const source = (props: object) => ({ type: 'builtin:openapi', props, dependencies })

const summaryOf = (props: string) => shopSummary(`  props:\n${props}\n`)

type Page = {
  id: string
  title: string
  slug: string
  path: string
  computed: { props: object }
  computedSeed: string
  pages: Page[]
}

const flat = (pages: readonly Page[]): Page[] => pages.flatMap(page => [page, ...flat(page.pages)])

const spaceOf = (props: string, body = {}) =>
  spaceWith(w, { 'SUMMARY.md': summaryOf(props), 'README.md': '# Start\n' }, body)

const computedIn = async (space: string): Promise<Page[]> => {
  const { body } = await w.call('GET', `/spaces/${space}/content/pages`)
  return flat(body.pages).filter(page => page.computed !== undefined)
}

let space = ''
before(async () => {
  await keepSpecification(w, 'shop', JSON.stringify(SHOP))
  space = await spaceOf('    models: true')
})

const ask = (what: 'document' | 'revision', body: unknown, options = {}) =>
  w.call('POST', `/spaces/${space}/content/computed/${what}`, { body, ...options })

for (const props of ['    models: true', '    models: true\n    grouping: by-operation'])
  test(`each page in the tree gives the document that reading it gives (${props.trim().replaceAll('\n', ',')})`, async () => {
    const of = await spaceOf(props)
    const pages = await computedIn(of)
    assert.ok(pages.length >= 2, `${pages.length} pages`)
    for (const page of pages) {
      const read = await w.call('GET', `/spaces/${of}/content/page/${page.id}?format=document`)
      const { status, body } = await ask('document', { source: page.computed, seed: page.computedSeed })
      assert.equal(status, 200)
      assert.deepEqual(body, read.body.document ?? { object: 'document', data: {}, nodes: [] }, page.title)
    }
  })

test('a source gives the pages in its place, whose ids come from the seed', async () => {
  const named = ({ title, slug, computed, pages }: Page): object => ({
    ...{ title, slug, computed },
    pages: pages.map(named),
  })
  const first = await ask('revision', { source: source({ models: true }), seed: 'one' })
  assert.equal(first.status, 200)
  assert.deepEqual(first.body.pages.map(named), (await computedIn(space)).map(named))
  assert.deepEqual([first.body.files, first.body.reusableContents], [[], []])
  const idsOf = ({ body }: { body: { pages: Page[] } }) => flat(body.pages).map(({ id }) => id)
  const again = await ask('revision', { source: source({ models: true }), seed: 'one' })
  const other = await ask('revision', { source: source({ models: true }), seed: 'other' })
  assert.deepEqual(idsOf(again), idsOf(first))
  assert.equal(new Set([...idsOf(other), ...idsOf(first)]).size, 2 * idsOf(first).length)
  const without = await ask('revision', { source: source({ models: false }), seed: 'one' })
  assert.deepEqual(
    without.body.pages.map(({ title }: Page) => title),
    first.body.pages.map(({ title }: Page) => title).filter((title: string) => title !== 'Models'),
  )
})

test('a new version is what is computed from then on', async () => {
  const text = JSON.stringify(SHOP).replace('What was bought.', 'What was sold.')
  const [page] = await computedIn(space)
  const orders = { source: page?.computed, seed: page?.computedSeed }
  assert.match((await ask('document', orders)).text, /What was bought\./)
  await keepSpecification(w, 'shop', text)
  assert.match((await ask('document', orders)).text, /What was sold\./)
})

test('readers of an open space may ask, strangers of another may not', async () => {
  const body = { source: source({ models: true }), seed: '' }
  assert.equal((await ask('revision', body, { as: 'stranger' })).status, 404)
  const open = await spaceOf('    models: true', { visibility: 'public' })
  const path = `/spaces/${open}/content/computed/revision`
  assert.equal((await w.call('POST', path, { body, as: null })).status, 200)
})

test('an invalid source is refused by name', async () => {
  const refused = [
    [{ source: source({ doc: 'operations', page: 'nothing' }), seed: '' }, 404, /page of the specification/],
    [{ source: source({ doc: 'operations' }), seed: '' }, 404, /page of the specification/],
    [{ source: source({ doc: 'poems', page: 'x' }), seed: '' }, 400, /body\.source\.props\.doc/],
    [{ source: source({ doc: 'models' }) }, 400, /body\.seed/],
    [
      { source: { ...source({ doc: 'models' }), type: 'integration:x:y' }, seed: '' },
      400,
      /body\.source\.type/,
    ],
    [
      { source: { ...source({ doc: 'models' }), type: 'builtin:translation' }, seed: '' },
      400,
      /body\.source\.type/,
    ],
  ] as const
  for (const [body, status, message] of refused) {
    const answer = await ask('document', body)
    assert.equal(answer.status, status, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
})
