import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commit, page } from './content.arbitrary.ts'
import { paragraphs } from './merge.arbitrary.ts'
import { type Merge, merge, type Resolution } from './merge.ts'
import { encodeDocument } from './objects.ts'
import { type AnyRecord, type Hash, type Key, type PageRecord, TREE_KEY } from './records.ts'
import { memoryStore } from './store.ts'
import { EMPTY_ROOT, readAll } from './trie.ts'
import { overlay } from './trie-nodes.ts'

type Records = { readonly [key: string]: AnyRecord | null }

/** Three revisions and their merge; the entries of a side replace those of the base. */
async function merged(
  sides: { readonly base: Records; readonly ours: Records; readonly theirs: Records },
  resolutions: readonly Resolution[] = [],
): Promise<Merge & { readonly all: ReadonlyMap<Key, AnyRecord> }> {
  const store = memoryStore()
  const write = async (from: Hash, records: Records): Promise<Hash> => {
    const made = await commit(store, from, new Map(Object.entries(records) as [Key, AnyRecord | null][]))
    assert.deepEqual(made.problems, [])
    await store.putMany(made.objects)
    return made.root
  }
  await store.putMany([encodeDocument('A.\n'), encodeDocument('B.\n'), encodeDocument('C.\n')])
  const base = await write(EMPTY_ROOT, sides.base)
  const [ours, theirs] = [await write(base, sides.ours), await write(base, sides.theirs)]
  const made = await merge(store, base, ours, theirs, { blocks: paragraphs, resolutions })
  return { ...made, all: await readAll(overlay(store, made.objects), made.root) }
}

const [A, B, C] = ['A.\n', 'B.\n', 'C.\n'].map(text => encodeDocument(text).hash) as [Hash, Hash, Hash]
const tree = (...children: readonly string[]) => ({ [TREE_KEY]: { children } })
const at = (all: ReadonlyMap<Key, AnyRecord>, id: string) => all.get(`page/${id}`) as PageRecord
const LINK: Partial<PageRecord> = {
  ...{ type: 'link', slug: '', document: null },
  target: { kind: 'url', url: 'https://example.com' },
}

