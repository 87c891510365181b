import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDocument } from '../document/document.ts'
import { parseMarkdown } from '../syntax/syntax.ts'
import type { HtmlOptions } from './options.ts'
import { toHtml } from './to-html.ts'

const INTERNAL = { isExternal: false, isBroken: false }

const render = async (source: string, more: Partial<HtmlOptions> = {}) =>
  (
    await toHtml(parseMarkdown(source), {
      resolveLink: href => ({ ...INTERNAL, href }),
      resolveImage: () => undefined,
      resolveSearch: query => ({ ...INTERNAL, href: `/search?q=${encodeURIComponent(query)}` }),
      ...more,
    })
  ).html

const buttonsIn = (source: string) =>
  JSON.stringify(toDocument(source).document).match(/"type":"button".*?"data":(\{.*?\}\})/g)?.length ?? 0

const ASKING = [
  '<button type="button" class="button primary" data-action="ask" data-query="How do I begin?" data-icon="sparkle">Ask</button>',
  '<button type="button" data-action=" Search " data-query="How  do I\nbegin? " data-icon="sparkle">Ask</button>',
  '<a class="button" data-action="ask" data-query="How do I begin?" data-icon="sparkle">Ask</a>',
  '<a class="button" href=" " data-action="ask" data-query="How do I begin?" data-icon="sparkle">Ask</a>',
]

test('a button that asks leads to the search with its words, and is a button of the document', async () => {
  for (const button of ASKING) {
    assert.equal(
      await render(`Unsure? ${button}`),
      '<p>Unsure? <a href="/search?q=How%20do%20I%20begin%3F" class="button button-primary"><span class="icon fa-sparkle" aria-hidden="true"></span><span>Ask</span></a></p>',
      button,
    )
    assert.equal(buttonsIn(button), 1, button)
  }
})

test('a button without words leads to the search, and long words are cut', async () => {
  assert.match(await render('<button data-action="search">Find</button>'), /href="\/search\?q="/)
  const long = await render(`<button data-action="ask" data-query="${'x'.repeat(100_000)}">Find</button>`)
  assert.match(long, /href="\/search\?q=x{256}"/)
  assert.match(await render('<button data-action="ask" data-query="\ud83d">F</button>'), /q=%EF%BF%BD"/)
})

test('a button with an address leads there, whatever it does besides', async () => {
  const html = await render('<button class="button secondary" href="a.md" data-action="ask">Go</button>')
  assert.match(html, /<a href="a.md" class="button"><span>Go<\/span><\/a>/)
})

test('a button that does something else, or nothing, is its words, as is one where there is no search', async () => {
  for (const button of [
    '<button type="button" class="button">Words</button>',
    '<button data-action="reload">Words</button>',
    '<button data-action="ask:x" onclick="alert(1)">Words</button>',
    '<a class="button">Words</a>',
  ])
    assert.equal(await render(`A ${button}`), '<p>A Words</p>', button)
  assert.equal(await render(`A ${ASKING[0]}`, { resolveSearch: () => undefined }), '<p>A Ask</p>')
})
