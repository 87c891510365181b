import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { contentOf, readContent } from './content.ts'
import { diff, editsOf } from './diff.ts'
import { crowded, edit, paragraphs, type Scenario, scenario, steps } from './merge.arbitrary.ts'
import { type Conflict, merge, type Resolution } from './merge.ts'
import { decodeDocument } from './objects.ts'
import { type AnyRecord, equalRecords, type Hash, type Key, type PageRecord, splitKey } from './records.ts'
import type { ObjectReads } from './store.ts'
import { checkTree } from './tree-check.ts'
import { applyEdits, diffEntries, readAll } from './trie.ts'
import { overlay } from './trie-nodes.ts'

const RUNS = tried(20)
const options = { blocks: paragraphs, relink: (text: string) => text }

const law = (
  name: string,
  made: () => fc.Arbitrary<() => Promise<Scenario>>,
  check: (scenario: Scenario) => Promise<void>,
): void => {
  it(name, async () => {
    await fc.assert(
      fc.asyncProperty(made(), async make => check(await make())),
      RUNS,
    )
  })
}

/** The titles and texts of all pages of a revision. */
async function wordsOf(store: ObjectReads, root: Hash): Promise<Set<string>> {
  const { pages, variables, files } = await readContent(store, root)
  const hashes = [...pages.values()].flatMap(({ document }) => (document === null ? [] : [document]))
  const bodies = await store.getMany(hashes)
  const texts = [...bodies.values()].map(decodeDocument)
  const said = [
    ...texts,
    ...[...pages.values()].map(page => page.title),
    ...[...variables.values()].map(String),
    ...[...files.values()].map(({ name }) => name),
  ]
  return new Set(said.flatMap(text => text.match(/\b(?:base|o|t)\d+\b/g) ?? []))
}

describe('merging', () => {
  law('a side that changed nothing leaves the other as it is', scenario, async ({ store, base, ours }) => {
    assert.equal((await merge(store, base, ours, base, options)).root, ours)
    assert.equal((await merge(store, base, base, ours, options)).root, ours)
    assert.equal((await merge(store, base, ours, ours, options)).root, ours)
  })

  law('says the same whichever side is ours, where nothing conflicts', scenario, async scene => {
    const { store, base, ours, theirs } = scene
    const there = await merge(store, base, ours, theirs, options)
    const back = await merge(store, base, theirs, ours, options)
    assert.equal(there.conflicts.length === 0, back.conflicts.length === 0)
    if (there.conflicts.length === 0) assert.equal(there.root, back.root)
  })

  law('is a valid tree, whatever conflicts', crowded, async ({ store, base, ours, theirs }) => {
    const { root, objects } = await merge(store, base, ours, theirs, options)
    assert.deepEqual(checkTree(await readContent(overlay(store, objects), root)), [])
  })

  law('carries every change of both sides, where nothing conflicts', scenario, async scene => {
    const { store, base, ours, theirs } = scene
    const { root, objects, conflicts } = await merge(store, base, ours, theirs, options)
    if (conflicts.length > 0) return
    const made = await readAll(overlay(store, objects), root)
    for (const side of [ours, theirs]) {
      for (const change of await diffEntries(store, base, side)) assertCarried(change, made)
    }
  })

  law('loses no word that anybody wrote', crowded, async ({ store, base, ours, theirs }) => {
    const { root, objects, conflicts } = await merge(store, base, ours, theirs, options)
    const before = await wordsOf(store, base)
    const [a, b] = [await wordsOf(store, ours), await wordsOf(store, theirs)]
    const result = await wordsOf(overlay(store, objects), root)
    const reported = await conflictWords(store, conflicts, [base, ours, theirs])
    for (const word of new Set([...a, ...b])) {
      const isWanted = before.has(word) ? a.has(word) && b.has(word) : true
      if (isWanted) assert.ok(result.has(word) || reported.has(word), `${word} is gone`)
    }
  })

  law('brings back no word that somebody deleted, where nothing conflicts', scenario, async scene => {
    const { store, base, ours, theirs } = scene
    const { root, objects, conflicts } = await merge(store, base, ours, theirs, options)
    if (conflicts.length > 0) return
    const [a, b] = [await wordsOf(store, ours), await wordsOf(store, theirs)]
    const result = await wordsOf(overlay(store, objects), root)
    for (const word of await wordsOf(store, base))
      if (!a.has(word) || !b.has(word)) assert.ok(!result.has(word), `${word} is back`)
  })

  law('reports conflicts only where both sides did something', crowded, async scene => {
    const { store, base, ours, theirs } = scene
    const { conflicts } = await merge(store, base, ours, theirs, options)
    for (const conflict of conflicts) {
      assert.ok(!equalRecords(conflict.ours, conflict.theirs) || conflict.kind !== 'field')
      if (conflict.kind === 'block' || conflict.kind === 'field') {
        assert.ok(!equalRecords(conflict.base, conflict.ours), JSON.stringify(conflict))
        assert.ok(!equalRecords(conflict.base, conflict.theirs), JSON.stringify(conflict))
      }
    }
    assert.deepEqual(conflicts, (await merge(store, base, ours, theirs, options)).conflicts)
  })

  for (const take of ['ours', 'theirs', 'base'] as const) {
    law(`is settled by taking ${take} at every conflict`, crowded, async ({ store, base, ours, theirs }) => {
      const resolutions: Resolution[] = []
      for (let round = 0; round < 20; round++) {
        const merged = await merge(store, base, ours, theirs, { ...options, resolutions })
        assert.deepEqual(merged.unused, [])
        const content = await readContent(overlay(store, merged.objects), merged.root)
        assert.deepEqual(checkTree(content), [])
        if (merged.conflicts.length === 0) return
        for (const { key, field, block } of merged.conflicts)
          resolutions.push({ key, ...(field && { field }), ...(block && { block }), take })
      }
      assert.fail('conflicts go on and on')
    })
  }

  law('refuses a resolution of what is no conflict, and does without it', scenario, async scene => {
    const { store, base, ours, theirs } = scene
    const plain = await merge(store, base, ours, theirs, options)
    const stray: Resolution = { key: 'page/nowhere', field: 'title', take: 'ours' }
    const { root, unused } = await merge(store, base, ours, theirs, { ...options, resolutions: [stray] })
    if (plain.conflicts.length === 0) assert.equal(root, plain.root)
    if (ours !== theirs && base !== ours && base !== theirs)
      assert.deepEqual(unused, [{ ...stray, reason: 'absent' }])
  })
})

