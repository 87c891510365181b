// Where indexes come from: what one finds never hangs on the way it was made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { serverBeside } from '../../../test/support/server.ts'
import { world, worldOn } from '../../../test/support/world.ts'
import { parseQuery } from '../../engines/search/query.ts'
import { search } from '../../engines/search/search.ts'
import type { SearchIndex } from '../../engines/search/search-index.ts'
import type { SearchedHead, SearchIndexes } from '../../http/context.ts'
import { createObjectStore } from '../content/objects.ts'
import { findSpace } from '../spaces/rows.ts'
import { createSearchIndexes } from './indexes.ts'

const w = await world()
const MIB = 1024 * 1024
const newIndexes = (bytesMax = 64 * MIB): SearchIndexes => createSearchIndexes(w.services, bytesMax)

async function headOf(id: string): Promise<SearchedHead> {
  const space = await findSpace(w.services.db, id)
  assert.ok(space !== undefined)
  return { id, root: space.root_hash.toString('hex'), language: space.language }
}

/** The pages with their sections that an index finds for a word. */
const findIn = (index: SearchIndex | undefined, word: string) => {
  assert.ok(index !== undefined)
  const { count, pages } = search([index], parseQuery(word), { limit: 1_000 })
  assert.equal(pages.length, count)
  return pages
    .map(({ pageId, sections }) => ({ pageId, sections: sections.map(({ ordinal }) => ordinal).sort() }))
    .sort((a, b) => (a.pageId < b.pageId ? -1 : 1))
}

const WORDS = ['quokka', 'wombat', 'numbat', 'bilby', 'dingo', 'koala', 'emu', 'ibis']
const word = fc.constantFrom(...WORDS)
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), word, other: word }),
  fc.record({ kind: fc.constant('update' as const), at: fc.nat(), word }),
  fc.record({ kind: fc.constant('retitle' as const), at: fc.nat(), word }),
  fc.record({ kind: fc.constant('hide' as const), at: fc.nat(), noIndex: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
)

test('an index that followed every edit finds what one finds that is made anew', async () => {
  const textOf = (...words: string[]) => ({
    markdown: `# ${words[0]}\n\nOf ${words[0]}.\n\n## More\n\n${words.join(' and ')}\n`,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
      const files = Object.fromEntries(WORDS.map((one, at) => [`p${at}.md`, textOf(one).markdown]))
      const id = await spaceWith(w, files)
      const pagesOf = async (): Promise<string[]> =>
        (await w.call('GET', `/spaces/${id}/content/pages`)).body.pages.map((page: { id: string }) => page.id)
      const followed = newIndexes()
      await followed.get(await headOf(id))
      for (const one of changes) {
        const pages = await pagesOf()
        const page = 'at' in one ? pages[one.at % pages.length] : undefined
        if ('at' in one && page === undefined) continue
        if (one.kind === 'insert')
          await edit(w, liveAt(id), {
            operation: 'insert_page',
            title: one.other,
            document: textOf(one.word, one.other),
          })
        else if (one.kind === 'update')
          await edit(w, liveAt(id), { operation: 'update_page', page, document: textOf(one.word) })
        else if (one.kind === 'retitle')
          await edit(w, liveAt(id), { operation: 'update_page', page, title: one.word })
        else if (one.kind === 'hide')
          await edit(w, liveAt(id), { operation: 'update_page', page, noIndex: one.noIndex })
        else await edit(w, liveAt(id), { operation: 'delete_page', page })
        const head = await headOf(id)
        const [kept, anew] = [await followed.get(head), await newIndexes().get(head)]
        for (const asked of [...WORDS, 'more', 'kuokka', 'quokka wombat'])
          assert.deepEqual(findIn(kept, asked), findIn(anew, asked), asked)
        assert.equal(kept?.pages, anew?.pages)
      }
      assert.equal(followed.counts().builds, 1, 'one index was made whole')
      await followed.end()
    }),
    tried(5),
  )
})

