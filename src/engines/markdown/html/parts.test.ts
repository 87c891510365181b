import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf } from '../reading/reading.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import type { ShownPart } from './api-parts.ts'
import { partOf } from './parts.ts'
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
    assert.deepEqual(tag && partOf(blockOf(tag))?.names, ['Pet', 'Toy'], names)
  }
})

test('a page whose parts are beyond what one page shows says so', async () => {
  const { html } = await render({ markdown: 'a\n\n'.repeat(51_000) })
  assert.match(html, /The rest of this page is too long to be shown here\./)
})

const words = async (markdown: string, shown: ShownPart = { missing: 'nothing' }) =>
  (await render(shown, markdown)).html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

test('a block that shows nothing says which name or path is missing, whatever is', async () => {
  for (const [block, missing, said] of [
    [
      'openapi-operation spec="pets" path="/a" method="get"',
      'description',
      'There is no API description called pets here.',
    ],
    [
      'openapi src="api/<b>.yaml" path="/a" method="get"',
      'description',
      'There is no API description at api/&lt;b>.yaml.',
    ],
    ['openapi src="a.yaml" path="/a" method="get"', 'part', 'a.yaml. The description does not have GET /a.'],
    [
      'openapi-webhook spec="pets" name="sold" method="post"',
      'part',
      'The description does not have the webhook sold.',
    ],
    [
      'openapi-schemas spec="pets" schemas="Pet,Toy"',
      'part',
      'The description does not have the schemas Pet, Toy.',
    ],
    ['openapi-schemas spec="pets" schema="Pet"', 'part', 'The description does not have the schema Pet.'],
    ['openapi src="a.yaml" path="/a" method="get"', 'too much', 'a.yaml. It is too large to be shown here.'],
    ['openapi src="a.yaml" path="/a" method="get"', 'nothing', 'This operation is described in a.yaml.'],
    [
      'openapi-operation path="/a" method="get"',
      'part',
      'This block names no API description: it needs spec or src.',
    ],
    ['openapi', 'part', 'This block names no API description: it needs spec or src.'],
    ['openapi-schemas', 'part', 'This block names no API description: it needs spec or src.'],
    ['openapi src="a.yaml"', 'part', 'which part it shows: it needs method and path.'],
    ['openapi src="a.yaml" path="/a"', 'part', 'which part it shows: it needs method and path.'],
    ['openapi-webhook spec="pets" name="sold"', 'part', 'which part it shows: it needs method and name.'],
    ['openapi-schemas spec="pets" schemas=" , "', 'part', 'which part it shows: it needs schemas.'],
  ] as const) {
    const shown = await words(`{% ${block} %}\n`, { missing })
    assert.ok(shown.includes(said), `${block}: ${shown}`)
  }
})

test('a block that names no operation has no empty head above what it says', async () => {
  const { html } = await render({ missing: 'nothing' }, '{% openapi src="a.yaml" %}\n')
  assert.doesNotMatch(html, /operation-head/)
  assert.match((await render({ missing: 'nothing' })).html, /operation-head/)
})