describe('a difference', () => {
  law('applied to what it begins with is what it ends with', scenario, async ({ store, ours, theirs }) => {
    const { entries } = await diff(store, ours, theirs)
    assert.equal((await applyEdits(store, ours, editsOf(entries))).root, theirs)
  })

  it('has one root for the same content, in whatever order it was made', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(), steps(5), async (make, more) => {
        const { store, base, ours } = await make()
        const root = await edit(store, ours, more, 'm')
        const entries = [...(await readAll(store, root))]
        const shuffled = new Map<Key, AnyRecord>([...entries].reverse())
        const whole = await applyEdits(store, base, await editsTo(store, base, shuffled))
        assert.equal(whole.root, root)
      }),
      { numRuns: 60 },
    )
  })
})

async function editsTo(store: ObjectReads, from: Hash, entries: ReadonlyMap<Key, AnyRecord>) {
  const edits = new Map<Key, AnyRecord | null>(entries)
  for (const key of (await readAll(store, from)).keys()) if (!edits.has(key)) edits.set(key, null)
  return edits
}

/** Changes of one side are in the result: each field, each created page, no deleted one. */
function assertCarried(
  { key, before, after }: { key: Key; before: AnyRecord | null; after: AnyRecord | null },
  made: ReadonlyMap<Key, AnyRecord>,
): void {
  const record = made.get(key)
  if (after === null) {
    assert.equal(record, undefined, `${key} was deleted`)
    return
  }
  const [kind] = splitKey(key)
  if (kind !== 'page') {
    if (kind === 'variable') assert.deepEqual(record, after)
    return
  }
  const [b, a, r] = [before, after, record] as unknown as PageRecord[]
  for (const field of ['title', 'slug', 'parent'] as const) {
    if (b !== null && a?.[field] === b?.[field]) continue
    assert.ok(r !== undefined, `${key} exists`)
    // of two pages that the sides made with one slug, the later one has it with a number
    const made = field === 'slug' && b === null ? r.slug?.replace(/-\d+$/, '') : r[field]
    assert.equal(made, a?.[field], `${key} ${field}`)
  }
}

/** The words of a conflict's values; a deleted page includes its text and the pages below it. */
async function conflictWords(
  store: ObjectReads,
  conflicts: readonly Conflict[],
  roots: readonly Hash[],
): Promise<Set<string>> {
  const words = new Set<string>()
  const add = (text: string): void => {
    for (const word of text.match(/\b(?:base|o|t)\d+\b/g) ?? []) words.add(word)
  }
  for (const conflict of conflicts) add(JSON.stringify(conflict))
  const structural = conflicts.filter(({ kind }) => kind !== 'block' && kind !== 'field')
  if (structural.length === 0) return words
  for (const root of roots) {
    const { pages } = contentOf(await readAll(store, root))
    const below = (id: string): string[] => [id, ...(pages.get(id)?.children ?? []).flatMap(below)]
    const ids = structural.flatMap(({ key, pages: others = [] }) =>
      [splitKey(key)[1], ...others].flatMap(below),
    )
    const records = ids.flatMap(id => pages.get(id) ?? [])
    for (const { title } of records) add(title)
    const bodies = await store.getMany(records.flatMap(({ document }) => document ?? []))
    for (const body of bodies.values()) add(decodeDocument(body))
  }
  return words
}
