import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileRecord, PageRecord, ReusableRecord } from '../../engines/content/records.ts'
import { differingOfFile, differingOfPage, differingOfReusable, type PageAttribute } from './attributes.ts'

const PAGE: PageRecord = {
  type: 'document',
  title: 'Before',
  slug: 'before',
  parent: null,
  children: [],
  document: 'a'.repeat(64),
}
const FILE: FileRecord = {
  name: 'a.png',
  contentType: 'image/png',
  size: 1,
  blob: 'a'.repeat(64),
  file: 'a.png',
}
const REUSABLE: ReusableRecord = { title: 'Note', document: 'a'.repeat(64), file: 'note.md' }

/** A change of every field that a page can have. */
const CHANGED: Required<Pick<PageRecord, Exclude<PageAttribute, 'git'> | 'file'>> = {
  type: 'computed',
  title: 'After',
  linkTitle: 'Aft',
  slug: 'after',
  document: 'b'.repeat(64),
  file: 'after.md',
  emoji: '📖',
  icon: 'rocket',
  description: 'Words',
  hidden: true,
  noIndex: true,
  noRobotsIndex: true,
  layout: { outline: false },
  cover: { yPos: 0, ref: { kind: 'url', url: 'https://pictures.test/' } },
  variables: { a: 1 },
  target: { kind: 'url', url: 'https://a.test/' },
  computed: { type: 'builtin:openapi' },
}

const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)

describe('what is reported of a record', () => {
  it('is every field of a page that differs, whichever it is, and no other', () => {
    for (const [field, value] of Object.entries(CHANGED)) {
      const reported = names(differingOfPage(PAGE, { ...PAGE, [field]: value }, true))
      const expected = field === 'file' ? 'git' : field
      // A page of another type has neither slug nor layout.
      assert.deepEqual(reported, field === 'type' ? ['type', 'slug', 'layout'] : [expected])
    }
    assert.deepEqual(differingOfPage(PAGE, { ...PAGE }, true), [])
  })

  it('leaves out the place, which is a move, the time of the edit, the document id and the mode', () => {
    const inRepository = { oid: 'f00', isExecutable: true } as const
    const after = { ...PAGE, parent: 'p', children: ['c'], createdAt: '2020', updatedAt: '2021' }
    assert.deepEqual(differingOfPage(PAGE, { ...after, ...inRepository }, true), [])
    assert.deepEqual(differingOfFile(FILE, { ...FILE, ...inRepository }, true), [])
    assert.deepEqual(differingOfReusable(REUSABLE, { ...REUSABLE, ...inRepository }, true), [])
  })

  it('takes an absent field for its default', () => {
    const written = { ...PAGE, hidden: false, noIndex: false, layout: { outline: true, cover: true } }
    assert.deepEqual(differingOfPage(PAGE, written, true), [])
    const [layout] = differingOfPage(PAGE, { ...PAGE, layout: { outline: false } }, true)
    assert.equal(Object.keys(layout?.before as object).length, 9)
  })

  it('has the target of a link, and no slug, because a link has none', () => {
    const link = { ...PAGE, type: 'link', slug: '', document: null } as const
    const target = { kind: 'page', page: 'x' } as const
    assert.deepEqual(names(differingOfPage(link, { ...link, slug: 'x', target }, true)), ['target'])
  })

  it('is of a file its name, type, size, dimensions and bytes, the bytes by their address', () => {
    const of = (change: Partial<FileRecord>) => names(differingOfFile(FILE, { ...FILE, ...change }, true))
    assert.deepEqual(of({ name: 'b.png' }), ['name', 'downloadURL'])
    assert.deepEqual(of({ contentType: 'image/gif' }), ['downloadURL', 'contentType'])
    assert.deepEqual(of({ blob: 'b'.repeat(64), oid: 'f00' }), ['downloadURL'])
    assert.deepEqual(of({ size: 2 }), ['size'])
    assert.deepEqual(of({ dimensions: { width: 1, height: 1 } }), ['dimensions'])
    assert.deepEqual(of({ file: 'b/a.png' }), ['git'])
  })

  it('is of a reusable content its title and its document', () => {
    const of = (change: Partial<ReusableRecord>) =>
      names(differingOfReusable(REUSABLE, { ...REUSABLE, ...change }, true))
    assert.deepEqual(of({ title: 'Notes' }), ['title'])
    assert.deepEqual(of({ document: 'b'.repeat(64) }), ['document'])
    assert.deepEqual(of({ file: 'notes.md' }), ['git'])
  })

  it('leaves the repository out where it is not asked for', () => {
    assert.deepEqual(differingOfPage(PAGE, { ...PAGE, file: 'b.md' }, false), [])
    assert.deepEqual(differingOfFile(FILE, { ...FILE, file: 'b.png' }, false), [])
  })
})
