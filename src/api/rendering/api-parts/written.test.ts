import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../../test/support/pages.ts'
import { readPdfPages } from '../../../../test/support/pdf.ts'
import { keepSpecification } from '../../../../test/support/specifications.ts'
import { world } from '../../../../test/support/world.ts'
import { parseMarkdown } from '../../../engines/markdown/syntax/syntax.ts'
import { writePart } from './write.ts'

const w = await world()

const PRINTER = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 30, description: 'What it is called.\n\n- at the door\n- on `a|b`' },
    trays: {
      type: 'array',
      items: { type: 'object', properties: { paper: { type: 'string', enum: ['A4', 'A3'] } } },
    },
  },
}
const PRINTERS = {
  openapi: '3.0.3',
  info: { title: 'Printers', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  security: [{ key: [] }],
  paths: {
    '/printers/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'a b' } }],
      put: {
        tags: ['printers'],
        summary: 'Change a printer',
        description: 'Its **words**. [Elsewhere](https://example.com/more) {% hint %} <img src=x>',
        requestBody: { content: { 'application/json': { schema: PRINTER } } },
        responses: {
          200: { description: 'It is changed.', content: { 'application/json': { schema: PRINTER } } },
          404: { description: 'Not Found' },
        },
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}
const partOf = (specification: object) => ({ openapi: '3.1.1', 'x-try': true, ...specification })
const written = (specification: object = PRINTERS) =>
  writePart([partOf(specification)], { kind: 'operation', isHeadless: false })

const keep = (slug: string, specification: object) =>
  keepSpecification(w, slug, JSON.stringify(specification))

const BLOCK =
  '{% openapi-operation spec="printers" path="/printers/{id}" method="put" %}\n[words](https://example.com)\n{% endopenapi-operation %}'
const space = await spaceWith(
  w,
  {
    'SUMMARY.md':
      '* [API](README.md)\n* ```yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: printers\n  ```\n',
    'README.md': `# API\n\nBefore.\n\n* In a list:\n\n  ${BLOCK.replaceAll('\n', '\n  ')}\n\nAfter.\n`,
  },
  { visibility: 'public' },
)
await keep('printers', PRINTERS)

const text = async (path: string): Promise<string> => {
  const { statusCode, payload } = await w.app.inject({ url: path })
  assert.equal(statusCode, 200)
  return payload
}

test('what programs read of a page has its operations, in the place of their blocks', async () => {
  const page = await text(`/s/${space}/readme.md`)
  assert.match(page, /^Before\.$/m)
  assert.match(page, /^ {2}### Change a printer$/m)
  assert.match(page, /^ {2}\| `name` \| string, required, at most 30 characters \| What it is called\./m)
  assert.match(page, /^After\.$/m)
  assert.doesNotMatch(page, /openapi-operation/)
  const computed = await text(`/s/${space}/printers.md`)
  assert.match(computed, /^## Change a printer\n\nIts \*\*words\*\*/m)
  assert.match(computed, /^`PUT \/printers\/\{id\}`$/m)
  assert.match(computed, /curl -X PUT 'https:\/\/api\.example\.com\/printers\/a%20b'/)
  assert.match(await text(`/s/${space}/llms-full.txt`), /`trays\[\]\.paper`/)
})

test('a new version changes what programs read of all pages, and its validator', async () => {
  const path = `/s/${space}/llms-full.txt`
  const before = (await w.app.inject({ url: path })).headers.etag
  assert.equal((await w.app.inject({ url: path, headers: { 'if-none-match': before } })).statusCode, 304)
  await keep('printers', {
    ...PRINTERS,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  })
  const after = await w.app.inject({ url: path, headers: { 'if-none-match': before } })
  assert.equal(after.statusCode, 200)
  assert.match(after.payload, /Bearer YOUR\\?_TOKEN/)
  await keep('printers', PRINTERS)
})

test('a print view and a PDF file show operations, of written and of computed pages, and the newest version', async () => {
  const { body } = await w.call('GET', `/spaces/${space}/pdf`)
  const print = await text(body.url.replace('http://octavo.test/pdf/', '/print/'))
  assert.match(print, /<h2>Change a printer<\/h2>/)
  assert.equal(print.match(/<code[^>]*>trays\[\]\.paper<\/code>/g)?.length, 4)
  assert.doesNotMatch(print, /is described in|<img src=x/)
  const pdf = async () =>
    readPdfPages((await w.app.inject({ url: body.url.replace('http://octavo.test', '') })).rawPayload).join(
      ' ',
    )
  const words = await pdf()
  assert.match(words, /Change a printer/)
  assert.match(words, /PUT \/printers\/\{id\}/)
  assert.match(words, /Needs an API/)
  assert.match(words, /at most 30 characters/)
  assert.doesNotMatch(words, /is described in/)
  const { '/printers/{id}': item } = PRINTERS.paths
  await keep('printers', {
    ...PRINTERS,
    paths: { '/printers/{id}': { ...item, put: { ...item.put, summary: 'Mend a printer' } } },
  })
  assert.match(await pdf(), /Mend a printer/)
  await keep('printers', PRINTERS)
})

test('a number beyond what a double holds is on the page and in its Markdown as the specification has it', async () => {
  const schema =
    '{"type":"integer","format":"int64","example":9007199254740993,"maximum":9223372036854775807}'
  const operation = `{"responses":{"200":{"description":"Fine","content":{"application/json":{"schema":{"type":"object","properties":{"rowId":${schema}}}}}}}}`
  const big = `{"openapi":"3.1.0","info":{"title":"Big","version":"1"},"paths":{"/rows":{"get":${operation}}}}`
  await keepSpecification(w, 'big', big)
  const page =
    '# Rows\n\n{% openapi-operation spec="big" path="/rows" method="get" %}\n{% endopenapi-operation %}\n'
  const rows = await spaceWith(w, { 'README.md': page }, { visibility: 'public' })
  for (const path of [`/s/${rows}`, `/s/${rows}/readme.md`]) {
    const shown = await text(path)
    assert.match(shown, /9007199254740993/)
    assert.match(shown, /9223372036854775807 or less/)
  }
})

test('nothing that a description says reaches beyond its place in a table', () => {
  const name = 'a`|b'
  const hostile = written({
    ...PRINTERS,
    paths: {
      '/x': {
        get: {
          parameters: [
            { name, in: 'query', description: 'one \\| two | three\n\n```\n{% hint %}\n```\n# Big\n</td>' },
          ],
          responses: {},
        },
      },
    },
  })
  const table = parseMarkdown(hostile).children.find(node => node.type === 'table')
  assert.ok(table?.type === 'table')
  assert.deepEqual(
    table.children.map(row => row.children.length),
    [3, 3],
  )
  assert.match(hostile, /one \\\| two \\\| three/)
  assert.doesNotMatch(hostile, /\{% hint %\}|<\/td>|^# Big/m)
})

test('a table and an example have their ends', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`field${at}`, { type: 'string', example: 'x'.repeat(100) }]),
  )
  const schema = { type: 'object', properties }
  const long = written({
    ...PRINTERS,
    paths: {
      '/x': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } },
    },
  })
  assert.match(long, /^100 more are not shown here\.$/m)
  assert.match(long, /^…$/m)
  assert.ok(long.length < 40_000)
})
