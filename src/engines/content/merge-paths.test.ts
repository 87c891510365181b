import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commit, page } from './content.arbitrary.ts'
import { paragraphs } from './merge.arbitrary.ts'
import { merge } from './merge.ts'
import type { Relink } from './merge-paths.ts'
import { decodeDocument, encodeDocument } from './objects.ts'
import { type AnyRecord, type FileRecord, type Hash, type Key, type PageRecord, TREE_KEY } from './records.ts'
import { memoryStore, type ObjectStore } from './store.ts'
import { EMPTY_ROOT, readAll } from './trie.ts'
import { overlay } from './trie-nodes.ts'

const PICTURE = '.gitbook/assets/a.png'
const relink: Relink = (text, _file, moves) => text.replace(/[^()]+\.png/g, path => moves.get(path) ?? path)

async function write(
  store: ObjectStore,
  from: Hash,
  records: Readonly<Record<string, AnyRecord | { text: string; file: string; slug: string }>>,
): Promise<Hash> {
  const edits = new Map<Key, AnyRecord | null>()
  for (const [key, record] of Object.entries(records)) {
    if (typeof record !== 'object' || !('text' in record)) edits.set(key as Key, record)
    else {
      const document = encodeDocument(record.text)
      await store.putMany([document])
      const { text: _, ...fields } = record
      edits.set(key as Key, page({ ...fields, document: document.hash }))
    }
  }
  const { root, objects, problems } = await commit(store, from, edits)
  assert.deepEqual(problems, [])
  await store.putMany(objects)
  return root
}

const picture = (blob: string): FileRecord => ({
  ...{ name: 'a.png', contentType: 'image/png', size: 1 },
  ...{ blob: blob.repeat(64), file: PICTURE },
})

test('two pictures of one name stay both, and each page keeps showing its own', async () => {
  const store = memoryStore()
  const pages = (p: string, q: string) => ({
    [TREE_KEY]: { children: ['p', 'q'] },
    'page/p': { slug: 'p', file: 'p.md', text: p },
    'page/q': { slug: 'q', file: 'q.md', text: q },
  })
  const base = await write(store, EMPTY_ROOT, pages('P.\n', 'Q.\n'))
  const ours = await write(store, base, {
    ...pages(`P.\n\n![](${PICTURE})\n`, 'Q.\n'),
    'file/ours': picture('a'),
  })
  const theirs = await write(store, base, {
    ...pages('P.\n', `Q.\n\n![](${PICTURE})\n`),
    'file/theirs': picture('b'),
  })
  const roots = new Set<Hash>()
  for (const [a, b] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    const { root, objects, conflicts } = await merge(store, base, a, b, { blocks: paragraphs, relink })
    assert.deepEqual(conflicts, [])
    roots.add(root)
    const reads = overlay(store, objects)
    const all = await readAll(reads, root)
    const fileOf = (key: Key) => (all.get(key) as FileRecord).file
    assert.deepEqual([fileOf('file/ours'), fileOf('file/theirs')], [PICTURE, '.gitbook/assets/a-theirs.png'])
    const textOf = async (key: Key) => {
      const { document } = all.get(key) as PageRecord
      return decodeDocument((await reads.getMany([document as Hash])).get(document as Hash) as Uint8Array)
    }
    assert.equal(await textOf('page/p'), `P.\n\n![](${PICTURE})\n`)
    assert.equal(await textOf('page/q'), 'Q.\n\n![](.gitbook/assets/a-theirs.png)\n')
  }
  assert.equal(roots.size, 1, 'whichever side is ours')
})

test('many pictures of one name are parted at once: each document is written anew one time', async () => {
  const store = memoryStore()
  const names = Array.from({ length: 300 }, (_, n) => `a${n}.png`)
  const side = (
    who: string,
  ): Readonly<Record<string, AnyRecord | { text: string; file: string; slug: string }>> =>
    Object.fromEntries([
      [TREE_KEY, { children: names.map((_, n) => `${who}${n}`) }],
      ...names.flatMap((name, n) => [
        [`file/${who}${n}`, { ...picture('a'), file: name }],
        [`page/${who}${n}`, { slug: `${who}${n}`, file: `${who}${n}.md`, text: `${who} ![](${name})\n` }],
      ]),
    ])
  const base = await write(store, EMPTY_ROOT, { [TREE_KEY]: { children: [] } })
  const [ours, theirs] = [await write(store, base, side('ours')), await write(store, base, side('theirs'))]
  let asked = 0
  const { root, objects, conflicts } = await merge(store, base, ours, theirs, {
    blocks: paragraphs,
    relink: (...args) => {
      asked++
      return relink(...args)
    },
  })
  assert.deepEqual([conflicts, asked], [[], names.length])
  const reads = overlay(store, objects)
  const { document } = (await readAll(reads, root)).get('page/theirs299') as PageRecord
  const body = (await reads.getMany([document as Hash])).get(document as Hash) as Uint8Array
  assert.equal(decodeDocument(body), 'theirs ![](a299-theirs29.png)\n')
})
