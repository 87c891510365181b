import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, trusted } from './html.ts'

test('a hole is escaped for text and for quoted attributes', () => {
  const hostile = `"><script>alert('1')</script>&`
  assert.equal(
    html`<p title="${hostile}">${hostile}</p>`.markup,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
  )
})

test('markup made by a template is inserted into another one as it is', () => {
  assert.equal(
    html`<ul>${['a', '<b>'].map(word => html`<li>${word}</li>`)}</ul>`.markup,
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
})

test('false, null and undefined print nothing, zero prints itself', () => {
  assert.equal(html`${false}${null}${undefined}${0}`.markup, '0')
})

test('only trusted markup is left as it is, and NUL goes away', () => {
  assert.equal(html`${trusted('<br>')}${'<br>\0'}`.markup, '<br>&lt;br&gt;')
})
