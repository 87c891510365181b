import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from '../syntax/syntax.ts'
import { toHtml } from './to-html.ts'

const SOURCE = `## Install

To [there](#install), [elsewhere](other.md#part) and [away](https://example.com/#x).[^note] <a href="#mine" id="mine"></a>

{% tabs %}
{% tab title="npm" %}
A
{% endtab %}
{% tab title="pnpm" %}
B
{% endtab %}
{% endtabs %}

[^note]: A note.
`

const render = (idPrefix: string) =>
  toHtml(parseMarkdown(SOURCE), {
    resolveLink: destination =>
      destination.startsWith('http')
        ? { href: destination, isExternal: true, isBroken: false }
        : { href: '##p2.part', isExternal: false, isBroken: false },
    resolveImage: () => undefined,
    idPrefix,
  })

const valuesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].flatMap(([, value = '']) => value.split(' '))

test('two pages with a prefix each share no id, and every reference within a page leads to it', async () => {
  const pages = [await render('p1.'), await render('p2.')]
  const ids = pages.map(({ html }) => valuesOf(html, 'id'))
  assert.ok(ids[0]?.includes('p1.install') && ids[0].includes('p1.fn:1') && ids[0].length > 6)
  assert.equal(new Set(ids.flat()).size, ids.flat().length)
  for (const [at, { html, outline }] of pages.entries()) {
    const local = valuesOf(html, 'href').filter(href => href.startsWith('#') && href !== '#p2.part')
    assert.ok(local.length > 3)
    for (const id of [
      ...local.map(href => decodeURIComponent(href.slice(1))),
      ...valuesOf(html, 'for'),
      ...valuesOf(html, 'aria-labelledby'),
      ...outline.map(entry => entry.id),
    ])
      assert.ok(ids[at]?.includes(id), id)
    assert.ok(valuesOf(html, 'name').every(name => name.startsWith(`p${at + 1}.tabs:`)))
  }
})

test('links to other parts of the document keep their ids, and other addresses stay as they are', async () => {
  const { html } = await render('p1.')
  assert.match(html, /href="#p2\.part"/)
  assert.match(html, /href="https:\/\/example\.com\/#x"/)
})

test('pictures of a page that is printed load with it', async () => {
  const picture = (loadsAtOnce: boolean) =>
    toHtml(
      parseMarkdown(
        '![A](a.png)\n\n<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>x</td><td><a href="b.png">b</a></td></tr></tbody></table>\n',
      ),
      {
        resolveLink: href => ({ href, isExternal: false, isBroken: false }),
        resolveImage: src => ({ src }),
        loadsAtOnce,
      },
    )
  assert.equal((await picture(false)).html.match(/loading="lazy"/g)?.length, 2)
  assert.doesNotMatch((await picture(true)).html, /loading=/)
})
