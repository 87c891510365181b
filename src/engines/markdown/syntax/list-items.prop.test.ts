import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { tried } from '../../../../test/support/property-runs.ts'
import { readCommonMark } from './commonmark.ts'
import { ListItems } from './list-items.ts'

const INDENTATIONS = ['', '', '', ' ', '  ', '   ', '    ', '     ', '      ', '        ', '\t', ' \t']
const MARKERS = [
  '',
  '',
  '',
  '- ',
  '- ',
  '* ',
  '1. ',
  '2. ',
  '10) ',
  '-    ',
  '*\t',
  '- - ',
  '> ',
  '[^a]: ',
  '-     ',
  '-\t\t',
  '0. ',
  '01. ',
]
const TEXTS = [
  ...[
    'a',
    'a',
    'a',
    '**a**',
    '`a`',
    '[a](b)',
    '![a](b)',
    '# a',
    '```',
    '~~~',
    '$$',
    '---',
    '* * *',
    '===',
    'a | b',
    '[a]: b',
    'a]: b',
  ],
  ...[
    '--|--',
    '|a|b|',
    '<div>a',
    '</div>',
    '<b>a</b>',
    '<!-- a',
    'a -->',
    '-->',
    '<pre>a',
    'a </pre>',
    '<!A a',
    'a >',
  ],
]
const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const anyLine = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 8,
    arbitrary: fc.tuple(oneOf(INDENTATIONS), oneOf(MARKERS), oneOf(TEXTS)).map(parts => parts.join('')),
  },
)

/** Code or a definition before a number, which begins no item there. */
const heldBack = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.array(oneOf(['- a', '* a', '[a]: b', '-     a', '    a', '', '']), { minLength: 1, maxLength: 3 }),
        oneOf(['', '  ', '   ']),
        oneOf(['2. ', '10) ', '0. ']),
      )
      .map(([lines, indent, marker]) => [...lines, '', `${indent}${marker}a`]),
  },
)

/** Numbers of the lines that go on with a paragraph. */
function* continuedIn(node: Nodes): Generator<number> {
  const { start, end } = node.position ?? {}
  if (node.type === 'paragraph' && start && end)
    for (let line = start.line + 1; line <= end.line; line++) yield line
  else if ('children' in node) for (const child of node.children) yield* continuedIn(child)
}

test('no line that counts as an item goes on with a paragraph', () => {
  fc.assert(
    fc.property(heldBack, fc.array(anyLine, { minLength: 2, maxLength: 12 }), (head, rest) => {
      const lines = [...head, ...rest]
      const items = new ListItems()
      const begun = lines.map(line => (line.trim() === '' ? items.addBlank() : items.beginsWith(line)))
      for (const line of continuedIn(readCommonMark(lines.join('\n')))) assert.notEqual(begun[line - 1], true)
    }),
    tried(1000),
  )
})
