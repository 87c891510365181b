import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { anyCharacter } from '../../../test/support/characters.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { readDocument } from '../../api/rendering/openapi/document.ts'
import { sampleDocument } from '../../api/rendering/openapi/sample.ts'
import { type Reference, renderReference } from './reference.ts'

const linksOf = (markup: string): string[] =>
  [...markup.matchAll(/href="(\/docs[^"#]*)/g)].map(match => (match[1] as string).replaceAll('&amp;', '&'))

/** Every page that can be reached from the first one by links, with its markup. */
function walk(reference: Reference): Map<string, string> {
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const page = reference.find(path)
    assert.ok(page, `a link leads to ${path}, where no page is`)
    pages.set(path, page.body.markup)
    waiting.push(...linksOf(page.body.markup))
  }
  return pages
}

const pageOf = (root: object, path: string): string => {
  const page = renderReference(root).find(path)
  assert.ok(page, path)
  return page.body.markup
}

const plain = (markup: string): string => markup.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

test('every operation and schema has a page, and every link leads to one', () => {
  const pages = [...walk(renderReference(sampleDocument)).keys()].sort()
  assert.deepEqual(pages, [
    '/docs',
    '/docs/operations/createSpace',
    '/docs/operations/deleteSpaceById',
    '/docs/operations/getAuthenticatedUser',
    '/docs/operations/getSpaceById',
    '/docs/operations/listPages',
    '/docs/operations/listSpaces',
    '/docs/schemas',
    '/docs/schemas/Error',
    '/docs/schemas/MergeRules',
    '/docs/schemas/Space',
  ])
})

test('operations without an id of their own, or with a taken one, have pages too', () => {
  const paths = { '/a/{b}': { get: {} }, '/c': { get: { operationId: 'x' }, put: { operationId: 'x' } } }
  const operations = [...walk(renderReference({ paths })).keys()].filter(path => path.includes('operations'))
  const ids = ['get-a-b', 'x', 'x-2']
  assert.deepEqual(
    operations.sort(),
    ids.map(id => `/docs/operations/${id}`),
  )
})

test('a document with more operations than anybody reads is cut', () => {
  const paths = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`/${n}`, { get: {} }]))
  assert.equal(readDocument({ paths }).operations.length, 2000)
})

test('references lead into the document only', () => {
  const { resolve } = readDocument(sampleDocument)
  assert.equal(resolve({ $ref: '#/info/title' }), 'Octavo')
  for (const $ref of ['#/__proto__', '#/info/constructor', '#/info/title/length', 'other.json#/info', '#'])
    assert.equal(resolve({ $ref }), undefined, $ref)
})

test('what does not exist has no page', () => {
  const reference = renderReference(sampleDocument)
  for (const path of ['/docs/operations/nothing', '/docs/schemas/__proto__', '/docs/', ''])
    assert.equal(reference.find(path), undefined)
})

test('the first page says what holds everywhere, and lists operations by group in the order of the document', () => {
  const text = plain(pageOf(sampleDocument, '/docs'))
  for (const words of ['https://docs.example.com/v1', 'The request breaks a rule.'])
    assert.ok(text.includes(words), words)
  for (const section of ['Authentication', 'Errors', 'Pagination', 'Conditional reads'])
    assert.ok(text.includes(section), section)
  const groups = [...pageOf(sampleDocument, '/docs').matchAll(/<h3 id="group-[^"]*">([^<]*)/g)].map(
    match => match[1],
  )
  assert.deepEqual(groups, ['Accounts', 'Spaces', 'Content'])
})

