import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toChange } from './describe-change.ts'

const page = { id: 'p1', type: 'document', title: 'Rain', path: 'rain' } as const
const block = (markdown: string) => ({ key: 'k', type: 'paragraph', markdown })

test('an edited page shows its fields before and after, and removed and added text', () => {
  const attributes = {
    title: { before: 'Rain', after: 'Rain\nand hail' },
    hidden: { after: true },
    document: {
      before: 'd1',
      after: 'd2',
      blocks: [
        { kind: 'modified' as const, before: block('one\ntwo'), after: block('three') },
        { kind: 'inserted' as const, after: block('four') },
        { kind: 'moved' as const, before: block('five'), after: block('five') },
      ],
      moreBlocks: 1,
    },
  }
  assert.equal(
    toChange({ type: 'page_edited', page, attributes }),
    [
      'page edited: Rain (page p1)',
      '  title: "Rain" → "Rain\\nand hail"',
      '  hidden: nothing → true',
      '  text:',
      '- one',
      '- two',
      '+ three',
      '+ four',
      '  moved: five',
      '  and 1 more block',
    ].join('\n'),
  )
})

test('a text that is too long to be compared says so', () => {
  const attributes = { document: { before: 'd1', after: 'd2' } }
  assert.match(toChange({ type: 'page_edited', page, attributes }), /text: too much differs to be shown/)
})

test('a move shows from where to where, and variables show their values', () => {
  const position = { before: 0, after: 1 }
  const below = { id: 'p2', type: 'group', title: 'Weather' } as const
  assert.equal(
    toChange({ type: 'page_moved', page, parent: { after: below }, position }),
    'page moved: Rain (page p1)\n  from the top to below Weather (page p2)',
  )
  assert.equal(
    toChange({ type: 'variables_edited', variables: { version: { before: '1', after: 2 } } }),
    'variables edited\n  version: "1" → 2',
  )
  assert.equal(toChange({ type: 'page_deleted', page }), 'page deleted: Rain (page p1)')
})
