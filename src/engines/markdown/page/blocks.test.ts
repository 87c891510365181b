import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseMarkdown } from '../syntax/syntax.ts'
import { blockKeys, blocks } from './parts.ts'

const keys = (source: string) => blocks(source).map(({ key }) => key)
const texts = (source: string) => blocks(source).map(({ start, end }) => source.slice(start, end))

describe('blocks', () => {
  it('are top-level blocks with the gap after them, a tag with all it holds', () => {
    const source =
      '\n---\ntitle: a\n---\n\n# H\n\n{% hint %}\na\n\nb\n{% endhint %}\n\n\n* x\n* y\n  \n  tail'
    assert.deepEqual(texts(source.slice(1)), [
      '---\ntitle: a\n---\n\n',
      '# H\n\n',
      '{% hint %}\na\n\nb\n{% endhint %}\n\n\n',
      '* x\n* y\n  \n  tail',
    ])
    assert.deepEqual(
      blocks(source.slice(1)).map(({ type }) => type),
      ['yaml', 'heading', 'hint', 'list'],
    )
  })

  it('begin with their lines, indentation and all, and the first with the document', () => {
    assert.deepEqual(texts('\n\n  a\n\n   # b\r\n'), ['\n\n  a\n\n', '   # b\r\n'])
    assert.deepEqual(texts('{% embed url="u" %} text\n\nnext'), ['{% embed url="u" %} text\n\n', 'next'])
  })

  it('are one where there is only white space, and none where there is nothing', () => {
    assert.deepEqual(
      blocks(' \n ').map(({ type, start, end }) => ({ type, start, end })),
      [{ type: 'blank', start: 0, end: 3 }],
    )
    assert.deepEqual(blocks(''), [])
  })

  it('are what the key of each top-level node says, also of nodes that begin on one line', () => {
    const source = '\n\n# H\n\n{% embed url="u" %} text\n\nnext\n\nnext\n'
    const root = parseMarkdown(source)
    const known = blockKeys(source, root)
    const [heading, embed, next, again] = keys(source)
    assert.deepEqual(
      root.children.map(node => known.get(node)),
      [heading, embed, embed, next, again],
    )
  })

  it('have keys that say nothing of blank lines around them and tell equal texts apart', () => {
    assert.deepEqual(keys('a\n\nb\n\na'), keys('\n\na\n\n\n\nb\n\na\n'))
    const [first, , third] = keys('a\n\nb\n\na')
    assert.equal(third, `${first}-1`)
  })

  it('keep their keys when other blocks come, go and move', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.nat()), (names, numbers) => {
        const keyOf = new Map(names.map((name, index) => [name, keys(names.join('\n\n'))[index]]))
        const others = names.filter(() => numbers.next().value % 2 === 0).reverse()
        assert.deepEqual(
          keys(others.join('\n\n\n')),
          others.map(name => keyOf.get(name)),
        )
      }),
    )
  })
})
