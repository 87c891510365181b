import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { commit, type Entries, page, stored, tree } from './content.arbitrary.ts'
import { contentOf, readContent } from './content.ts'
import {
  type AnyRecord,
  isPageKey,
  type Key,
  type PageRecord,
  type PageType,
  pageKey,
  splitKey,
} from './records.ts'
import { type PageInTree, walkPages } from './tree.ts'
import { checkTree } from './tree-check.ts'
import { checkEdits } from './tree-check-edits.ts'

// What may happen to a tree, sound and unsound: each step rewrites records as the ones before it left them. Numbers
// are turned into pages that are there, now and then into one that is not.
type Step = (content: Entries) => void
const listOf = (content: Entries, at: string | null): readonly string[] =>
  (content.get(at === null ? 'tree' : pageKey(at)) as PageRecord | undefined)?.children ?? []
const patch = (content: Entries, at: string | null, fields: Partial<PageRecord>): void => {
  const key = at === null ? 'tree' : pageKey(at)
  const record = content.get(key)
  if (record !== undefined) content.set(key, { ...(record as PageRecord), ...fields })
}
const pageAt = (content: Entries, n: number): string => {
  const ids = [...content.keys()].filter(isPageKey).map(key => splitKey(key)[1])
  return n % 20 === 0 ? 'absent' : (ids[n % ids.length] ?? 'absent')
}
const parentAt = (content: Entries, n: number): string | null => (n % 6 === 0 ? null : pageAt(content, n))

const moveSoundly = (content: Entries, at: string, to: string | null): void => {
  const record = content.get(pageKey(at)) as PageRecord | undefined
  if (record === undefined || (to !== null && !content.has(pageKey(to)))) return
  patch(content, record.parent, { children: listOf(content, record.parent).filter(child => child !== at) })
  patch(content, at, { parent: to })
  patch(content, to, { children: [...listOf(content, to), at] })
}

type Kind = (content: Entries, page: string, parent: string | null, n: number) => void
const KINDS: readonly Kind[] = [
  moveSoundly,
  // A subtree from the top to the bottom.
  (content, _, __, n) => {
    const places = [...walkPages(contentOf(content))]
    const deepest = places.reduce((a, b) => (b.depth > a.depth ? b : a), places[0] as PageInTree)
    const top = places.filter(({ depth }) => depth <= 2)
    if (places.length > 0) moveSoundly(content, (top[n % top.length] as PageInTree).id, deepest.id)
  },
  (content, at, to) => patch(content, at, { parent: to }),
  (content, at, to) => patch(content, to, { children: [...listOf(content, to), at] }),
  (content, _, to, n) => patch(content, to, { children: listOf(content, to).filter((_, i) => i !== n % 3) }),
  (content, _, to) => patch(content, to, { children: [...listOf(content, to)].reverse() }),
  (content, at) => content.delete(pageKey(at)),
  (content, at, to, n) => {
    const created = n % 3 === 0 ? at : `new${n}`
    content.set(pageKey(created), page({ slug: `n${n % 2}`, parent: to }))
    patch(content, to, { children: [...listOf(content, to), created] })
  },
  (content, at, _, n) => patch(content, at, { slug: ['s1', 's2', 's3', '', 'a/b'][n % 5] as string }),
  (content, at, to) => {
    const sibling = listOf(content, to)[0] ?? at
    patch(content, at, { slug: (content.get(pageKey(sibling)) as PageRecord | undefined)?.slug ?? 'x' })
  },
  (content, at, _, n) =>
    patch(content, at, { type: (['group', 'link', 'document'] as const)[n % 3] as PageType }),
  (content, at) => patch(content, at, { title: 'Other' }),
]

const step: fc.Arbitrary<Step> = fc.tuple(fc.nat(KINDS.length - 1), fc.nat(10_000), fc.nat(10_000)).map(
  ([kind, a, b]) =>
    content =>
      (KINDS[kind] as Kind)(content, pageAt(content, a), parentAt(content, b), b),
)

const editsBetween = (before: Entries, after: Entries): Map<Key, AnyRecord | null> => {
  const edits = new Map<Key, AnyRecord | null>()
  for (const [key, record] of after) if (before.get(key) !== record) edits.set(key, record)
  for (const key of before.keys()) if (!after.has(key)) edits.set(key, null)
  return edits
}

describe('the check of edits', () => {
  it('finds exactly what the check of the whole tree finds, sound edits or not', () =>
    fc.assert(
      fc.asyncProperty(tree(), fc.array(step, { minLength: 1, maxLength: 8 }), async (before, steps) => {
        assert.deepEqual(checkTree(contentOf(before)), [])
        const { store, root } = await stored(before)
        const after = new Map(before)
        for (const change of steps) change(after)
        const edits = editsBetween(before, after)
        const problems = await checkEdits(store, root, edits)
        assert.deepEqual(problems, checkTree(contentOf(after)))
        const made = await commit(store, root, edits)
        await store.putMany(made.objects)
        assert.deepEqual(made.problems, problems)
        assert.deepEqual(checkTree(await readContent(store, made.root)), problems)
      }),
      tried(200),
    ))

  it('lets a walk of any tree, sound or not, end and meet no page twice', () =>
    fc.assert(
      fc.property(tree(), fc.array(step, { maxLength: 8 }), (before, steps) => {
        const after = new Map(before)
        for (const change of steps) change(after)
        const met = [...walkPages(contentOf(after))].map(placed => placed.id)
        assert.equal(new Set(met).size, met.length)
      }),
    ))
})
