import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sketch } from '../../../../test/support/markdown/sketch.ts'
import { blocks } from '../page/page.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import { checkDocument } from './check.ts'
import type { Resolve } from './conversion.ts'
import type { Block } from './model.ts'
import { toDocument } from './to-document.ts'

const lines = (...all: string[]): string => all.join('\n')

/** The sketch of a source's document, which is valid without exception. */
function drawn(source: string, resolve?: Resolve): string {
  const { document } = toDocument(source, resolve === undefined ? {} : { resolve })
  assert.deepEqual(checkDocument(document), [])
  return sketch(document)
}

test('frontmatter, comments and link definitions are no part of the document', () => {
  const source = lines(
    '---',
    'icon: bolt',
    '---',
    '',
    '<!-- note -->',
    '',
    'Text [a]',
    '',
    '[a]: https://a.example',
  )
  assert.equal(drawn(source), 'paragraph "Text " <link {"ref":{"kind":"url","url":"https://a.example"}} "a">')
})

test('the heading that says the page title belongs to the page, and only that one', () => {
  const { document } = toDocument('# The *Guide*\n\n# The Guide', { title: 'The Guide' })
  assert.equal(sketch(document), 'heading-1 "The Guide"')
  assert.equal(sketch(toDocument('# 🚀 Start', { title: 'Start' }).document), '')
  assert.equal(sketch(toDocument('# Other', { title: 'Guide' }).document), 'heading-1 "Other"')
  assert.equal(sketch(toDocument('# Guide').document), 'heading-1 "Guide"')
  assert.equal(sketch(toDocument('## Guide', { title: 'Guide' }).document), 'heading-1 "Guide"')
})

test('heading levels: ## is the first of the model and everything from #### on the third', () => {
  const source = lines('# a', '## b', '### c', '#### d', '##### e', '###### f')
  assert.deepEqual(drawn(source).split('\n'), [
    'heading-1 "a"',
    'heading-1 "b"',
    'heading-2 "c"',
    'heading-3 "d"',
    'heading-3 "e"',
    'heading-3 "f"',
  ])
})

test('a heading carries the anchor the reader shows, and its own anchor as id', () => {
  const { document } = toDocument(lines('## Set up', '## Set up', '## Own <a href="#own" id="own"></a>'))
  assert.deepEqual(
    document.nodes.map(node => [node.meta, node.data]),
    [
      [{ id: 'set-up' }, {}],
      [{ id: 'set-up-1' }, {}],
      [{ id: 'own' }, { id: 'own' }],
    ],
  )
})

test('a word, or a marked run of words, carries its footnote', () => {
  const source = lines(
    'A word[^1], **two words**[^2].',
    '',
    '[^1]: One',
    '',
    '[^2]: Two',
    '',
    '    ```js',
    '    x',
    '    ```',
  )
  assert.equal(
    drawn(source),
    'paragraph "A " <annotation "word" | paragraph "One"> ", " <annotation bold:"two words" | paragraph "Two" | code {"syntax":"js"}\n  code-line "x"> "."',
  )
})

test('a footnote without a reference, or that an annotation cannot hold, is at the end', () => {
  const source = lines(
    'Word[^t] [^none]',
    '',
    '[^t]: {% hint style="info" %}',
    '    Tip',
    '    {% endhint %}',
    '',
    '[^u]: Unused',
    '',
    '[^u]: Unused again',
  )
  const drawing = drawn(source)
  assert.match(drawing, /Tip/)
  assert.match(drawing, /paragraph "Unused"\nparagraph "Unused again"$/)
})

test('of two footnotes with one name a word carries the first', () => {
  const source = lines('Word[^1]', '', '[^1]: First', '', '[^1]: Second')
  assert.equal(drawn(source), 'paragraph <annotation "Word" | paragraph "First">\nparagraph "Second"')
})

test('footnotes that refer to each other end', () => {
  const source = lines('a[^1] b[^2]', '', '[^1]: see[^2] and[^1]', '', '[^2]: see[^1]')
  assert.match(drawn(source), /<annotation "a" \| paragraph "see\[\^2\] and\[\^1\]">/)
})

test('references come from the resolver, with what they are written for', () => {
  const asked: string[] = []
  const resolve: Resolve = (destination, purpose) => {
    asked.push(`${purpose} ${destination}`)
    if (destination === 'a.md#x') return { kind: 'anchor', page: 'p1', anchor: 'x' }
    if (destination === 'a.png' || destination === 'a.pdf') return { kind: 'file', file: destination }
    if (destination === 'tip.md') return { kind: 'reusable-content', reusableContent: 'r1' }
    return undefined
  }
  const source = lines(
    '[a](a.md#x) [b](b.md)',
    '',
    '![](a.png)',
    '',
    '{% file src="a.pdf" %}',
    '',
    '{% include "tip.md" %}',
  )
  assert.deepEqual(drawn(source, resolve).split('\n'), [
    'paragraph <link {"ref":{"kind":"anchor","page":"p1","anchor":"x"}} "a"> " " <link {"ref":{"kind":"url","url":"b.md"}} "b">',
    'images',
    '  image {"ref":{"kind":"file","file":"a.png"}}',
    'file {"ref":{"kind":"file","file":"a.pdf"}}',
    'reusable-content {"ref":{"kind":"reusable-content","reusableContent":"r1"}}',
  ])
  assert.deepEqual(asked, ['link a.md#x', 'link b.md', 'image a.png', 'file a.pdf', 'include tip.md'])
})

test('a destination that does not resolve to what its block needs becomes a link and a problem with its position', () => {
  const source = lines('{% file src="a.pdf" %}', '', '{% include "tip.md" %}')
  const { document, problems } = toDocument(source)
  assert.deepEqual(sketch(document).split('\n'), [
    'paragraph <link {"ref":{"kind":"url","url":"a.pdf"}} "a.pdf">',
    'paragraph <link {"ref":{"kind":"url","url":"tip.md"}} "tip.md">',
  ])
  assert.deepEqual(
    problems.map(one => [one.code, source.slice(one.position.start, one.position.end)]),
    [
      ['unresolved', '{% file src="a.pdf" %}'],
      ['unresolved', '{% include "tip.md" %}'],
    ],
  )
})

test('a top-level block has the key of its block of source; what shares it and what is inside is numbered', () => {
  const source = lines(
    'Same',
    '',
    'Same',
    '',
    '* item',
    '',
    '{% embed url="https://x.example" %}',
    'Caption',
    '{% endembed %}',
  )
  const { document } = toDocument(source)
  const spans = blocks(source)
  const [first, second, list, embed, caption] = document.nodes
  assert.deepEqual(
    [first?.key, second?.key, list?.key, embed?.key],
    spans.map(span => span.key),
  )
  assert.equal(caption?.key, `${spans[3]?.key}-1`)
  const item = list?.nodes?.[0] as Block
  assert.equal(item.key, `${list?.key}.0`)
  assert.equal((item.nodes![0] as Block).key, `${list?.key}.0.0`)
})

test('a key stays when other blocks change, and a tree is read as its source', () => {
  const [before] = toDocument('Old\n\nKept').document.nodes.slice(1)
  const [after] = toDocument('New and longer\n\nMore\n\nKept').document.nodes.slice(2)
  assert.equal(after?.key, before?.key)
  const source = '## A\n\n> b'
  assert.deepEqual(toDocument(parseMarkdown(source), { spans: blocks(source) }), toDocument(source))
})
