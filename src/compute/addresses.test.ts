import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCLUDE_DEPTH_MAX, INCLUDES_MAX, toHtml } from '../engines/markdown/html/html.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import { Addresses } from './addresses.ts'

/** Markdown of reusable contents by their paths, which are their hashes here. */
function asking(textOf: (path: string) => string) {
  const texts: string[][] = []
  const addresses = new Addresses({
    addresses: async asked => asked.map(([, , path]) => ({ id: path, document: path })),
    async texts(documents) {
      texts.push([...documents])
      return documents.map(textOf)
    },
  })
  const show = async (markdown: string) => {
    const root = parseMarkdown(markdown)
    await addresses.expect('', root)
    return addresses.render(() => toHtml(root, addresses.resolversOf('')))
  }
  return { texts, show }
}

const include = (path: string) => `{% include "${path}" %}\n\n`
const includes = (count: number, name = '') =>
  Array.from({ length: count }, (_, at) => include(`${name}${at}`)).join('')

test('of a page with many reusable contents, no more texts are read than it shows, in its order', async () => {
  const { texts, show } = asking(path => `Words of ${path}.`)
  const { html } = await show(`> ${include('first')}${includes(INCLUDES_MAX * 3)}`)
  assert.equal(texts.flat().length, INCLUDES_MAX)
  assert.match(html, /Words of first\./)
  assert.match(html, new RegExp(`Words of ${INCLUDES_MAX - 2}\\.`))
  assert.doesNotMatch(html, new RegExp(`Words of ${INCLUDES_MAX - 1}\\.`))
})

test('reusable contents that include others are read as deep as they are shown, each depth at once', async () => {
  const { texts, show } = asking(path => `Words of ${path}.\n\n${includes(30, `${path}-`)}`)
  const { html, problems } = await show(include('a'))
  assert.deepEqual(
    texts.map(({ length }) => length),
    [1, 30, INCLUDES_MAX, INCLUDES_MAX],
  )
  assert.equal(texts.length, INCLUDE_DEPTH_MAX)
  assert.match(html, /Words of a-0-0-0\./)
  assert.deepEqual(new Set(problems.map(({ code }) => code)), new Set(['nested_content']))
})

test('reusable contents inside the first of many are shown, though a page has as many before them', async () => {
  const texts = new Map([
    ['first', `Words of first.\n\n${include('late')}`],
    ['late', `Words of late.\n\n${include('later')}`],
  ])
  const { texts: read, show } = asking(path => texts.get(path) ?? `Words of ${path}.`)
  const { html } = await show(`${include('first')}${includes(INCLUDES_MAX + 5)}${include('late')}`)
  assert.match(html, /Words of first\.[\s\S]*Words of late\.[\s\S]*Words of later\.[\s\S]*Words of 0\./)
  assert.ok(read.flat().length <= INCLUDES_MAX + 2)
})
