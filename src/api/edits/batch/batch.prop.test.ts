import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../../base/errors.ts'
import { newId } from '../../../base/ids.ts'
import { createCompute } from '../../../compute/compute.ts'
import { readContent } from '../../../engines/content/content.ts'
import type { Hash } from '../../../engines/content/records.ts'
import { memoryStore } from '../../../engines/content/store.ts'
import { checkTree } from '../../../engines/content/tree-check.ts'
import { applyEdits, EMPTY_ROOT } from '../../../engines/content/trie.ts'
import { type PreparedChange, Refs } from '../request/prepare.ts'
import type { Change } from '../request/schema.ts'
import { applyChanges } from './batch.ts'

const compute = createCompute()
after(() => compute.end())

// Few names, so that changes meet: pages that are there, that were, that are named in the same request, or nowhere.
const NAME = fc.constantFrom('id0', 'id1', 'id2', 't1x0', 't2x0', 'a')
const REF = fc.option(fc.constantFrom('a', 'b', 'c', 'f'), { nil: undefined, freq: 1 })
const SLUG = fc.option(fc.constantFrom('one', 'two', 'x', 'A.B', 'a/b'), { nil: undefined, freq: 1 })
const LINK = fc.constantFrom(
  './a.md',
  './b',
  '/pages/one',
  '/pages/id1#x',
  '../two.md',
  'one',
  'https://a.test',
  './f',
  '#x',
)
const TEXT = fc.oneof(
  fc
    .record({ title: fc.constantFrom('One', 'Two', 'Three four'), links: fc.array(LINK, { maxLength: 3 }) })
    .map(({ title, links }) => `# ${title}\n\n${links.map(link => `[words](${link})\n`).join('\n')}`),
  fc.constantFrom('', 'Words.\n', '---\ntitle: Front\nicon: bolt\n---\n\n# Head\n'),
)
const DOCUMENT = fc.oneof(
  fc.constant({}),
  TEXT.map(markdown => ({ markdown })),
)
const FIELDS = {
  at: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
  slug: SLUG,
  title: fc.option(fc.constantFrom('One', 'Two'), { nil: undefined }),
  icon: fc.option(fc.constantFrom('', 'bolt'), { nil: undefined }),
  hidden: fc.option(fc.boolean(), { nil: undefined }),
}
const INTO = fc.option(fc.oneof(NAME, fc.constant(null)), { nil: undefined, freq: 1 })
const CHANGE: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      operation: fc.constant('insert_page'),
      document: DOCUMENT,
      into: INTO,
      ref: REF,
      ...FIELDS,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      operation: fc.constant('update_page'),
      page: NAME,
      document: fc.option(DOCUMENT, { nil: undefined }),
      into: INTO,
      ...FIELDS,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      operation: fc.constant('insert_page'),
      type: fc.constantFrom('group', 'link'),
      title: fc.constant('G'),
      target: fc.option(fc.constant({ kind: 'url', url: 'https://a.test/' }), { nil: undefined }),
      ref: REF,
      into: INTO,
    }),
  },
  { weight: 1, arbitrary: fc.record({ operation: fc.constant('delete_page'), page: NAME }) },
  { weight: 1, arbitrary: fc.record({ operation: fc.constant('revert_page'), page: NAME }) },
  {
    weight: 1,
    arbitrary: fc.record({
      operation: fc.constant('insert_reusable_content'),
      title: fc.constantFrom('One', 'Two'),
      document: DOCUMENT,
      ref: REF,
    }),
  },
) as never

function prepare(changes: readonly Change[], prefix: string) {
  const refs = new Refs()
  const prepared: PreparedChange[] = changes.map((change, index) => {
    const id = `${prefix}${index}`
    if ((change.operation === 'insert_page' || change.operation === 'insert_reusable_content') && change.ref)
      refs.add({
        ...{ kind: change.operation === 'insert_page' ? 'page' : 'reusable-content', id },
        ...{ ref: change.ref, index, field: 'ref' },
      })
    return { index, change, id, assets: [], heading: undefined }
  })
  return { changes: prepared, refs }
}

test('any changes are refused by name, or give a valid tree with a file for each page, the same every time', async () => {
  let applied = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(CHANGE, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async requests => {
        const store = memoryStore()
        const empty = await applyEdits(store, EMPTY_ROOT, new Map())
        await store.putMany(empty.objects)
        const roots: Hash[] = [empty.root]
        const owner = { spaceId: newId(), id: newId() }
        for (const [turn, changes] of requests.entries()) {
          const root = roots.at(-1) as Hash
          const base = {
            ...{
              compute,
              store,
              owner,
              root,
              now: new Date(0),
              author: null,
              spaceUrl: (id: string) => id,
              findAddresses: async () => new Map(),
              findLeading: async () => [],
              describe: async () => ({ contentType: 'image/png' }),
              baseRevision: '0',
            },
            rootOf: async (revision: string) => roots[Number(revision)],
          }
          // The pages of the first request are those that others name.
          const run = async () => applyChanges(base, prepare(changes, turn === 0 ? 'id' : `t${turn}x`))
          const outcome = await run().catch(error => error)
          if (outcome instanceof Error) {
            assert.ok(outcome instanceof Failure && outcome.kind === 'invalid', outcome.stack)
            assert.match(outcome.message, /^body\.changes\.\d+\.\w+/)
            continue
          }
          const { root: next, objects } = await applyEdits(store, root, outcome.edits)
          assert.equal((await applyEdits(store, root, (await run()).edits)).root, next)
          await store.putMany([...objects, ...outcome.documents])
          roots.push(next)
          applied += 1
          const content = await readContent(store, next)
          assert.deepEqual(checkTree(content), [])
          const files = [...content.pages.values(), ...content.reusables.values()].flatMap(
            ({ file }) => file ?? [],
          )
          assert.equal(new Set(files).size, files.length, files.join())
          const hashes = [...content.pages.values(), ...content.reusables.values()].flatMap(
            ({ document }) => document ?? [],
          )
          assert.equal((await store.getMany(hashes)).size, new Set(hashes).size, 'every document is there')
        }
      },
    ),
    { numRuns: 300 },
  )
  assert.ok(applied > 200, `only ${applied} requests were applied`)
})
