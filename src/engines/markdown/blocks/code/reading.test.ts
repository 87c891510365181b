import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNamed, parseMarkdown } from '../../syntax/syntax.ts'
import { readPre } from './reading.ts'

const linesOf = (inside: string) => {
  const [pre] = parseMarkdown(`<pre><code>${inside}</code></pre>`).children
  assert.ok(pre !== undefined && isNamed(pre, 'pre'))
  return readPre(pre).lines.map(({ parts }) => parts)
}

test('words of code that follow each other are one part, but for those with a footnote, and variables', () => {
  assert.deepEqual(linesOf('a<em>b</em>c'), [[{ text: 'abc' }]])
  assert.deepEqual(linesOf('a<a data-footnote-ref href="#user-content-fn-1">b<em>c</em></a>d'), [
    [{ text: 'a' }, { text: 'bc', footnote: '1' }, { text: 'd' }],
  ])
  const variable = '<code class="expression">space.vars.x</code>'
  assert.deepEqual(linesOf(`a${variable}${variable}b\nc`), [
    [{ text: 'a' }, { expression: 'space.vars.x' }, { expression: 'space.vars.x' }, { text: 'b' }],
    [{ text: 'c' }],
  ])
})

test('a footnote is carried by the line on which its words begin', () => {
  assert.deepEqual(linesOf('<a data-footnote-ref href="#user-content-fn-1">a\nb</a>'), [
    [{ text: 'a', footnote: '1' }],
    [{ text: 'b' }],
  ])
})