describe('the merge of a record', () => {
  it('keeps a variable of any name, and does not take for a value what every object has', async () => {
    const named = (value: string, other: string) =>
      JSON.parse(`{"__proto__":"${value}","constructor":"${other}"}`)
    const base = { ...tree('p'), 'page/p': page({ variables: JSON.parse('{"__proto__":"1"}') }) }
    const { all, conflicts } = await merged({
      base,
      ours: { 'page/p': page({ variables: named('2', 'x') }) },
      theirs: { 'page/p': page({ variables: named('1', 'y'), title: 'Theirs' }) },
    })
    assert.deepEqual(
      conflicts.map(({ field, base }) => ({ field, base })),
      [{ field: 'variables.constructor', base: null }],
    )
    assert.equal(JSON.stringify(at(all, 'p').variables), '{"__proto__":"2","constructor":"x"}')
    assert.equal(at(all, 'p').title, 'Theirs')
  })

  it('takes the mode that one side gave the file, and has no conflict where the other deletes it', async () => {
    const others = (mode: { isExecutable?: true }, words = 'A.\n'): Records => {
      const document = encodeDocument(words).hash
      return {
        'page/p': page({ title: words, ...mode }),
        'reusable/r': { title: words, document, file: 'r.md', ...mode },
        'file/f': {
          ...{ name: words, contentType: 'image/png', size: 1, blob: document, file: 'f.png' },
          ...mode,
        },
      }
    }
    const keys = ['page/p', 'reusable/r', 'file/f'] as const
    for (const [from, to] of [[{}, { isExecutable: true }] as const, [{ isExecutable: true }, {}] as const]) {
      const base = { ...tree('p'), ...others(from) }
      const [edited, mode] = [others(from, 'B.\n'), others(to)]
      for (const sides of [
        { ours: edited, theirs: mode },
        { ours: mode, theirs: edited },
      ]) {
        const { all, conflicts } = await merged({ base, ...sides })
        assert.deepEqual(conflicts, [])
        assert.deepEqual(Object.fromEntries(keys.map(key => [key, all.get(key)])), others(to, 'B.\n'))
      }
      const gone = { ...tree(), 'page/p': null, 'reusable/r': null, 'file/f': null }
      const { all, conflicts } = await merged({ base, ours: gone, theirs: mode })
      assert.deepEqual(conflicts, [])
      assert.deepEqual([...all.keys()], [TREE_KEY])
    }
  })

  it('is decided by its content, not by its oid', async () => {
    const oid = 'd'.repeat(40)
    const file = { name: 'a', contentType: 'text/plain', size: 1, blob: 'a'.repeat(64), file: 'a.txt' }
    const both = await merged({
      base: { ...tree('p'), 'page/p': page({ document: A }), 'file/f': file, 'file/g': file },
      ours: { ...tree(), 'page/p': null, 'file/f': { ...file, blob: 'b'.repeat(64) }, 'file/g': null },
      theirs: {
        'page/p': page({ document: A, oid }),
        'file/f': { ...file, oid },
        'file/g': { ...file, oid },
      },
    })
    assert.deepEqual(both.conflicts, [])
    assert.deepEqual([both.all.get('page/p'), both.all.get('file/g')], [undefined, undefined])
    assert.deepEqual(both.all.get('file/f'), { ...file, blob: 'b'.repeat(64) })
  })

  it('refuses a base that does not exist, an invalid number and an invalid slug', async () => {
    const sides = {
      base: { ...tree('q'), 'page/q': page({ slug: 'q' }), 'variable/n': 1 },
      ours: {
        ...tree('q', 'p'),
        'page/p': page({ title: 'O' }),
        'page/q': page({ slug: 'o' }),
        'variable/n': 2,
      },
      theirs: {
        ...tree('q', 'p'),
        'page/p': page({ title: 'T' }),
        'page/q': page({ slug: 't' }),
        'variable/n': 3,
      },
    }
    const resolutions: Resolution[] = [
      { key: 'page/p', field: 'title', take: 'base' },
      { key: 'page/q', field: 'slug', take: { value: 'a/b' } },
      { key: 'variable/n', field: 'value', take: { value: Number.NaN } },
    ]
    const { all, conflicts, unused } = await merged(sides, resolutions)
    assert.deepEqual(
      unused.map(({ key, reason }) => [key, reason]),
      [...resolutions.map(({ key }) => [key, 'unfit'])],
    )
    assert.equal(conflicts.length, 3)
    assert.deepEqual([at(all, 'p').title, at(all, 'q').slug, all.get('variable/n')], ['O', 'o', 2])
  })

  it('has one conflict for a reusable content that both renamed, with the title that its text says', async () => {
    const reusable = (title: string, document: Hash): Records => ({
      'reusable/r': { title, document, file: '.gitbook/includes/r.md' },
    })
    const sides = { base: reusable('A', A), ours: reusable('B', B), theirs: reusable('C', C) }
    const { conflicts } = await merged(sides)
    assert.deepEqual(
      conflicts.map(({ field, ours, theirs }) => [field, ours, theirs]),
      [['title', 'B', 'C']],
    )
    const settled = await merged(sides, [{ key: 'reusable/r', field: 'title', take: 'theirs' }])
    assert.deepEqual(settled.conflicts, [])
    assert.deepEqual(settled.all.get('reusable/r'), reusable('C', C)['reusable/r'])
  })

  it('shows the text of SUMMARY.md that one removed and the other changed', async () => {
    const sides = { base: { 'git/summary': A }, ours: { 'git/summary': null }, theirs: { 'git/summary': B } }
    const address = { key: 'git/summary', field: 'document' } as const
    const { conflicts, all } = await merged(sides)
    assert.deepEqual(conflicts, [{ kind: 'field', ...address, base: 'A.\n', ours: null, theirs: 'B.\n' }])
    assert.equal(all.get('git/summary'), undefined)
    const settled = await merged(sides, [{ ...address, take: { markdown: 'C.\n' } }])
    assert.equal(settled.all.get('git/summary'), C)
  })
})

