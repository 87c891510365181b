import assert from 'node:assert/strict'
import { test } from 'node:test'
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
