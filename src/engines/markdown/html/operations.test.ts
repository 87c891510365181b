import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from '../syntax/syntax.ts'
import type { ShownPart } from './api-parts.ts'
import { partOf } from './operations.ts'
import { toHtml } from './to-html.ts'

const BLOCK =
  '{% openapi-operation spec="printers" path="/a" method="get" %}\n[words](https://example.com)\n{% endopenapi-operation %}\n'

const render = (shown: ShownPart, markdown = `# Page\n\n## Before\n\n${BLOCK}\nAfter.\n`) =>
  toHtml(parseMarkdown(markdown), {
    pageTitle: 'Page',
    resolveLink: href => ({ href, isExternal: true, isBroken: false }),
    resolveImage: () => undefined,
    variables: {},
    showParts: async parts => parts.map(() => shown),
  })

test('a part that is Markdown is a piece of the page, with a title that no outline has and no script', async () => {
  const { html, outline } = await render({
    markdown: '### Read\n\nIts *words*. <script>alert(1)</script>\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  })
  assert.match(html, /<h3>Read<\/h3><p>Its <em>words<\/em>/)
  assert.match(html, /<td>1<\/td>/)
  assert.match(html, /<p>After\.<\/p>/)
  assert.doesNotMatch(html, /<script|is described in/)
  assert.deepEqual(
    outline.map(({ text }) => text),
    ['Before'],
  )
})

test('a schema is named by `schemas` or `schema`, as in a rich document', () => {
  for (const names of ['schemas="Pet, Toy"', 'schema="Pet,Toy"', 'schemas schema="Pet,Toy"']) {
    const [tag] = parseMarkdown(`{% openapi-schemas spec="printers" ${names} %}`).children
    assert.deepEqual(tag?.type === 'tag' && partOf(tag)?.names, ['Pet', 'Toy'], names)
  }
})

test('a page whose parts are beyond what one page shows says so', async () => {
  const { html } = await render({ markdown: 'a\n\n'.repeat(51_000) })
  assert.match(html, /The rest of this page is too long to be shown here\./)
})