test('who asks at once waits for one index, and spaces with one content share it', async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n\nquokka\n' })
  const indexes = newIndexes()
  const head = await headOf(id)
  const asked = await Promise.all(Array.from({ length: 5 }, () => indexes.get(head)))
  assert.equal(new Set(asked).size, 1)
  const { body: copy } = await w.call('POST', `/spaces/${id}/duplicate`)
  assert.equal(await indexes.get(await headOf(copy.id)), asked[0])
  // The one that goes on leaves the index of the other alone.
  await edit(w, liveAt(id), { operation: 'insert_page', title: 'B', document: { markdown: 'wombat\n' } })
  const after = await indexes.get(await headOf(id))
  assert.equal(findIn(after, 'wombat').length, 1)
  assert.equal(indexes.peek(await headOf(copy.id)), asked[0])
  const { builds, updates, indexes: count } = indexes.counts()
  assert.deepEqual({ builds, updates, count }, { builds: 1, updates: 1, count: 2 })
})

test('the language of a space is part of what its index is made for', async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n\nHäuser\n' })
  const head = await headOf(id)
  const indexes = newIndexes()
  const [english, german] = [await indexes.get(head), await indexes.get({ ...head, language: 'de' })]
  assert.notEqual(english, german)
  assert.equal(german?.language, 'de')
})

test('an index that is too large is made for the search that waits for it, and is not kept', async () => {
  const small = await worldOn(await serverBeside({ OCTAVO_SEARCH_MEMORY: '2000' }))
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `p${at}.md`,
      `# P${at}\n\nOkapi number ${at} ${'of many '.repeat(50)}.\n`,
    ]),
  )
  const id = await spaceWith(small, files)
  for (const expected of [0, 0]) {
    const { body } = await small.call('GET', `/spaces/${id}/search?query=okapi&limit=50`)
    assert.deepEqual([body.count, body.items.length], [40, 40])
    assert.equal(small.services.searchIndexes.counts().bytes, expected)
  }
  const { builds } = small.services.searchIndexes.counts()
  assert.equal(builds, 2)
  small.services.searchIndexes.prepare([await headOf(id)])
  await small.services.searchIndexes.end()
  assert.equal(small.services.searchIndexes.counts().builds, builds, 'it is not made ahead again')
})

test('the least recently used index goes first', async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, (_, at) => spaceWith(w, { 'a.md': `# A${at}\n\n${'quokka '.repeat(500)}\n` })),
  )
  const heads = await Promise.all(ids.map(headOf))
  const measured = newIndexes()
  await measured.get(heads[0] as SearchedHead)
  const bytesMax = Math.ceil(measured.counts().bytes * 2.5)
  const indexes = newIndexes(bytesMax)
  const [a, b, c, d] = heads as [SearchedHead, SearchedHead, SearchedHead, SearchedHead]
  await indexes.get(a)
  await indexes.get(b)
  await indexes.get(a)
  await indexes.get(c)
  assert.deepEqual(
    [a, b, c, d].map(head => indexes.peek(head) !== undefined),
    [true, false, true, false],
  )
  assert.ok(indexes.counts().bytes <= bytesMax)
})

test('where what an index was made of was swept, the next is made anew', async () => {
  const id = await spaceWith(w, { 'a.md': '# A\n\nquokka\n' })
  const indexes = createSearchIndexes(
    { ...w.services, objects: createObjectStore(w.services.db, 1) },
    64 * MIB,
  )
  const before = await headOf(id)
  await indexes.get(before)
  await edit(w, liveAt(id), { operation: 'insert_page', title: 'B', document: { markdown: 'wombat\n' } })
  await sql`delete from objects where hash = ${Buffer.from(before.root, 'hex')}`.execute(w.services.db)
  assert.equal(findIn(await indexes.get(await headOf(id)), 'wombat').length, 1)
  assert.equal(indexes.counts().builds, 2)
})
