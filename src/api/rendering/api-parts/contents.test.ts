// Bodies of several content types, named examples, alternatives that a field tells apart, and fields of one direction.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWritten } from '../../../base/written-numbers.ts'
import { drawPart } from './draw.ts'
import { writePart } from './write.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const specification = (operation: object, schemas: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/things': { post: { summary: 'Do it', responses: {}, ...operation } } },
  components: { schemas },
})

const look = {
  kind: 'operation',
  isExpanded: false,
  isGrouped: false,
  isHeadless: false,
  level: 2,
  group: 'g',
} as const

/** What readers see as HTML, without its marks, and what they get as Markdown. */
function shown(operation: object, schemas?: object): { readonly page: string; readonly markdown: string } {
  return shownPart(specification(operation, schemas))
}

function shownPart(part: unknown): { readonly page: string; readonly markdown: string } {
  const words = String(drawPart([part], look)).replaceAll(/<[^>]+>/g, '')
  const page = words
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
  return { page, markdown: writePart([part], look) }
}

function assertAll({ page, markdown }: ReturnType<typeof shown>, words: readonly string[]): void {
  for (const one of words) {
    assert.ok(page.includes(one), `the page has ${one}: ${page}`)
    assert.ok(markdown.includes(one), `the Markdown has ${one}: ${markdown}`)
  }
}

test('every content type of a body and of an answer is shown with its fields and examples', () => {
  const both = shown({
    requestBody: {
      content: {
        'application/xml': { schema: object({ heading: text }), example: '<report/>' },
        'application/json': { schema: object({ title: text }) },
        'multipart/form-data': { schema: object({ attachment: { type: 'string', format: 'binary' } }) },
      },
    },
    responses: {
      200: {
        description: 'Fine',
        content: {
          'application/json': { schema: object({ number: text }) },
          'text/csv': { schema: text, example: 'a,b\n1,2' },
        },
      },
    },
  })
  assertAll(both, ['application/json', 'title', 'application/xml', 'heading', '<report/>'])
  assert.ok(both.markdown.includes('```\na,b\n1,2\n```'), 'a text is not called JSON')
  assertAll(both, ['multipart/form-data', 'attachment', 'text/csv', 'a,b\n1,2', 'number'])
  assert.ok(both.markdown.indexOf('title') < both.markdown.indexOf('heading'), 'JSON comes first')
})

test('every named example is shown by its summary, or by its name', () => {
  const examples = (word: string) => ({
    small: { summary: `A small ${word}`, value: { size: `${word}-1` } },
    big: { value: { size: `${word}-2` } },
    elsewhere: { externalValue: 'https://example.com/x.json' },
  })
  const both = shown({
    requestBody: { content: { 'application/json': { schema: object({}), examples: examples('order') } } },
    responses: {
      200: { description: 'ok', content: { 'application/json': { examples: examples('answer') } } },
    },
  })
  assertAll(both, ['A small order', 'order-1', 'order-2', 'A small answer', 'answer-1', 'answer-2', 'big'])
})

test('the examples of a parameter are shown by their summaries or names, and the first is in the samples', () => {
  const examples = (word: string) => ({
    first: { summary: `One ${word}`, value: `${word}-1` },
    second: { value: [`${word}-2`] },
  })
  const schema = { type: 'string', example: 'of the schema' }
  const both = shown({
    parameters: [
      { name: 'shop', in: 'query', required: true, schema, examples: examples('shop') },
      { name: 'X-Kind', in: 'header', required: true, schema, example: 'a|b' },
      {
        name: 'filter',
        in: 'query',
        content: { 'application/json': { schema, examples: examples('filter') } },
      },
    ],
  })
  assertAll(both, ['One shop', 'shop-1', 'second', '["shop-2"]', 'One filter', 'filter-1', '["filter-2"]'])
  assertAll(both, ['shop=shop-1', 'X-Kind: a|b'])
  assert.match(both.page, /Example a\|b/)
  assert.match(both.markdown, /• Example: `a\\\|b`/)
})

