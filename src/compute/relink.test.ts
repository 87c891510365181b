import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/support/growth.ts'
import { relink } from './relink.ts'

const moves = new Map([
  ['a/old.md', 'b/new.md'],
  ['img/old.png', 'img/new.png'],
])

test('links to what moved lead to its new place, and every other byte stays', () => {
  const text = '[Words](old.md?x#part), ![](../img/old.png), [other](other.md) and `[Words](old.md)`.\n'
  assert.equal(
    relink(text, 'a/page.md', moves),
    '[Words](../b/new.md?x#part), ![](../img/new.png), [other](other.md) and `[Words](old.md)`.\n',
  )
})

test('a link whose words are its destination says the new one', () => {
  const text = '{% content-ref url="old.md" %}\n[old.md](old.md)\n{% endcontent-ref %}\n'
  assert.equal(
    relink(text, 'a/page.md', moves),
    '{% content-ref url="../b/new.md" %}\n[../b/new.md](../b/new.md)\n{% endcontent-ref %}\n',
  )
})

test('the relative links of a document that moves itself lead where they led', () => {
  const text =
    '[a](old.md#x) [b](other.md) [c](../top.md?q) [d](#here) [e](/top.md) [f](https://example.com/x)\n'
  assert.equal(
    relink(text, 'a/page.md', moves, 'c/d/page.md'),
    '[a](../../b/new.md#x) [b](../../a/other.md) [c](../../top.md?q) [d](#here) [e](/top.md) [f](https://example.com/x)\n',
  )
})

test('a link to the document itself leads to it where it moves', () => {
  const own = new Map([['a/page.md', 'c/page.md']])
  assert.equal(relink('[a](page.md#x)\n', 'a/page.md', own, 'c/page.md'), '[a](page.md#x)\n')
})

test('many links whose words are their destination take time in proportion', async () => {
  const shape = (length: number) => Array.from({ length }, (_, at) => at)
  const run = (numbers: readonly number[]) => {
    const many = new Map(numbers.map(at => [`${at}.md`, `new/${at}.md`]))
    relink(numbers.map(at => `[${at}.md](${at}.md)\n\n`).join(''), 'page.md', many)
  }
  await assertLinear('relink', run, shape, 20_000)
})
