import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, block, type JSONDocument, text, toDocument } from '../../document/document.ts'
import { renderDocument } from '../../render/render.ts'

const line = (value: string, data = {}): Block => block('code-line', data, { nodes: [text(value)] })

const documentOf = (...nodes: Block[]): JSONDocument => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes,
})

const codeOf = (syntax: string, lines: readonly string[]): JSONDocument =>
  documentOf(block('code', { syntax }, { nodes: lines.map(value => line(value)) }))

test('a fence is longer than any in the code, at the beginning of a line alone', () => {
  const fenceOf = (syntax: string, ...lines: string[]) =>
    renderDocument(codeOf(syntax, lines)).split('\n')[0]?.trim()
  assert.equal(fenceOf('js', 'a', '```'), '````js')
  assert.equal(fenceOf('js', 'a', ' \t`````'), '``````js')
  assert.equal(fenceOf('js', 'a ````'), '```js')
  assert.equal(fenceOf('a`b', 'a', '~~~~'), '~~~~~a`b')
  assert.equal(fenceOf('a`b', 'a ~~~~', '````'), '~~~a`b')
  for (const lines of [['a', '```'], ['    ````'], ['a ````', '~~~~'], ['']])
    for (const syntax of ['js', 'a`b']) {
      const { nodes } = toDocument(renderDocument(codeOf(syntax, lines))).document
      assert.deepEqual(
        nodes.map(({ type, data }) => [type, data]),
        [['code', { syntax }]],
      )
      assert.deepEqual(
        JSON.stringify(nodes).match(/"text":"[^"]*"/g),
        lines.map(words => `"text":"${words}"`),
      )
    }
})

test('the name of a language is one word, in a fence and in HTML', () => {
  assert.equal(renderDocument(codeOf(' Visual  Basic ', ['a'])), '```Visual-Basic\na\n```\n')
  const marked = block('code', { syntax: ' Visual  Basic ' }, { nodes: [line('a', { highlighted: true })] })
  assert.equal(
    renderDocument(documentOf(marked)),
    '<pre class="language-Visual-Basic"><code class="lang-Visual-Basic"><strong>a\n</strong></code></pre>\n',
  )
})