test('the values of a discriminator are those of its mapping, and the sample has the one that it is', () => {
  const kinds = {
    Sale: object({ eventKind: text, price: { type: 'integer' } }, { required: ['eventKind'] }),
    Return: object({ reason: text }),
    Other: object({ eventKind: text }),
  }
  const discriminator = {
    propertyName: 'eventKind',
    mapping: { SALE: '#/components/schemas/Sale', RETURN: 'Return' },
  }
  const body = (oneOf: readonly object[]) => ({
    requestBody: { content: { 'application/json': { schema: { oneOf, discriminator } } } },
  })
  const both = shown(body([ref('Sale'), ref('Return'), ref('Other')]), kinds)
  assertAll(both, ['SALE', 'RETURN', 'Other'])
  assert.match(both.markdown, /"eventKind": "SALE"/)
  assert.match(shown(body([ref('Return')]), kinds).markdown, /"eventKind": "RETURN"/)
  const base = shown({
    requestBody: {
      content: { 'application/json': { schema: object({ eventKind: text }, { discriminator }) } },
    },
  })
  assertAll(base, ['SALE', 'RETURN'])
})

test('a sample of a request has no readOnly field, and one of an answer no writeOnly field', () => {
  const Person = object(
    {
      id: { ...text, readOnly: true, example: 'id-of-one' },
      password: { ...text, writeOnly: true, example: 'word-of-one' },
      name: { ...text, example: 'Ada' },
      inner: object(
        { made: ref('Made'), kept: { ...text, example: 'kept' } },
        { required: ['made', 'kept'] },
      ),
    },
    { required: ['id', 'password', 'name', 'inner'] },
  )
  const content = { 'application/json': { schema: { allOf: [ref('Person')] } } }
  const { markdown } = shown(
    { requestBody: { content }, responses: { 201: { description: 'Made', content } } },
    { Person, Made: { ...text, readOnly: true, example: 'made-by-us' } },
  )
  const [request = '', reply = ''] = [...markdown.matchAll(/```(?:sh|json)\n([\s\S]*?)```/g)].map(
    ([, one]) => one,
  )
  for (const word of ['word-of-one', 'Ada', 'kept']) assert.ok(request.includes(word), request)
  for (const word of ['id-of-one', 'made-by-us']) assert.ok(!request.includes(word), request)
  for (const word of ['id-of-one', 'made-by-us', 'Ada']) assert.ok(reply.includes(word), reply)
  assert.ok(!reply.includes('word-of-one'), reply)
})

test('an enumeration of 600 is shown whole', () => {
  const values = Array.from({ length: 600 }, (_, index) => `VALUE_${index}_OF_600`)
  const schema = object({ code: { ...text, enum: values, description: 'x'.repeat(5000) } })
  const both = shown({ requestBody: { content: { 'application/json': { schema } } } })
  assertAll(both, values)
})

test('numbers are shown as they are written: values, examples, bounds, defaults and samples', () => {
  const part = parseWritten(`{
    "openapi":"3.1.0", "info":{"title":"Big","version":"1"}, "servers":[{"url":"https://api.example.com"}],
    "paths":{"/rows":{"post":{
      "parameters":[{"name":"after","in":"query","required":true,"schema":{"type":"integer","example":9007199254740995}}],
      "requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["id","next","price","text"],"properties":{
        "id":{"type":"integer","example":9007199254740993},
        "next":{"type":"integer","exclusiveMinimum":9007199254740994},
        "price":{"type":"number","minimum":10.50,"multipleOf":0.10},
        "text":{"type":"string","maxLength":9223372036854775807}}}}}},
      "responses":{"200":{"description":"Fine","content":{"application/json":{
        "schema":{"type":"object","properties":{"rowId":{"type":"integer","default":9007199254740997,"maximum":9223372036854775806},"kind":{"enum":[9007199254740999]}}},
        "example":{"rowId":9007199254741001}}}}}}}}}`)
  const { page, markdown } = shownPart(part)
  assertAll({ page, markdown }, [
    ...['after=9007199254740995', '"id": 9007199254740993', '"next": 9007199254740995', '"price": 10.50'],
    ...['10.50 or more', 'a multiple of 0.10', 'at most 9,223,372,036,854,775,807 characters'],
    ...['default 9007199254740997', '9223372036854775806 or less', '9007199254740999'],
    '"rowId": 9007199254741001',
  ])
  const python = page.slice(page.indexOf('import requests'))
  assert.match(python, /^ {8}"id": 9007199254740993,$/m)
})
