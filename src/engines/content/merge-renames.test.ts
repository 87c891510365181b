import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commit, page } from './content.arbitrary.ts'
import { paragraphs } from './merge.arbitrary.ts'
import { type Merge, merge, type Resolution } from './merge.ts'
import type { Relink } from './merge-paths.ts'
import { decodeDocument, encodeDocument } from './objects.ts'
import { type AnyRecord, type FileRecord, type Hash, type Key, type PageRecord, TREE_KEY } from './records.ts'
import { memoryStore } from './store.ts'
import { EMPTY_ROOT, readAll } from './trie.ts'
import { overlay } from './trie-nodes.ts'

const relink: Relink = (text, _file, moves) => text.replace(/[^()]+\.png/g, path => moves.get(path) ?? path)

type Version = {
  readonly picture: string
  readonly texts: Readonly<Record<string, string>>
  readonly listed?: string
}

const recordsOf = ({ picture, texts, listed }: Version) => ({
  [TREE_KEY]: { children: Object.keys(texts) },
  'file/f': {
    ...{ name: picture, contentType: 'image/png', size: 1, blob: 'a'.repeat(64), file: picture },
  } satisfies FileRecord,
  ...Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [
      `page/${id}`,
      page({ slug: id, file: `${id}.md`, document: encodeDocument(text).hash }),
    ]),
  ),
  ...(listed === undefined ? {} : { 'git/summary': encodeDocument(listed).hash }),
})

async function merged(
  versions: { readonly base: Version; readonly ours: Version; readonly theirs: Version },
  resolutions: readonly Resolution[] = [],
): Promise<Merge & { readonly all: ReadonlyMap<Key, AnyRecord>; textOf(key: Key): Promise<string> }> {
  const store = memoryStore()
  const write = async (from: Hash, version: Version): Promise<Hash> => {
    const texts = [...Object.values(version.texts), ...(version.listed === undefined ? [] : [version.listed])]
    await store.putMany(texts.map(encodeDocument))
    const edits = new Map(Object.entries<AnyRecord>(recordsOf(version))) as Map<Key, AnyRecord>
    const made = await commit(store, from, edits)
    await store.putMany(made.objects)
    return made.root
  }
  const base = await write(EMPTY_ROOT, versions.base)
  const [ours, theirs] = [await write(base, versions.ours), await write(base, versions.theirs)]
  const textBetween = (text: string) => text.replace(/^\* .*\n/gm, '')
  const made = await merge(store, base, ours, theirs, {
    blocks: paragraphs,
    relink,
    textBetween,
    resolutions,
  })
  const reads = overlay(store, made.objects)
  const all = await readAll(reads, made.root)
  const textOf = async (key: Key) => {
    const record = all.get(key) as PageRecord | Hash
    const hash = (typeof record === 'string' ? record : record.document) as Hash
    return decodeDocument((await reads.getMany([hash])).get(hash) as Uint8Array)
  }
  return { ...made, all, textOf }
}

const words = (picture: string, ...more: string[]) => [`![](${picture})\n`, ...more].join('\n')

test('a page of one side alone refers to what both renamed by the name that was chosen', async () => {
  const versions = {
    base: { picture: 'a.png', texts: { p: words('a.png') } },
    ours: { picture: 'o.png', texts: { p: words('o.png') } },
    theirs: { picture: 't.png', texts: { p: words('t.png'), q: words('t.png') } },
  }
  const { conflicts, textOf } = await merged(versions)
  assert.deepEqual(
    conflicts.map(({ key, field }) => [key, field]),
    [['file/f', 'name']],
  )
  assert.deepEqual([await textOf('page/p'), await textOf('page/q')], [words('o.png'), words('o.png')])
  for (const [take, name] of [
    ['ours', 'o.png'],
    ['theirs', 't.png'],
    ['base', 'a.png'],
  ] as const) {
    const settled = await merged(versions, [{ key: 'file/f', field: 'name', take }])
    assert.deepEqual([settled.conflicts, settled.unused], [[], []])
    assert.equal((settled.all.get('file/f') as FileRecord).file, name)
    assert.deepEqual(
      [await settled.textOf('page/p'), await settled.textOf('page/q')],
      [words(name), words(name)],
    )
  }
})

test('a page that one side did not write is merged as it was, and follows with the words of the other', async () => {
  const { conflicts, textOf } = await merged(
    {
      base: { picture: 'a.png', texts: { p: words('a.png', 'A.\n') } },
      ours: { picture: 'o.png', texts: { p: words('a.png', 'A.\n') } },
      theirs: { picture: 't.png', texts: { p: words('t.png', 'B.\n') } },
    },
    [{ key: 'file/f', field: 'name', take: 'ours' }],
  )
  assert.deepEqual(conflicts, [])
  assert.equal(await textOf('page/p'), words('o.png', 'B.\n'))
})

