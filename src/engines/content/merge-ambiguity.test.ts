import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { type Piece, Pieces } from './document-pieces.ts'
import { findAmbiguous } from './merge-ambiguity.ts'

type Block = { readonly id: string; readonly text: string; readonly level?: number }
type Removal = {
  readonly base: readonly Block[]
  readonly remover: readonly Block[]
  readonly writer: readonly Block[]
}

const piecesOf = (blocks: readonly Block[]): Pieces =>
  new Pieces(
    new Map(
      blocks.map(({ id, text, level }): [string, Piece] => [
        id,
        { before: '', bare: text, after: '', key: id, type: 'block', level, members: [id] },
      ]),
    ),
  )

const paragraphs = (length: number): Block[] =>
  Array.from({ length }, (_, at) => ({ id: `b${at}`, text: 'It runs.' }))

/** Headings of each level in turn, each with a paragraph. */
const sections = (length: number, levels: number): Block[] =>
  Array.from({ length }, (_, at) =>
    at % 2 === 0
      ? { id: `b${at}`, text: 'Fixes', level: 1 + ((at / 2) % levels) }
      : { id: `b${at}`, text: 'It runs.' },
  )

const without = (blocks: readonly Block[], isGone: (at: number) => boolean): Block[] =>
  blocks.filter((_, at) => !isGone(at))
const written = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap(block => [block, { id: `new ${block.id}`, text: 'New.' }])
const edited = (blocks: readonly Block[]): Block[] =>
  blocks.map((block, at) => (at % 3 === 0 ? { ...block, text: `${block.text} Now ${at}.` } : block))

const SHAPES: Readonly<Record<string, (length: number) => Removal>> = {
  'one of many equal paragraphs, and writing between them': length => {
    const base = paragraphs(length)
    return { base, remover: without(base, at => at === length >> 1), writer: written(base) }
  },
  'half of many equal paragraphs, and the removal of others': length => {
    const base = paragraphs(length)
    return { base, remover: base.slice(length >> 1), writer: without(base, at => at % 3 === 0) }
  },
  'every third of many equal sections, and edits in all': length => {
    const base = sections(length, 1)
    return { base, remover: without(base, at => (at >> 1) % 3 === 0), writer: edited(base) }
  },
  'every other pair of nested sections, and writing in all': length => {
    const base = sections(length, 6)
    return { base, remover: without(base, at => (at >> 1) % 12 < 6), writer: written(base) }
  },
  'one of many equal sections, and all others turned': length => {
    const base = sections(length, 1)
    return { base, remover: base.slice(2), writer: base.toReversed() }
  },
}

for (const [name, shape] of Object.entries(SHAPES))
  test(`the cost of what is ambiguous is in proportion to the document: ${name}`, async () => {
    const none = { order: [], open: new Set<string>(), twins: new Map<string, string>() }
    const run = ({ base, remover, writer }: Removal) => {
      const versions = { base: piecesOf(base), ours: piecesOf(remover), theirs: piecesOf(writer) }
      assert.ok(findAmbiguous(versions, { ours: none, theirs: none }).length > 0)
    }
    await assertLinear('findAmbiguous', run, shape, 65_536)
  })
