import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddressKey, AddressTarget } from './addresses.ts'
import { standaloneMarkdown } from './standalone-markdown.ts'

const INTERNAL = { isExternal: false, isBroken: false }

/**
 * `includes`: Markdown of reusable contents by their paths, which is its own hash here. Each link leads to where
 * it was asked from.
 */
async function read(markdown: string, includes: Readonly<Record<string, string>> = {}) {
  const kinds: string[] = []
  const find = ([from, kind, destination]: AddressKey): AddressTarget => {
    if (kind === 'image') return null
    if (destination === '/users/ada') return { ...INTERNAL, href: '', user: 'ada' }
    if (kind === 'link') return { ...INTERNAL, href: `https://x/${from}/${destination}` }
    const document = includes[destination]
    return document === undefined ? null : { id: `id-of-${destination}`, document }
  }
  const ask = {
    async addresses(addresses: readonly AddressKey[]) {
      kinds.push('addresses')
      return addresses.map(find)
    },
    async texts(documents: readonly string[]) {
      kinds.push('texts')
      return documents
    },
    parts: () => assert.fail('no part of an API description is named'),
  }
  const text = await standaloneMarkdown({ markdown, title: 'Page', variables: { a: 'A' } }, ask)
  return { text, kinds }
}

const include = (path: string): string => `{% include "${path}" %}\n\n`

test('reusable content is read with its own addresses, also what it includes itself', async () => {
  const { text } = await read(`[p](p.md)\n\n${include('one')}`, {
    one: `[o](o.md) {% vars.a %}\n\n${include('two')}`,
    two: '---\ntitle: Two\n---\n\n[t](t.md)',
  })
  assert.equal(
    text,
    '[p](https://x//p.md)\n\n[o](https://x/id-of-one/o.md) A\n\n[t](https://x/id-of-two/t.md)',
  )
})

test('two with the same words have each their own addresses', async () => {
  const includes = { one: '[o](o.md)', two: '[o](o.md)' }
  const { text } = await read(include('one') + include('two'), includes)
  assert.equal(text, '[o](https://x/id-of-one/o.md)\n\n[o](https://x/id-of-two/o.md)')
})

test('a page is resolved with two lookups, however many names it has', async () => {
  const links = Array.from({ length: 500 }, (_, at) => `[l](l${at}.md)`).join(' ')
  const { kinds } = await read(`${links}\n\n${include('one')}${include('two')}`, {
    one: 'One',
    two: 'Two',
  })
  assert.deepEqual(kinds, ['addresses', 'texts'])
})

test('what includes itself ends, and what is missing leaves nothing', async () => {
  const loop = { one: `One\n\n${include('two')}`, two: `Two\n\n${include('one')}` }
  assert.equal((await read(`${include('one')}${include('gone')}End`, loop)).text, 'One\n\nTwo\n\n\n\nEnd')
})

test('a page shows so many includes, so deep and so much of them as its HTML does', async () => {
  const many = await read(include('one').repeat(300), { one: 'One' })
  assert.equal(many.text.match(/One/g)?.length, 200)
  const chain = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`n${at}`, `N${at}\n\n${include(`n${at + 1}`)}`]),
  )
  assert.deepEqual((await read(include('n0'), chain)).text.match(/N\d/g), ['N0', 'N1', 'N2', 'N3'])
  const long = await read(include('one').repeat(50), { one: 'a'.repeat(100_000) })
  assert.equal(long.text.replace(/\s/g, '').length, 2_000_000)
  const doubling = Object.fromEntries(
    Array.from({ length: 4 }, (_, at) => [`d${at}`, include(`d${at + 1}`).repeat(200)]),
  )
  assert.equal((await read(include('d0').repeat(200), doubling)).text, '')
})

test('a person who is named is said by the name alone, since a person has no address', async () => {
  const { text } = await read('Ask [@Ada](/users/ada) about [it](it.md).')
  assert.match(text, /Ask @Ada about \[it\]\(https:/)
})