test('words beside a reference that both changed are still a conflict', async () => {
  const { conflicts } = await merged(
    {
      base: { picture: 'a.png', texts: { p: '![](a.png) A.\n' } },
      ours: { picture: 'o.png', texts: { p: '![](o.png) B.\n' } },
      theirs: { picture: 't.png', texts: { p: '![](t.png) C.\n' } },
    },
    [{ key: 'file/f', field: 'name', take: 'theirs' }],
  )
  assert.deepEqual(
    conflicts.map(({ key, ours, theirs }) => [key, ours, theirs]),
    [['page/p', '![](t.png) B.', '![](t.png) C.']],
  )
})

test('a name that both gave the same is no conflict, and nothing is written anew', async () => {
  const renamed = { picture: 'o.png', texts: { p: words('o.png', 'A.\n') } }
  const { conflicts, textOf } = await merged({
    base: { picture: 'a.png', texts: { p: words('a.png', 'A.\n') } },
    ours: renamed,
    theirs: { ...renamed, texts: { p: words('o.png', 'B.\n') } },
  })
  assert.deepEqual(conflicts, [])
  assert.equal(await textOf('page/p'), words('o.png', 'B.\n'))
})

test('whatever the other side writes meanwhile follows the new name of a file, in the same block as well', async () => {
  const written = {
    base: { picture: 'a.png', texts: { p: '![](a.png) A.\n' } },
    renamed: { picture: 'b.png', texts: { p: '![](b.png) A.\n' } },
    other: { picture: 'a.png', texts: { p: '![](a.png) B.\n', q: '![](a.png)\n' } },
  }
  const { base, renamed, other } = written
  const both = [
    await merged({ base, ours: renamed, theirs: other }),
    await merged({ base, ours: other, theirs: renamed }),
  ]
  for (const { conflicts, all, textOf } of both) {
    assert.deepEqual(conflicts, [])
    assert.equal((all.get('file/f') as FileRecord).file, 'b.png')
    assert.deepEqual([await textOf('page/p'), await textOf('page/q')], ['![](b.png) B.\n', '![](b.png)\n'])
  }
  assert.equal(both[0]?.root, both[1]?.root, 'whichever side is ours')
})

test('in every merge without a conflict each reference to a file leads to it, whichever side is ours', async () => {
  const texts = (picture: string, end: string) => [
    `![](${picture})${end}\n`,
    `${end}\n\n![](${picture})\n`,
    `Words.${end}\n`,
  ]
  const versions = ['a.png', 'b.png', 'c.png'].flatMap(picture =>
    ['', ' More.', ' Less.'].flatMap(end =>
      texts(picture, end).map((text): Version => ({ picture, texts: { p: text } })),
    ),
  )
  let count = 0
  for (const base of versions.slice(0, 3))
    for (const ours of versions)
      for (const theirs of versions) {
        const one = await merged({ base, ours, theirs })
        const other = await merged({ base, ours: theirs, theirs: ours })
        assert.equal(one.conflicts.length, other.conflicts.length)
        if (one.conflicts.length > 0) continue
        count += 1
        assert.equal(one.root, other.root)
        const { file } = one.all.get('file/f') as FileRecord
        const names = (await one.textOf('page/p')).match(/[abc]\.png/g) ?? []
        assert.deepEqual(
          [...names].filter(name => name !== file),
          [],
        )
      }
  assert.ok(count > 200, `${count} merges without a conflict`)
})

const listing = (listed: string): Version => ({ picture: 'a.png', texts: { p: 'P.\n' }, listed })

test('SUMMARY.md of which both changed one entry is that of the side that changed its other text', async () => {
  const base = listing('# C\n* A\n')
  for (const [ours, theirs, kept] of [
    ['# C\n* O\n', '# D\n* T\n', '# D\n* T\n'],
    ['# D\n* O\n', '# C\n* T\n', '# D\n* O\n'],
    ['# D\n* O\n', '# D\n* T\n', undefined],
    ['# C\n* O\n', '# C\n* T\n', undefined],
  ] as const) {
    const one = await merged({ base, ours: listing(ours), theirs: listing(theirs) })
    const other = await merged({ base, ours: listing(theirs), theirs: listing(ours) })
    assert.deepEqual([one.conflicts, other.conflicts], [[], []])
    const text = await one.textOf('git/summary')
    assert.equal(await other.textOf('git/summary'), text, 'whichever side is ours')
    assert.ok(kept === undefined ? [ours, theirs].includes(text as typeof ours) : text === kept, text)
  }
})

test('a SUMMARY.md that both added is one of theirs if they differ in entries alone, else a conflict', async () => {
  const base = { picture: 'a.png', texts: { p: 'P.\n' } }
  const same = await merged({ base, ours: listing('# C\n* O\n'), theirs: listing('# C\n* T\n') })
  assert.deepEqual(same.conflicts, [])
  const other = await merged({ base, ours: listing('# C\n* O\n'), theirs: listing('# D\n* T\n') })
  assert.deepEqual(
    other.conflicts.map(({ key }) => key),
    ['git/summary'],
  )
})

test('SUMMARY.md of which both changed the text between entries is a conflict', async () => {
  const sides = { ours: listing('# D\n* A\n'), theirs: listing('# E\n* A\n') }
  const { conflicts } = await merged({ base: listing('# C\n* A\n'), ...sides })
  assert.deepEqual(
    conflicts.map(({ key, field }) => [key, field]),
    [['git/summary', 'document']],
  )
})
