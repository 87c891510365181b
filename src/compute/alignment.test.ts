import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDocument } from '../engines/markdown/document/document.ts'
import { toHtml } from '../engines/markdown/html/html.ts'
import { parseMarkdown } from '../engines/markdown/syntax/syntax.ts'
import type { Block } from '../engines/markdown/typeset/typeset.ts'
import { pageTypeset } from './page-typeset.ts'

/** The side of the first block in each output; in a box or a container of HTML, that of the container. */
async function sidesOf(markdown: string) {
  const { html } = await toHtml(parseMarkdown(markdown), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => undefined,
  })
  const [first] = toDocument(markdown).document.nodes
  const { json } = await pageTypeset(
    { markdown, isColoured: false, idPrefix: '' },
    {
      codes: async () => ({ codes: [], isComplete: true }),
      addresses: async () => [],
      texts: async () => [],
      parts: async () => [],
    },
  )
  const typeset = (JSON.parse(json) as Block[]).find(({ kind }) => kind !== 'anchor-block')
  const inPdf =
    typeset?.kind === 'box'
      ? typeset.look.replace('align-', '')
      : typeset && 'align' in typeset
        ? typeset.align
        : undefined
  return {
    reader: /class="align-(\w+)"/.exec(html)?.[1],
    document: first?.data && 'align' in first.data ? first.data.align : undefined,
    pdf: inPdf,
  }
}

const SIDES = [
  ['align="left"', 'start'],
  ['align="start"', 'start'],
  ['align="center"', 'center'],
  ['align="CENTER"', 'center'],
  ["align=' middle '", 'center'],
  ['align=right', 'end'],
  ['ALIGN="end"', 'end'],
  ['style="text-align:center"', 'center'],
  ['style="color:red; Text-Align : Right;"', 'end'],
  ['align="center" align="right"', 'center'],
  ['align="nowhere" style="text-align:right"', 'end'],
  ['align', undefined],
  ['align=""', undefined],
  ['align="justify"', undefined],
  [`align="${'x'.repeat(100_000)}"`, undefined],
] as const

for (const element of ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div'])
  test(`words in <${element} align> keep to the same side in the reader, the document and the PDF`, async () => {
    for (const [written, side] of SIDES)
      assert.deepEqual(
        await sidesOf(`<${element} ${written}>Words</${element}>`),
        { reader: side, document: side, pdf: side },
        written.slice(0, 80),
      )
  })