describe('the merge of a tree', () => {
  it('keeps both where one made a link of a page and the other put a page below it', async () => {
    const sides = {
      base: { ...tree('p', 'q'), 'page/p': page({ slug: 'p' }), 'page/q': page({ slug: 'q' }) },
      ours: { 'page/p': page(LINK), 'page/q': page({ slug: 'q', title: 'Q of ours' }) },
      theirs: {
        'page/p': page({ slug: 'p', children: ['n'] }),
        'page/n': page({ slug: 'n', parent: 'p' }),
        'page/q': page({ slug: 'q', icon: 'sun' }),
      },
    }
    const { all, conflicts } = await merged(sides)
    assert.deepEqual(conflicts, [
      {
        ...{ kind: 'tree', key: 'page/p', field: 'type', pages: ['n'] },
        ...{ base: 'document', ours: 'link', theirs: 'document' },
      },
    ])
    assert.deepEqual([at(all, 'p').type, at(all, 'n').parent], ['link', null])
    assert.deepEqual([at(all, 'q').title, at(all, 'q').icon], ['Q of ours', 'sun'], 'the rest is merged')
    const theirs = await merged(sides, [{ key: 'page/p', field: 'type', take: 'theirs' }])
    assert.deepEqual(theirs.conflicts, [])
    assert.deepEqual([at(theirs.all, 'p').type, at(theirs.all, 'n').parent], ['document', 'p'])
    assert.equal(at(theirs.all, 'p').target, undefined)
  })

  it('gives a page that was renamed to a slug that is taken the one that it has in ours', async () => {
    const sides = {
      base: { ...tree('p'), 'page/p': page({ slug: 'p' }) },
      ours: { ...tree('p', 'o'), 'page/o': page({ slug: 'new' }) },
      theirs: { 'page/p': page({ slug: 'new' }) },
    }
    const slugs = async (take?: Resolution['take']) => {
      const { all, unused } = await merged(
        sides,
        take === undefined ? [] : [{ key: 'page/p', field: 'slug', take }],
      )
      assert.deepEqual(unused, [])
      return [at(all, 'p').slug, at(all, 'o').slug]
    }
    assert.deepEqual(await slugs(), ['p', 'new'])
    assert.deepEqual(await slugs('ours'), ['p', 'new'])
    assert.deepEqual(await slugs('theirs'), ['new', 'new-1'])
    assert.deepEqual(await slugs({ value: 'other' }), ['other', 'new'])
  })

  it('gives the later of two pages that each side made a number, whichever side is ours', async () => {
    const made = (id: string, createdAt: string): Records => ({
      ...tree(id),
      [`page/${id}`]: page({ title: 'News', slug: 'news', createdAt }),
    })
    const [early, late] = [made('z', '2030-01-01T00:00:00.000Z'), made('a', '2030-01-02T00:00:00.000Z')]
    for (const sides of [
      { ours: early, theirs: late },
      { ours: late, theirs: early },
    ]) {
      const { all, conflicts } = await merged({ base: tree(), ...sides })
      assert.deepEqual(conflicts, [])
      assert.deepEqual([at(all, 'z').slug, at(all, 'a').slug], ['news', 'news-1'])
      assert.deepEqual([at(all, 'z').title, at(all, 'a').title], ['News', 'News'])
    }
  })

  it('cuts a long slug at a whole character to number it', async () => {
    const made = (id: string): Records => ({
      ...tree(id),
      [`page/${id}`]: page({ slug: `a${'\u{10400}'.repeat(49)}` }),
    })
    const { all } = await merged({ base: tree(), ours: made('o'), theirs: made('t') })
    assert.equal(at(all, 't').slug, `a${'\u{10400}'.repeat(48)}-1`)
  })

  it('numbers a thousand slugs that both sides gave away in a few rounds', async () => {
    const made = (who: string): Records => {
      const ids = Array.from({ length: 1000 }, (_, n) => `${who}${n}`)
      return {
        ...tree(...ids),
        ...Object.fromEntries(ids.map((id, n) => [`page/${id}`, page({ slug: `s${n}` })])),
      }
    }
    const { all, conflicts } = await merged({ base: tree(), ours: made('o'), theirs: made('t') })
    assert.deepEqual(conflicts, [])
    assert.deepEqual([at(all, 'o999').slug, at(all, 't999').slug], ['s999', 's999-1'])
  })

  it('settles a thousand slugs that pages were renamed to in a few rounds, each a conflict of its own', async () => {
    const ids = (who: string) => Array.from({ length: 1000 }, (_, n) => `${who}${n}`)
    const pages = (who: string, slug: string): Records =>
      Object.fromEntries(ids(who).map((id, n) => [`page/${id}`, page({ slug: `${slug}${n}` })]))
    const { all, conflicts } = await merged({
      base: { ...tree(...ids('t')), ...pages('t', 'was') },
      ours: { ...tree(...ids('t'), ...ids('o')), ...pages('o', 's') },
      theirs: pages('t', 's'),
    })
    assert.equal(conflicts.length, 1000)
    assert.ok(conflicts.every(({ kind }) => kind === 'slug'))
    assert.deepEqual([at(all, 'o999').slug, at(all, 't999').slug], ['s999', 'was999'])
  })

  it('loses no page that was created below one that moved into a cycle', async () => {
    const sides = {
      base: { ...tree('x', 'y'), 'page/x': page({ slug: 'x' }), 'page/y': page({ slug: 'y' }) },
      ours: {
        ...tree('y'),
        'page/x': page({ slug: 'x', parent: 'y' }),
        'page/y': page({ slug: 'y', children: ['x'] }),
      },
      theirs: {
        ...tree('x'),
        'page/x': page({ slug: 'x', children: ['n'] }),
        'page/n': page({ slug: 'n', parent: 'x', children: ['y'] }),
        'page/y': page({ slug: 'y', parent: 'n' }),
      },
    }
    const { all, conflicts } = await merged(sides)
    assert.deepEqual(
      conflicts.map(({ kind, key, pages }) => [kind, key, [...(pages ?? [])].sort()]),
      [['cycle', 'page/y', ['n', 'x']]],
    )
    assert.deepEqual([at(all, 'y').parent, at(all, 'x').parent, at(all, 'n').parent], [null, 'y', 'x'])
  })

  it('puts pages that were created below a link beside it', async () => {
    const q = page({ slug: 'q', children: ['p'] })
    const { all } = await merged({
      base: { ...tree('q'), 'page/q': q, 'page/p': page({ slug: 'p', parent: 'q' }) },
      ours: { 'page/p': page({ ...LINK, parent: 'q' }) },
      theirs: {
        'page/p': page({ slug: 'p', parent: 'q', children: ['n'] }),
        'page/n': page({ slug: 'n', parent: 'p' }),
      },
    })
    assert.deepEqual([at(all, 'n').parent, at(all, 'q').children], ['q', ['p', 'n']])
  })

  it('keeps the text of a page that is no group because ours moved it below another', async () => {
    const { all, conflicts } = await merged({
      base: { ...tree('p', 'q'), 'page/p': page({ slug: 'p', document: A }), 'page/q': page({ slug: 'q' }) },
      ours: {
        ...tree('q'),
        'page/p': page({ slug: 'p', document: A, parent: 'q' }),
        'page/q': page({ slug: 'q', children: ['p'] }),
      },
      theirs: { 'page/p': page({ slug: 'p', document: B, type: 'group' }) },
    })
    assert.deepEqual(
      conflicts.map(({ kind, field }) => [kind, field]),
      [['tree', 'type']],
    )
    const { type, parent, document } = at(all, 'p')
    assert.deepEqual({ type, parent, document }, { type: 'document', parent: 'q', document: B })
  })

  it('gives three pages with one slug different slugs, whichever changes', async () => {
    const { all, conflicts, unused } = await merged(
      {
        base: {
          ...tree('b', 'q'),
          'page/b': page({ slug: 'b' }),
          'page/q': page({ slug: 'q', children: ['c'] }),
          'page/c': page({ slug: 'c', parent: 'q' }),
        },
        ours: {
          ...tree('a', 'b', 'q'),
          'page/a': page({ slug: 's' }),
          'page/c': page({ slug: 's', parent: 'q' }),
        },
        theirs: {
          ...tree('b', 'c', 'q'),
          'page/b': page({ slug: 's' }),
          'page/c': page({ slug: 'c' }),
          'page/q': page({ slug: 'q' }),
        },
      },
      [
        { key: 'page/b', field: 'slug', take: 'theirs' },
        { key: 'page/c', field: 'slug', take: 'theirs' },
      ],
    )
    assert.deepEqual([conflicts, unused], [[], []])
    assert.deepEqual(
      ['a', 'b', 'c'].map(id => at(all, id).slug),
      ['s-1', 's-2', 's'],
    )
  })

  it('moves back no more than what makes a tree too deep', async () => {
    const chain = (name: string, length: number, parent: string | null, below: readonly string[]): Records =>
      Object.fromEntries(
        Array.from({ length }, (_, n) => [
          `page/${name}${n}`,
          page({
            slug: `${name}${n}`,
            parent: n === 0 ? parent : `${name}${n - 1}`,
            children: n === length - 1 ? below : [`${name}${n + 1}`],
          }),
        ]),
      )
    const x = page({ slug: 'x', children: ['z'] })
    const { all, conflicts } = await merged({
      base: {
        ...tree('r0', 'a0', 'x', 'y'),
        ...chain('r', 11, null, []),
        ...chain('a', 20, null, []),
        ...{ 'page/x': x, 'page/y': page({ slug: 'y' }), 'page/z': page({ slug: 'z', parent: 'x' }) },
      },
      ours: { ...tree('r0', 'x', 'y'), ...chain('r', 11, null, ['a0']), ...chain('a', 20, 'r10', []) },
      theirs: {
        ...tree('r0', 'a0'),
        ...chain('a', 20, null, ['x']),
        'page/x': { ...x, parent: 'a19', children: ['z', 'y'] },
        'page/y': page({ slug: 'y', parent: 'x' }),
      },
    })
    assert.deepEqual(
      conflicts.map(({ kind, key, field }) => [kind, key, field]),
      [['tree', 'page/x', 'parent']],
    )
    assert.deepEqual([at(all, 'a0').parent, at(all, 'x').parent, at(all, 'y').parent], ['r10', null, 'x'])
  })
})

