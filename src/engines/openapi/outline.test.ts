import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OutlinePage, outlineOf } from './outline.ts'

const operation = (tags: string[], more: object = {}) => ({ tags, responses: {}, ...more })

const titles = (pages: readonly OutlinePage[]): unknown[] =>
  pages.map(({ title, operations, pages }) => [
    title,
    operations.map(({ method, path }) => `${method} ${path}`),
    ...(pages.length === 0 ? [] : [titles(pages)]),
  ])

test('operations are on the page of their first listed tag, and pages are nested as tags are', () => {
  const { tags } = outlineOf({
    tags: [
      { name: 'people' },
      { name: 'team-members', 'x-parent': 'people', 'x-page-title': 'Members' },
      { name: 'above' },
      { name: 'below', parent: 'above', 'x-displayName': 'Below it' },
      { name: 'unused' },
    ],
    paths: {
      '/a': { get: operation(['unlisted', 'people']), post: operation(['new-one']) },
      '/b': { $ref: '#/components/pathItems/a%20reference' },
      '/c': { get: { responses: {} } },
    },
    components: {
      pathItems: {
        'a reference': { $ref: '#/components/pathItems/b' },
        b: { get: operation(['below']), put: operation(['team-members']) },
      },
    },
  })
  assert.deepEqual(titles(tags), [
    ['People', ['get /a'], [['Members', ['put /b']]]],
    ['Above', [], [['Below it', ['get /b']]]],
    ['New One', ['post /a']],
    ['Default', ['get /c']],
  ])
})

test('what is marked as internal has no page', () => {
  const outline = outlineOf({
    tags: [{ name: 'hidden', 'x-internal': true }],
    paths: {
      '/a': { get: operation(['hidden']), put: operation(['shown'], { 'x-gitbook-ignore': true }) },
      '/b': { get: operation(['shown'], { summary: 'Read' }) },
    },
    components: { schemas: { A: {}, B: { 'x-internal': true } } },
  })
  assert.deepEqual(titles(outline.tags), [['Shown', ['get /b']]])
  assert.deepEqual(outline.models, ['A'])
})

test('the description of the whole has a page for each heading, without those in code', () => {
  const { info } = outlineOf({
    info: { description: 'lost\n# One\nwords\n```\n# no heading\n```\n## Below\nmore\n# Two\n' },
  })
  assert.deepEqual(
    info.map(({ title, text, pages }) => [title, text, titles(pages)]),
    [
      ['One', 'words\n```\n# no heading\n```\n', [['Below', []]]],
      ['Two', '\n', []],
    ],
  )
})

test('tags in a circle keep their operations, and what is no specification at all, end', () => {
  const circle = [
    { name: 'a', parent: 'b' },
    { name: 'b', parent: 'a' },
    { name: 'c', parent: 'c' },
  ]
  const paths = { '/a': { get: operation(['a']) }, '/c': { get: operation(['c']) } }
  assert.deepEqual(titles(outlineOf({ tags: circle, paths }).tags), [
    ['A', ['get /a']],
    ['C', ['get /c']],
  ])
  for (const odd of [undefined, [], { paths: [1], tags: { a: 1 }, info: 3 }, { paths: { '/': 'x' } }])
    assert.deepEqual(outlineOf(odd), { info: [], tags: [], models: [] })
})

test('texts end where there is no more room', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [
      `/${at}`,
      { get: operation([], { description: 'x'.repeat(30_000) }) },
    ]),
  )
  const texts = outlineOf({ paths }).tags.flatMap(({ operations }) =>
    operations.map(({ text }) => text.length),
  )
  assert.equal(texts[0], 20_000)
  assert.equal(
    texts.reduce((sum, length) => sum + length),
    1_000_000,
  )
})
