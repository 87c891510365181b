import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf, jsonExcerpt } from './json-excerpt.ts'

const page = (id: string, type = 'document', pages: object[] = []) => ({
  ...{ id, title: id.toUpperCase(), type, path: `p/${id}`, layout: { cover: true }, pages },
})
const tree = { pages: [page('a', 'document', [page('b', 'group', [page('c')])]), page('d')] }
const idsOf = (excerpt: unknown) => (excerpt as { pages: { id: string }[] }).pages.map(({ id }) => id)

test('a piece of a tree has its pages in the order of the navigation, and the count of all of the types', () => {
  const types = ['document', 'group']
  const whole = excerptOf(tree, { kind: 'pages', types, which: 'all', from: 0, max: 9 })
  assert.deepEqual(whole, {
    pages: [
      { id: 'a', title: 'A', type: 'document', level: 0, path: 'p/a' },
      { id: 'b', title: 'B', type: 'group', level: 1, path: 'p/b' },
      { id: 'c', title: 'C', type: 'document', level: 2, path: 'p/c' },
      { id: 'd', title: 'D', type: 'document', level: 0, path: 'p/d' },
    ],
    count: 4,
  })
  const some = excerptOf(tree, { kind: 'pages', types: ['document'], which: 'all', from: 1, max: 1 })
  assert.deepEqual([idsOf(some), (some as { count: number }).count], [['c'], 3])
  assert.deepEqual(idsOf(excerptOf(tree, { kind: 'pages', types, which: 'all', from: 9, max: 9 })), [])
})

test('pieces of a page are of whole characters, and make up its text', () => {
  const markdown = 'ab🙂cd🙂🙂e'
  for (const max of [2, 3, 4, 5]) {
    let text = ''
    for (let from = 0; from < markdown.length; ) {
      const piece = excerptOf({ id: 'a', markdown, pages: [tree] }, { kind: 'page', from, max })
      const { page, markdown: part, length } = piece as { page: object; markdown: string; length: number }
      assert.deepEqual([page, length, part.isWellFormed()], [{ id: 'a' }, markdown.length, true])
      text += part
      from += part.length
    }
    assert.equal(text, markdown)
  }
})

test('a value keeps its shape, without what is not wanted, and its texts together are no longer than that', () => {
  const value = { a: 'abc', list: [{ text: 'defg', git: 'x' }, 'hi'], n: 1, yes: true, no: null }
  const excerpt = (charactersMax: number) =>
    excerptOf(value, { kind: 'value', charactersMax, without: ['git'] })
  assert.deepEqual(excerpt(9), { ...value, list: [{ text: 'defg' }, 'hi'] })
  assert.deepEqual(excerpt(5), { ...value, list: [{ text: 'de…' }, '…'] })
})

test('it is read from bytes at any offset of their buffer', () => {
  const bytes = new TextEncoder().encode('....{"a":"é"}')
  const given = {
    bytes: bytes.subarray(4),
    excerpt: { kind: 'value', charactersMax: 9, without: [] },
  } as const
  assert.deepEqual(jsonExcerpt(given, {}), { a: 'é' })
})
