import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { found, indexOf } from '../../../test/support/search-indexes.ts'
import type { SourcePage } from './page-words.ts'
import { parseQuery } from './query.ts'
import { search } from './search.ts'
import type { SearchIndex } from './search-index.ts'
import { buildSegment, mergeSegments, openSegment } from './segment.ts'
import { readWords } from './word-positions.ts'

const RUNS = tried(30)

const WORDS = [
  ...['deploy', 'deploys', 'deployed', 'deployment', 'server', 'servers', 'the', 'of', 'key', 'keys'],
  ...['pg_stat_activity', '--dry-run', 'maxConnections', 'GitHub', 'e-mail', 'v1/orgs/{id}', 'a.b.c'],
  ...['设置', '数据库恢复', '데이터베이스', 'データ', 'ünïcode', 'Straße', 'x'.repeat(70), '.', '\n'],
]
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map(words => words.join(' '))
const section = fc.record({ anchor: fc.constant('a'), heading: text, body: text })
const page = fc.record({
  title: text,
  description: text,
  sections: fc.array(section, { maxLength: 3 }),
})
const site = fc
  .array(page, { maxLength: 12 })
  .map(pages => pages.map((some, index): SourcePage => ({ ...some, id: `page${index}` })))
const query = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([words, isQuoted]) => (isQuoted ? `"${words.join(' ')}"` : words.join(' ')))

/** Pages cut into segments at some places. */
const cutAt = (pages: readonly SourcePage[], cuts: readonly number[]): SourcePage[][] => {
  const places = [...new Set(cuts.map(cut => cut % (pages.length + 1)))].sort((one, other) => one - other)
  return [0, ...places].map((from, index) => pages.slice(from, places[index] ?? pages.length))
}

/** What is found, with the scores as near as sums in another order are. */
const results = (index: SearchIndex, asked: string) => {
  const { count, pages, corrections } = search([index], parseQuery(asked), { limit: 50 })
  const rounded = (score: number) => Math.round(score * 1e4)
  return {
    count,
    corrections,
    pages: pages.map(({ pageId, score, sections }) => ({
      pageId,
      score: rounded(score),
      sections: sections.map(({ ordinal }) => ordinal),
    })),
  }
}

test('merged segments are the segment that is built of all their pages at once, byte for byte', () => {
  fc.assert(
    fc.property(site, fc.array(fc.nat(), { maxLength: 4 }), (pages, cuts) => {
      const parts = cutAt(pages, cuts).map(some => ({
        segment: openSegment(buildSegment(some, 'en')),
        gone: new Set<number>(),
      }))
      assert.deepEqual(new Uint8Array(mergeSegments(parts)), new Uint8Array(buildSegment(pages, 'en')))
    }),
    RUNS,
  )
})

test('the same is found however pages lie in segments, and without removed ones', () => {
  fc.assert(
    fc.property(
      site,
      fc.array(fc.nat(), { maxLength: 4 }),
      fc.array(fc.nat()),
      query,
      (pages, cuts, lost, asked) => {
        const gone = new Set(lost.map(place => `page${place % 12}`))
        const whole = indexOf(
          'en',
          pages.filter(({ id }) => !gone.has(id)),
        )
        const parts = cutAt(pages, cuts).map(some => {
          const segment = openSegment(buildSegment(some, 'en'))
          return { segment, gone: new Set(some.flatMap(({ id }, slot) => (gone.has(id) ? [slot] : []))) }
        })
        const cut: SearchIndex = { language: 'en', parts, bytes: 0, pages: whole.pages }
        const merged = indexOf('en')
        const segment = openSegment(mergeSegments(parts))
        assert.equal(segment.pages, whole.pages)
        const expected = results(whole, asked)
        assert.deepEqual(results(cut, asked), expected)
        assert.deepEqual(results({ ...merged, parts: [{ segment, gone: new Set() }] }, asked), expected)
      },
    ),
    RUNS,
  )
})

test('every word of a page finds the page', () => {
  fc.assert(
    fc.property(site, pages => {
      const index = indexOf('en', pages)
      for (const { id, title, description, sections } of pages) {
        const texts = [title, description, ...sections.flatMap(({ heading, body }) => [heading, body])]
        for (const some of texts)
          readWords(some, word =>
            assert.ok(found(index, word.written, 50).includes(id), `${word.text} of ${id}`),
          )
      }
    }),
    tried(20),
  )
})

test('any text is read, and what is found by its own first words is it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), strange => {
      const index = indexOf('en', [
        { id: 'it', title: '', description: '', sections: [{ anchor: '', heading: '', body: strange }] },
      ])
      let isAny = false
      readWords(strange, () => {
        isAny = true
      })
      if (isAny) assert.deepEqual(found(index, strange.replaceAll(/["“”„«»「」『』]/g, ' ')), ['it'])
    }),
    RUNS,
  )
})
