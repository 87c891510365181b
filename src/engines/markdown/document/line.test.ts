import { describe, it } from 'node:test'
import { assertLinear, type Shape } from '../../../../test/support/growth.ts'
import { parseMarkdown, type Root } from '../syntax/syntax.ts'
import { toDocument } from './document.ts'

const repeat =
  (piece: string, head = ''): Shape<Root> =>
  length =>
    parseMarkdown(head + piece.repeat(length))

const SHAPES: Record<string, Shape<Root>> = {
  'breaks in a line': repeat('a\\\n'.repeat(12)),
  'white space before breaks': repeat('a <br>'.repeat(6), '# '),
  'blocks in a line of nothing but white space': repeat('<b>&nbsp;</b><i>&nbsp;</i><p></p>', '# '),
}

describe('a line takes time in proportion', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    it(name, () => assertLinear(name, root => toDocument(root), shape, 12_000))
})