test('an operation shows its address, who may call it, its parameters, body, replies and a request', () => {
  const text = plain(pageOf(sampleDocument, '/docs/operations/createSpace'))
  for (const words of [
    'POST/spaces',
    'Needs the role create on the organization and the scope space:write on a narrowed token.',
    'title',
    'at most 50 characters',
    'required',
    'Request body',
    '201',
    'Location',
    'Its address.',
    'Not there, or not visible to you.',
    'curl -X POST',
    'Authorization: Bearer $OCTAVO_TOKEN',
  ])
    assert.ok(text.includes(words), words)
  assert.equal(text.split('Needs the role').length, 2, 'the required role is stated once')
  assert.ok(plain(pageOf(sampleDocument, '/docs/operations/deleteSpaceById')).includes('Deprecated'))
  assert.ok(
    plain(pageOf(sampleDocument, '/docs/operations/getSpaceById')).includes('Can be called without a token.'),
  )
})

test('an operation shows every content type of its body and of its answers, and every named example', () => {
  const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })
  const content = (word: string) => ({
    'application/json': {
      schema: schema(`${word}InJson`),
      examples: { one: { summary: `A small ${word}`, value: { size: `${word}-1` } }, two: { value: 2 } },
    },
    'application/xml': { schema: schema(`${word}InXml`), example: `<${word}/>` },
  })
  const root = {
    openapi: '3.1.0',
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          parameters: [
            { name: 'kind', in: 'query', examples: { old: { summary: 'An old kind', value: 'k1' } } },
          ],
          requestBody: { content: content('order') },
          responses: { 200: { description: 'Fine', content: content('answer') } },
        },
      },
    },
  }
  const text = plain(pageOf(root, '/docs/operations/createThing'))
  for (const word of ['order', 'answer'])
    for (const words of [
      `${word}InJson`,
      'application/xml',
      `${word}InXml`,
      `&lt;${word}/&gt;`,
      `A small ${word}`,
      `${word}-1`,
      'two',
    ])
      assert.ok(text.includes(words), `${words}: ${text}`)
  assert.match(text, /An old kind k1/)
})

test('operations of one title are distinguished by their paths in the list', () => {
  const twin = (summary: string) => ({ get: { summary, tags: ['Content'] } })
  const paths = {
    '/s/{id}': twin('One'),
    '/s/{id}/content/pages': twin('Pages'),
    '/s/{id}/content/document': twin('Document'),
    '/s/{id}/revisions/{r}/pages': twin('Pages'),
    '/s/{id}/document': twin('Document'),
  }
  const sidebar = pageOf({ paths }, '/docs').split('</nav>')[0] as string
  const addresses = [...sidebar.matchAll(/<code>([^<]*)<\/code>/g)].map(match => match[1])
  assert.deepEqual(addresses, ['content/…', 'content/…', 'revisions/{r}/…'])
})

test('a schema names the operations that use it itself', () => {
  const users = (name: string) =>
    [
      ...pageOf(sampleDocument, `/docs/schemas/${name}`)
        .split('id="used-by"')[1]!
        .matchAll(/href="\/docs\/operations\/(\w+)"/g),
    ].map(match => match[1])
  assert.deepEqual(users('Space'), ['listSpaces', 'createSpace', 'getSpaceById'])
  assert.deepEqual(users('MergeRules'), ['createSpace'])
})

test('search finds by word, method, path and schema, all words together', () => {
  const hits = (query: string) => linksOf(renderReference(sampleDocument).searchFragment(query).markup)
  assert.deepEqual(hits('create space'), ['/docs/operations/createSpace'])
  assert.deepEqual(hits('DELETE spaces'), ['/docs/operations/deleteSpaceById'])
  assert.deepEqual(hits('mergerules'), ['/docs/schemas/MergeRules'])
  assert.deepEqual(hits('space zebra'), [])
  assert.match(renderReference(sampleDocument).searchFragment('<b>').markup, /Nothing found for “&lt;b&gt;”/)
})

test('pages are made once for a document', () => {
  const root = structuredClone(sampleDocument)
  assert.equal(renderReference(root), renderReference(root))
  assert.equal(renderReference(root).find('/docs'), renderReference(root).find('/docs'))
  assert.equal(renderReference(root).hash, renderReference(sampleDocument).hash)
  const changed = { ...root, info: { title: 'Other' } }
  assert.notEqual(renderReference(changed).hash, renderReference(root).hash)
})

