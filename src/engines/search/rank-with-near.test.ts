import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { parseQuery } from './query.ts'
import { isQuestionLike } from './question-like.ts'
import { firstPages, type NearPageAt, rankWithNear } from './rank-with-near.ts'
import { rank } from './search.ts'

const words = (key: string, score: number, covered: number, isExact = false) => ({
  ...{ key, score, covered, isExact },
})
const near = (key: string, closeness: number, isNear = true) => ({ key, closeness, isNear })
const order = (...given: Parameters<typeof rankWithNear>) => rankWithNear(...given).map(({ key }) => key)

test('what is near alone never comes before a page with the words of the query', () => {
  assert.deepEqual(order([words('a', 10, 1), words('b', 3, 0.4)], [near('n', 1)]), ['a', 'n', 'b'])
})

test('where the best has little of the query, what is near comes first', () => {
  assert.deepEqual(order([words('a', 4, 0.3), words('b', 3.9, 0.3)], [near('n', 1)]), ['n', 'a', 'b'])
})

test('of pages with words, those that are near move up', () => {
  const pages = [words('a', 10, 0.8), words('b', 9, 0.7), words('c', 8, 0.7)]
  assert.deepEqual(order(pages, [near('c', 0.9, false)]), ['c', 'a', 'b'])
})

test('a page whose title is the query stays first', () => {
  assert.deepEqual(order([words('a', 10, 1, true), words('b', 9.9, 1)], [near('b', 1)]), ['a', 'b'])
})

test('what is not near enough does not join, and alone it is all there is', () => {
  assert.deepEqual(order([words('a', 10, 0.3)], [near('n', 0.9, false)]), ['a'])
  const found = rankWithNear([], [near('n', 0.5), near('m', 0.8)])
  assert.deepEqual(
    found.map(({ key, isByMeaning }) => [key, isByMeaning]),
    [
      ['m', true],
      ['n', true],
    ],
  )
  assert.ok(found.every(({ score }) => score > 0))
})

test('the first pages and the others are all pages, each once', () => {
  const pages = Array.from({ length: 150 }, (_, at) =>
    sourcePage(`p${at}`, `Page ${at}`, `${'quokka '.repeat(1 + (at % 40))}${'filler '.repeat(at)}`),
  )
  const ranking = rank([indexOf('en', pages)], parseQuery('quokka'))
  const inOrder = ranking.read({ limit: 1_000 }).pages.map(({ pageId }) => pageId)
  const [last = '', middle = '', second = ''] = [inOrder[149], inOrder[70], inOrder[1]]
  const close: NearPageAt[] = [last, middle, second, 'alone'].map((key, at) => ({
    ...near(key, 1 - at / 10),
    at: key === 'alone' ? undefined : { index: 0, pageId: key },
  }))
  const first = firstPages(ranking, close, ({ pageId }) => pageId)
  assert.equal(first.alone, 1)
  const rest = ranking.read({ limit: 1_000, after: first.rest, without: first.without })
  const all = [...first.pages.map(({ key }) => key), ...rest.pages.map(({ pageId }) => pageId)]
  assert.deepEqual(all.toSorted(), [...inOrder, 'alone'].toSorted())
  assert.ok(all.indexOf(middle) < 20)
})

test('a question or a phrase is one of three telling words, and no quotation', () => {
  const isOne = (text: string) => isQuestionLike(parseQuery(text), ['en'])
  for (const text of [
    'change the footer everywhere',
    'How do I get my data back again?',
    '如何配置代理服务器地址',
  ])
    assert.equal(isOne(text), true, text)
  for (const text of [
    '',
    'footer',
    'how do I',
    'change footers',
    'pg_stat_activity',
    '"change the footer" now',
    '代理',
    '代理服务器',
  ])
    assert.equal(isOne(text), false, text)
})
