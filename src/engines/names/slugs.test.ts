import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { assignSlugs, isPageSlug, slugify, slugOfFile } from './slugs.ts'

test('a slug keeps letters and digits of every script and makes the rest one hyphen', () => {
  assert.equal(slugify('Getting  Started!'), 'getting-started')
  assert.equal(slugify('快速入门 (v2)'), '快速入门-v2')
  assert.equal(slugify('Vue.js no_code'), 'vue.js-no_code')
  assert.equal(slugify('Öl & Élan'), 'öl-élan')
})

test('a slug is never empty, a dot folder, or more than one part of a path', () => {
  for (const text of ['', '🚀', '.', '..', '../..', '/', '---', '\u0000']) {
    assert.match(slugify(text), /^[^./-][^/]*$/, JSON.stringify(text))
  }
  assert.equal(slugify('a'.repeat(500)).length, 100)
})

test('a requested slug may have capitals, and has the bounds of a generated one', () => {
  for (const slug of ['API-2', '_a', 'v1.2', '快速入门', 'a'.repeat(100), slugify('../A B')])
    assert.ok(isPageSlug(slug), slug)
  for (const text of ['', '.', '..', '.a', 'a.', '-a', 'a/b', 'a b', 'a\n', 'a\0', '🚀', 'a'.repeat(101)])
    assert.ok(!isPageSlug(text), JSON.stringify(text))
})

test('a slug has at most as many UTF-16 units as a requested one, and no half of a character', () => {
  for (const title of ['𠀀'.repeat(60), `a${'𝒜'.repeat(60)}`, `${'a'.repeat(98)}-𠀀`]) {
    const slug = slugify(title)
    assert.ok(isPageSlug(slug), slug)
    assert.ok(slug.length >= 98 && slug.length <= 100, slug)
  }
})

test('a slug with a number has the bounds of any other', () => {
  for (const wanted of ['a'.repeat(100), '𠀀'.repeat(50)]) {
    const [first, second = ''] = assignSlugs([
      { wanted, held: undefined },
      { wanted, held: undefined },
    ])
    assert.equal(first, wanted)
    assert.ok(isPageSlug(second) && second.endsWith('-1'), second)
  }
})

test('hyphens without end take time in proportion', async () => {
  const LENGTH_MAX = 1_000_000
  await assertLinear('before a letter', slugify, length => `${'.-'.repeat(length / 2)}a`, LENGTH_MAX)
  await assertLinear('after a letter', slugify, length => `a${'--..'.repeat(length / 4)}`, LENGTH_MAX)
})

test('README.md and index.md are called like their folder, the one at the top readme', () => {
  assert.equal(slugOfFile('guides/Setup/README.md'), 'setup')
  assert.equal(slugOfFile('guides/index.md'), 'guides')
  assert.equal(slugOfFile('README.md'), 'readme')
  assert.equal(slugOfFile('guides/vue.js.md'), 'vue.js')
})

test('siblings with one slug get numbers in their order', () => {
  const same = { wanted: 'a', held: undefined }
  assert.deepEqual(assignSlugs([same, same, same]), ['a', 'a-1', 'a-2'])
  assert.deepEqual(assignSlugs([same, { wanted: 'a-1', held: undefined }, same]), ['a', 'a-1', 'a-2'])
})

test('a page keeps its slug, whatever page comes before it', () => {
  assert.deepEqual(
    assignSlugs([
      { wanted: 'a', held: undefined },
      { wanted: 'a', held: 'a' },
      { wanted: 'b', held: 'renamed' },
    ]),
    ['a-1', 'a', 'renamed'],
  )
  assert.deepEqual(
    assignSlugs([
      { wanted: 'a', held: 'x' },
      { wanted: 'b', held: 'x' },
    ]),
    ['x', 'b'],
    'two pages that held one slug under different parents',
  )
})

test('siblings of one name are named in linear time', async () => {
  const siblings = (length: number) => Array.from({ length }, () => ({ wanted: 'a', held: undefined }))
  assert.equal(new Set(assignSlugs(siblings(20_000))).size, 20_000)
  await assertLinear('assignSlugs', assignSlugs, siblings, 262_144)
  const long = (length: number) =>
    Array.from({ length }, (_, at) => ({
      wanted: 'a'.repeat(94) + String(at >> 1).padStart(6, '0'),
      held: undefined,
    }))
  assert.equal(new Set(assignSlugs(long(20_000))).size, 20_000)
})