test('no page needs anything inline, and none loads from elsewhere', () => {
  for (const [path, markup] of walk(renderReference(sampleDocument))) {
    assert.doesNotMatch(markup, /<script|<style|\sstyle=|\son\w+=|src=|javascript:/i, path)
  }
})

test('nothing that a document says becomes markup', () => {
  const evil = '<img src=x onerror=alert(1)>"\'><script>alert(1)</script>[a](javascript:alert(1))`<b>`**<i>**'
  const replace = (value: unknown): unknown =>
    typeof value === 'string' &&
    !value.startsWith('#/') &&
    !['path', 'query', 'object', 'array', 'string'].includes(value)
      ? evil
      : Array.isArray(value)
        ? value.map(replace)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value).map(([key, one]) => [
                key === 'title' || key === 'createdAt' ? evil : key,
                replace(one),
              ]),
            )
          : value
  for (const [path, markup] of walk(renderReference(replace(sampleDocument) as object))) {
    assert.doesNotMatch(markup, /<(?:img|script|b|i)\b|href="javascript/i, path)
  }
})

test('any JSON at all is read without an exception, and what is shown is linked', () => {
  const keyword = fc.constantFrom(
    '$ref',
    'type',
    'properties',
    'items',
    'anyOf',
    'allOf',
    'required',
    'enum',
    'schema',
    'content',
    'example',
    'parameters',
    'responses',
    'get',
    'description',
    'name',
    'in',
    '__proto__',
  )
  const leaf = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constant('\ud800'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(
      '#/components/schemas/A',
      '#/components/schemas/A/properties/x',
      'object',
      'array',
      'path',
      '#/',
    ),
  )
  const { node } = fc.letrec<{ node: unknown }>(tie => ({
    node: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(keyword, tie('node'), { maxKeys: 5 }),
    ),
  }))
  const root = fc.record(
    {
      info: node,
      servers: node,
      tags: node,
      security: node,
      paths: fc.oneof(node, fc.dictionary(fc.string(), fc.dictionary(keyword, node))),
      components: fc.record({
        schemas: fc.oneof(node, fc.dictionary(fc.constantFrom('A', 'B', '\ud800'), node)),
        responses: node,
      }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(root, fc.string(), (document, query) => {
      const reference = renderReference(document)
      walk(reference)
      reference.search(query)
    }),
    tried(120),
  )
})

test('a document of 500 operations with deep schemas is shown', () => {
  let schema: unknown = { type: 'string' }
  for (let depth = 0; depth < 200; depth++)
    schema = { type: 'object', properties: { a: schema, b: { $ref: '#/components/schemas/Deep' } } }
  const operations = Array.from({ length: 500 }, (_, n) => [
    `/things/${n}`,
    { get: { tags: ['Things'], responses: { 200: { content: { 'application/json': { schema } } } } } },
  ])
  const reference = renderReference({
    paths: Object.fromEntries(operations),
    components: { schemas: { Deep: schema } },
  })
  assert.ok(reference.find('/docs'))
  assert.ok(reference.find('/docs/operations/get-things-1'))
  assert.ok(reference.find('/docs/schemas/Deep'))
})

const CORPUS = new URL('../../../../shared/corpus/openapi/', import.meta.url)
const FILES = ['museum-3.1.yaml', 'petstore-3.0.yaml', 'petstore-v2-separate/spec/swagger.yaml']

for (const file of FILES) {
  const path = new URL(file, CORPUS)
  test(`a description somebody else wrote is shown: ${file}`, {
    skip: existsSync(path) ? false : 'the corpus is not beside the checkout',
  }, () => {
    const root = parse(readFileSync(path, 'utf8')) as { paths: Record<string, object> }
    const pages = walk(renderReference(root))
    const methods = Object.values(root.paths).flatMap(item =>
      Object.keys(item).filter(key => key !== 'parameters'),
    )
    assert.equal(
      [...pages.keys()].filter(page => page.startsWith('/docs/operations/')).length,
      methods.length,
    )
  })
}
