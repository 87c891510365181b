import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCostly } from './costly-lines.ts'
import { maskTags } from './masking.ts'

const PIECES = 20_000
const MARKED = '*a_ '.repeat(10)

const changes = (item: (change: number) => string) =>
  Array.from(
    { length: 2000 },
    (_, change) => `${item(change)} of **module** [${change}](https://a.b/${change})\n`,
  ).join('')

// Long lists without a blank line.
const LISTS: Record<string, string> = {
  'below numbers': changes(change => `${change}. Fixed the **thing**\n    * see the notes`),
  'below numbers of two digits': changes(change => `${change}) Fixed the *thing*\n       - see`),
  'below wrapped lines': changes(() => '* Fixed the **thing**\nand _others_,\n    * see the notes'),
  'below indented lines': changes(
    () => '- Fixed the **thing**\n  and _others_,\n    - see\n      them\n        + now',
  ),
  'below a second paragraph': changes(() => '1. Fixed **it**\n\n   and _others_,\n    * see'),
  'in a footnote': `[^1]: a\n${changes(() => '    * b\n      * see _it_')}`,
}

// Pages that would take the parser seconds, some of them minutes.
const COSTLY: Record<string, readonly [head: string, piece: string]> = {
  'behind what looks like the mask of a tag': ['?\x01?\n\n', '>>>>>'],
  'not ASCII, with what looks like a mask': ['?\x01?', 'é **b** '],
  'behind a carriage return': ['a\r', '>>>>>'],
  'with marks in an address': ['https://a.b', '!!!!!'],
  'with marks and names of characters in an address': ['www.a.b', '&a;]&b;'],
  'with bullets that are indented too deep for an item': ['a\n', `     - ${MARKED}\n`],
  'with bullets that are indented less than what the item above holds': ['-    a\n', `    - ${MARKED}\n`],
  'with bullets that are indented too deep behind a heading': ['- a\n# b\nc\n', `    - ${MARKED}\n`],
  'with bullets that are indented too deep behind code in an item': [
    '- ```\n  - a\nb\n',
    `    - ${MARKED}\n`,
  ],
  'with bullets that are indented too deep behind code': ['\t\t- a\nb\n', `\t- ${MARKED}\n`],
}

describe('lines that take the parser too long', () => {
  for (const [name, [head, piece]] of Object.entries(COSTLY))
    it(`are hidden from it: ${name}`, () => {
      const { text } = maskTags(`${head}${piece.repeat(PIECES)}c`)
      assert.ok(text.split(piece).length < PIECES / 2)
    })

  it('are none of the items of a list, however deep they are, of lines that end with a carriage return, nor a usual address', () => {
    const address = `https://a.b${'&a;'.repeat(90)}c\n`
    const items = ['-', '\t+', '      *', '\t  -', '  *'].map(bullet => `${bullet} é ${MARKED}\n`).join('')
    for (const lines of [items.repeat(2000), `é ${MARKED}\r\r`.repeat(10_000), address])
      assert.deepEqual(findCostly(lines), { tails: [], inert: [] })
  })

  for (const [name, list] of Object.entries(LISTS))
    it(`are none of the items of a list ${name}`, () => {
      assert.deepEqual(findCostly(list), { tails: [], inert: [] })
    })
})
