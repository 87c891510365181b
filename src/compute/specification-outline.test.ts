import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { asMarkdown, specificationOutline } from './specification-outline.ts'

const HOSTILE = [
  '```\nopen',
  '<script>open',
  '<details>\nopen',
  '<!-- open',
  '{% hint %}\nopen',
  '---\ntitle: x\n---',
  '$$\nopen',
  '~~~~\n~~~\nopen',
  '> ```\n> open',
]

test('a description reaches beyond its end in no way', () => {
  for (const text of HOSTILE) {
    const { children } = parseMarkdown(`${asMarkdown(text)}\n\n## After\n\nwords`)
    assert.deepEqual(
      children.slice(-2).map(({ type }) => type),
      ['heading', 'paragraph'],
      text,
    )
  }
})

test('a description keeps its lists, its code and its links, with headings below those of the page', () => {
  const text = '# Head\n\n* one `a<b>`\n* [two](https://e.org)\n\n```\n<b>{%\n```'
  assert.equal(asMarkdown(text), text.replace('# Head', '### Head').replace('a<b>', 'a'))
})

test('operations and schemas are named by blocks, whatever they are called', () => {
  const { tags, models } = specificationOutline(
    {
      paths: {
        '/a"\\': { get: { summary: '# *a* [b]' } },
        '/%}': { get: {} },
      },
      components: { schemas: { 'A"': {}, 'B,C': {} } },
    },
    'slug',
    () => 1,
  )
  const [first, second] = tags[0]?.operations ?? []
  const root = parseMarkdown(`${first?.heading}\n\n${first?.text}`)
  assert.deepEqual(
    root.children.map(child => (child.type === 'tag' ? child.attributes : child.type)),
    ['heading', { spec: 'slug', path: '/a"\\', method: 'get', headless: 'true' }],
  )
  assert.equal(second?.text.includes('{%'), false)
  assert.deepEqual(
    models.map(({ title }) => title),
    ['A"'],
  )
})
