import { test } from 'node:test'
import { assertLinear, type Shape } from '../../../../../test/support/growth.ts'
import { toDocument } from '../../document/document.ts'
import { toHtml } from '../../html/html.ts'
import { references } from '../../page/page.ts'
import { type Node, parseMarkdown } from '../../syntax/syntax.ts'
import { contentOf } from './cells.ts'
import { readTable } from './reading.ts'

const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length))

const HEAD = '<th data-type="select"><select><option value="a" label="A"></option></select></th>'

const SHAPES: { readonly [name: string]: Shape } = {
  'many columns': length => `<table><tr>${repeated(HEAD, length)}</tr></table>`,
  'many rows': length =>
    `<table><tr>${HEAD}</tr>${repeated('<tr><td><a href="a">a</a></td></tr>', length)}</table>`,
  'rows of spans': length =>
    `<table>${repeated('<tr><td rowspan="9999" colspan="9999">a</td></tr>', length)}</table>`,
  'many options': length =>
    `<table><tr><th><select>${repeated('<option>a</option>', length)}</select></th></tr></table>`,
  'many chosen options': length =>
    `<table><tr>${HEAD}</tr><tr><td>${repeated('<span data-option="b">b</span>', length)}</td></tr></table>`,
  'tables in tables': length =>
    repeated('<table><tr><th data-type="files"></th></tr><tr><td><table><tr><td>', length),
  'a long value': length =>
    `<table><tr><th data-type="${repeated('x ', length)}" width="${repeated('1', length)}">`,
  'many attributes': length => `<table ${repeated('data-view="x" ', length)}><tr><td></td></tr></table>`,
}

function readTables(node: Node): void {
  if (node.type === 'element' && node.name === 'table') {
    const { rows, columns } = readTable(node)
    for (const cell of rows.flat()) {
      const column = columns[cell.column]
      if (column !== undefined) contentOf(cell, column)
    }
  }
  if ('children' in node) for (const child of node.children) readTables(child)
}

const LENGTH_MAX = 100_000

for (const [name, shape] of Object.entries(SHAPES))
  test(`tables are read in proportion to their length: ${name}`, () =>
    assertLinear(
      name,
      async (source, stage) => {
        const root = parseMarkdown(source)
        await stage('reading', () => readTables(root))
        await stage('references', () => references(source, root))
        await stage('document', () => toDocument(root))
        await stage('html', () => toHtml(root, { resolveLink, resolveImage: () => undefined }))
      },
      shape,
      LENGTH_MAX,
    ))

const resolveLink = (href: string) => ({ href, isExternal: false, isBroken: false })
