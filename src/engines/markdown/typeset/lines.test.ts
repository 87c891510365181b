import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countLines } from './lines.ts'
import type { Block, Cell } from './nodes.ts'

const paragraph = (words: string): Block => ({ kind: 'paragraph', dir: 'ltr', inside: [words] })
const list = (...items: Block[][]): Block => ({
  ...{ kind: 'list', start: null, dir: 'ltr' },
  items: items.map(inside => ({ inside })),
})
const cell = (x: number, y: number, ...inside: Block[]): Cell => ({
  ...{ x, y, colspan: 1, rowspan: 1, align: null, isHead: false, inside },
})

test('text takes a line for each 140 characters, and one if it is empty', () => {
  assert.equal(countLines([]), 0)
  assert.equal(countLines([paragraph(''), paragraph('x'.repeat(140)), paragraph('x'.repeat(141))]), 4)
  const nested: Block = {
    ...{ kind: 'heading', level: 2, dir: 'ltr' },
    inside: ['x'.repeat(100), { kind: 'strong', inside: [{ kind: 'em', inside: ['x'.repeat(41)] }] }],
  }
  assert.equal(countLines([nested]), 2)
})

test('what is one below the other adds up, also in each other', () => {
  const deep = list([paragraph('a'), list([paragraph('b')], [], [paragraph('c'), paragraph('d')])])
  assert.equal(countLines([deep]), 5)
  const code: Block = { kind: 'code', isNumbered: false, lines: Array(7).fill({ isMarked: false, runs: [] }) }
  const tab = (inside: Block[]) => ({ title: ['Tab'], inside })
  assert.equal(countLines([code, { kind: 'tabs', tabs: [tab([deep]), tab([])] }]), 7 + 6 + 1)
  assert.equal(countLines([{ kind: 'note', style: 'info', dir: 'ltr', inside: [deep] }]), 5)
})

test('of what is side by side the longest counts', () => {
  const many = list([paragraph('a')], [paragraph('b')], [paragraph('c')])
  assert.equal(countLines([{ kind: 'row', shares: [1, 1], cells: [[many], [paragraph('d')]] }]), 3)
  assert.equal(countLines([{ kind: 'cards', cards: [[many], [paragraph('d')]] }]), 2)
  const cells = [cell(0, 0, many), cell(1, 0, paragraph('d')), cell(0, 1), cell(1, 1)]
  assert.equal(countLines([{ kind: 'table', table: { dir: 'ltr', shares: [1, 1], headRows: 0, cells } }]), 4)
})

test('a cell over several rows takes no lines beside those of its rows', () => {
  const long = list(...Array.from({ length: 4 }, () => [paragraph('a')]))
  const linesOf = (height: number) => {
    const cells = [{ ...cell(0, 0, long), rowspan: height }]
    for (let y = 0; y < height; y += 1) cells.push(cell(1, y, paragraph('b'), paragraph('c')))
    return countLines([{ kind: 'table', table: { dir: 'ltr', shares: [1, 1], headRows: 0, cells } }])
  }
  assert.equal(linesOf(3), 6, 'its rows are longer')
  const spanning = [{ ...cell(0, 0, long), rowspan: 2 }, cell(1, 0, paragraph('b')), cell(1, 1)]
  const table = { dir: 'ltr' as const, shares: [1, 1], headRows: 0, cells: spanning }
  assert.equal(countLines([{ kind: 'table', table }]), 4, 'it is longer than its rows')
})
