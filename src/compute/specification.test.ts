import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/support/growth.ts'
import { specification } from './specification.ts'

const read = (text: string) => specification({ text, documents: new Map(), charactersMax: 20_000_000 }, {})

/** Written by hand, with an alias at each operation. */
function withAliases(count: number): string {
  const rows = ['openapi: 3.0.3', 'info: {title: Shared, version: "1"}', 'paths:']
  for (let at = 0; at < count; at++)
    rows.push(
      `  /p${at}:`,
      '    get:',
      `      responses: ${at === 0 ? '&shared {"200": {description: Shared words}}' : '*shared'}`,
    )
  return rows.join('\n')
}

test('YAML of hundreds of aliases is read, and of thousands refused with what is wrong', async () => {
  const found = await read(withAliases(1_000))
  assert.ok('json' in found)
  const document = JSON.parse(Buffer.from(found.json).toString('utf8'))
  assert.equal(document.paths['/p999'].get.responses['200'].description, 'Shared words')
  const refused = await read(withAliases(5_010))
  assert.ok('errors' in refused)
  assert.match(refused.errors[0]?.message ?? '', /more than 5000 aliases/)
})

test('aliases that mean gigabytes are refused before they are written out', async () => {
  const long = `x-long: &long "${'x'.repeat(100_000)}"\nx-many: [${'*long,'.repeat(1_000)}]\n`
  const many = await read(`openapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths: {}\n${long}`)
  assert.ok('errors' in many)
  assert.equal(many.errors[0]?.code, 'TOO_LARGE')
  const levels = Array.from({ length: 12 }, (_, at) =>
    at === 0 ? 'x-0: &a0 [x]' : `x-${at}: &a${at} [${`*a${at - 1},`.repeat(20)}]`,
  )
  const bomb = await read(`openapi: 3.0.3\ninfo: {title: A, version: "1"}\npaths: {}\n${levels.join('\n')}`)
  assert.ok('errors' in bomb)
  assert.equal(bomb.errors[0]?.code, 'PARSE_ERROR')
})

const NUMBERS = ['9007199254740993', '-9223372036854775808', '1.10', '1e400', '0.10000000000000000555', '-0']

test('numbers stay as they are written, in JSON and in YAML, through everything that a document refers to', async () => {
  const schemas = (read: (number: string) => string) =>
    NUMBERS.map(number => `{"type":"number","example":${read(number)}}`).join(',')
  const json = `{"openapi":"3.0.3","info":{"title":"Big","version":"1"},"paths":{},"components":{"schemas":{"A":{"oneOf":[${schemas(String)}]},"B":{"$ref":"https://a.test/b.json"}}}}`
  const other = { ok: true, text: '{"type":"integer","default":18446744073709551615}' } as const
  const documents = new Map([['https://a.test/b.json', other]])
  const found = await specification({ text: json, documents, charactersMax: 20_000_000 }, {})
  assert.ok('json' in found)
  assert.deepEqual(found.errors, [])
  const written = Buffer.from(found.json).toString('utf8')
  for (const number of NUMBERS) assert.ok(written.includes(`"examples":[${number}]}`), written)
  assert.ok(written.includes('"default":18446744073709551615'), written)

  const yaml = await read(
    `openapi: 3.1.0\ninfo: {title: Big, version: "1"}\npaths: {}\ncomponents:\n  schemas:\n    A:\n      enum: [${NUMBERS.join(', ')}, +9007199254740993, 0xFFFFFFFFFFFFFFFF, .5, 007]\n      maxLength: 9223372036854775807\n`,
  )
  assert.ok('json' in yaml)
  assert.deepEqual(yaml.errors, [])
  const kept = Buffer.from(yaml.json).toString('utf8')
  const values = [...NUMBERS, '9007199254740993', '18446744073709551615', '0.5', '7']
  assert.ok(kept.includes(`"enum":[${values.join(',')}],"maxLength":9223372036854775807`), kept)
})

test('a text that looks like a marked number breaks nothing', async () => {
  const mark = '\ue000number:'
  const texts = [`${mark}12`, `${mark}x`, `${mark}012`, `\\" ${mark}1`]
  const found = await read(
    `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{},"components":{"schemas":{"${mark}1":{"enum":${JSON.stringify(texts)}}}}}`,
  )
  assert.ok('json' in found)
  const { components } = JSON.parse(Buffer.from(found.json).toString('utf8'))
  assert.deepEqual(components.schemas[`${mark}1`].enum, [12, ...texts.slice(1)])
})

test('numbers of many digits, and texts of them, are read in time in proportion to their length', async () => {
  const begin = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\nx-many:\n'
  const ten = '9007199254740993'
  for (const [name, row] of [
    ['yaml', `- ${ten}\n`],
    ['hexadecimal', '- 0xFFFFFFFFFFFFFFFF\n'],
  ] as const)
    await assertLinear(name, read, length => begin + row.repeat(length / row.length), 400_000)
  const json = (inner: string) =>
    `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{},"x-many":[${inner}]}`
  await assertLinear('json', read, length => json(`1,${`${ten},`.repeat(length / 17)}1.10`), 1_000_000)
  await assertLinear('one number', read, length => json('9'.repeat(length)), 1_000_000)
  await assertLinear('digits and points', read, length => json(`"${'.0'.repeat(length / 2)}x"`), 1_000_000)
  await assertLinear(
    'one hexadecimal number',
    read,
    length => `${begin}- 0x${'F'.repeat(length)}\n`,
    1_000_000,
  )
})
