import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipBrowser, visit } from '../../test/support/browser.ts'
import { changeRequestWith } from '../../test/support/change-requests.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { readPdfPages } from '../../test/support/pdf.ts'
import { originOf } from '../../test/support/server.ts'
import { cookieOf, signedIn } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'

const w = await world()

const fence = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n`

/** The page as a member reads it. */
async function read(markdown: string): Promise<string> {
  const space = await spaceWith(w, { 'README.md': `# Start\n\n${markdown}` })
  const { body, statusCode } = await w.app.inject({
    url: `/s/${space}`,
    headers: { cookie: await cookieOf(w, 'read') },
  })
  assert.equal(statusCode, 200)
  return body
}

const PICTURE = /<img src="(data:image\/svg\+xml,[^"]*)" alt="([^"]*)"/g

test('a flowchart is a picture for light and for dark pages, with its source below', async () => {
  const html = await read(fence('flowchart TD\n  A[Start] --> B{Ready?}'))
  const pictures = [...html.matchAll(PICTURE)]
  assert.deepEqual(
    pictures.map(([, , alt]) => alt),
    ['Flowchart: Start, Ready?', 'Flowchart: Start, Ready?'],
  )
  for (const [, src = ''] of pictures) {
    const svg = decodeURIComponent(src.slice('data:image/svg+xml,'.length))
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
    assert.match(svg, />Ready\?<\/text>/)
  }
  assert.notEqual(pictures[0]?.[1], pictures[1]?.[1])
  assert.match(html, /<summary>Source of the diagram<\/summary>[\s\S]*A\[Start\] --> B\{Ready\?\}/)
})

test('kinds that are not drawn, and what is no diagram, stay code that says so', async () => {
  for (const source of ['gitGraph\n  commit', 'flowchart TD\n  A --> ', 'pie\n  "a": 1']) {
    const html = await read(fence(source))
    assert.deepEqual([...html.matchAll(PICTURE)], [])
    assert.match(html, /<figcaption class="code-head">Mermaid diagram, shown as its source<\/figcaption>/)
  }
})

test('diagrams are pictures wherever code is: in tags of code, tabs, hints, expandables, items and HTML', async () => {
  const diagram = fence('flowchart TD\n  A --> B')
  const html = await read(
    [
      `{% code title="The way" %}\n${diagram}{% endcode %}`,
      `{% tabs %}\n{% tab title="One" %}\n${diagram}{% endtab %}\n{% endtabs %}`,
      `{% hint style="info" %}\n${diagram}{% endhint %}`,
      `<details>\n\n<summary>More</summary>\n\n${diagram}\n</details>`,
      `<pre class="language-mermaid"><code>flowchart TD\n  C --> D\n</code></pre>`,
      `* An item\n\n  ${diagram.replaceAll('\n', '\n  ')}`,
    ].join('\n\n'),
  )
  assert.equal([...html.matchAll(PICTURE)].length, 12)
  assert.match(html, /<figcaption>The way<\/figcaption><details class="diagram-source">/)
})

test('a page has fifty diagrams, each with its own words, and the scripts in them are words', async () => {
  const html = await read(
    Array.from({ length: 50 }, (_, at) =>
      fence(`flowchart TD\n  A["${at}<script>alert(1)</script>"] --> B`),
    ).join('\n'),
  )
  const pictures = [...html.matchAll(PICTURE)]
  assert.equal(pictures.length, 100)
  assert.equal(new Set(pictures.map(([, src]) => src)).size, 100)
  assert.doesNotMatch(html.replaceAll(/ alt="[^"]*"/g, ''), /<script>alert/)
})

test('an address that a writer gives a picture cannot hold one', async () => {
  const html = await read('![x](data:image/svg+xml,%3Csvg/%3E) <img src="data:image/svg+xml,%3Csvg/%3E">')
  assert.ok(!html.includes('data:image'), 'only what is drawn here is in an address')
})

test('previews, change requests and print views show pictures; Markdown and documents keep the code', async () => {
  const source = fence('flowchart TD\n  A --> B')
  const space = await spaceWith(w, { 'README.md': `# Start\n\n${source}` })
  const { body: preview } = await w.call('POST', `/spaces/${space}/content/preview`, {
    body: { markdown: source },
  })
  assert.equal([...preview.html.matchAll(PICTURE)].length, 2)
  const { id } = await changeRequestWith(w, space, { 'README.md': `# Start\n\nNew\n\n${source}` })
  const { body: page } = await w.call('GET', `/spaces/${space}/content/path/readme?format=markdown`)
  assert.ok(page.markdown.includes(source))
  const { body: rich } = await w.call('GET', `/spaces/${space}/content/path/readme?format=document`)
  assert.deepEqual(rich.document.nodes.map(({ type }: { type: string }) => type).at(-1), 'code')
  const { body: html } = await w.call(
    'GET',
    `/spaces/${space}/change-requests/${id}/content/page/${page.id}/html`,
  )
  assert.equal([...String(html.html).matchAll(PICTURE)].length, 2)
  const { body: print } = await w.call('GET', `/spaces/${space}/pdf`)
  const printed = await w.app.inject(print.url.replace('http://octavo.test', '').replace('/pdf/', '/print/'))
  assert.equal([...printed.body.matchAll(PICTURE)].length, 2)
})

test('who may not read a page gets nothing of its diagrams', async () => {
  const space = await spaceWith(w, { 'README.md': `# Start\n\n${fence('flowchart TD\n  Secret --> B')}` })
  const { statusCode, body } = await w.app.inject(`/s/${space}`)
  assert.equal(statusCode, 404)
  assert.ok(!body.includes('Secret'))
})

test('a PDF file has the picture of a diagram, and not its source', async () => {
  const space = await spaceWith(w, {
    'README.md': `# Start\n\nBefore\n\n${fence('flowchart TD\n  A[Start 你好] --> B{Ready?}')}\nAfter\n`,
  })
  const { body } = await w.call('GET', `/spaces/${space}/pdf`)
  const { rawPayload } = await w.app.inject(new URL(body.url).pathname + new URL(body.url).search)
  const [page = ''] = readPdfPages(rawPayload)
  assert.match(page.replaceAll(' ', ''), /BeforeStart你好Ready\?After/)
})

test('a browser shows the picture for its theme, loads nothing for it, scrolls the picture and not the page, and prints the light one', {
  skip: skipBrowser,
}, async () => {
  const wide = Array.from({ length: 20 }, (_, at) => `Thing${at}`).join(' --> ')
  const space = await spaceWith(w, { 'README.md': `# Start\n\n${fence(`flowchart LR\n  ${wide}`)}` })
  const origin = await originOf(w)
  await visit(origin, async (page, { foreign, errors }, context) => {
    await context.addCookies([{ name: 'octavo_session', value: await signedIn(w, 'read'), url: origin }])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${origin}/s/${space}`)
      const picture = page.getByRole('img', { name: /^Flowchart: Thing0, Thing1/ })
      assert.equal(await picture.getAttribute('class'), `only-${colorScheme}`)
      assert.ok(
        await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 1_000),
      )
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      await page.emulateMedia({ colorScheme, media: 'print' })
      assert.equal(await picture.getAttribute('class'), 'only-light')
      await page.emulateMedia({ media: 'screen' })
    }
    assert.deepEqual([foreign, errors], [[], []])
  })
})