describe('a page that neither side deleted', () => {
  const base = {
    ...tree('p', 'b'),
    'page/p': page({ slug: 'p', children: ['m'] }),
    'page/m': page({ slug: 'm', parent: 'p', document: A }),
    'page/b': page({ slug: 'b' }),
  }
  // Ours deletes where theirs has put it, and theirs deletes where ours has it.
  const ours = { ...tree('p'), 'page/b': null }
  const theirs = {
    ...tree('b'),
    'page/p': null,
    'page/b': page({ slug: 'b', children: ['m'] }),
    'page/m': page({ slug: 'm', parent: 'b', document: A }),
  }
  for (const take of ['ours', 'theirs', 'base'] as const) {
    it(`is kept although both its parents are deleted: taking ${take}`, async () => {
      const open = await merged({ base, ours, theirs })
      const resolutions = open.conflicts.map(({ key, field }) => ({ key, ...(field && { field }), take }))
      const { all, conflicts } = await merged({ base, ours, theirs }, resolutions)
      assert.deepEqual(conflicts, [])
      assert.equal(at(all, 'm').document, A)
    })
  }
})

it('reports unrelated conflicts of a title and a slug at once', async () => {
  const { conflicts } = await merged({
    base: { ...tree('p', 'q'), 'page/p': page({ slug: 'p' }), 'page/q': page({ slug: 'q' }) },
    ours: {
      ...tree('p', 'q', 'new'),
      'page/q': page({ slug: 'q', title: 'Ours' }),
      'page/new': page({ slug: 'news' }),
    },
    theirs: { 'page/p': page({ slug: 'news' }), 'page/q': page({ slug: 'q', title: 'Theirs' }) },
  })
  assert.deepEqual(
    conflicts.map(({ kind }) => kind),
    ['slug', 'field'],
  )
})
