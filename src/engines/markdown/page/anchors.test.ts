import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseMarkdown } from '../syntax/syntax.ts'
import { headingAnchors, toAnchor } from './places.ts'

const anchors = (source: string) => [...headingAnchors(parseMarkdown(source)).values()]

describe('anchors', () => {
  it('are made of the words of a heading', () => {
    assert.equal(toAnchor('Will the builder be unavailable?'), 'will-the-builder-be-unavailable')
    assert.equal(toAnchor('Merge Tags & Merge Content'), 'merge-tags-merge-content')
    assert.equal(toAnchor('1. Returning the same name'), 'id-1.-returning-the-same-name')
    assert.equal(toAnchor('request > template'), 'request-greater-than-template')
    assert.equal(toAnchor('Mobile Badge | Scheduled'), 'mobile-badge-or-scheduled')
    assert.equal(toAnchor('  Ünïcödé — İstanbul '), 'unicode-istanbul')
    assert.equal(toAnchor('如何连接 AWS 知识库？'), '如何连接-aws-知识库')
    assert.equal(toAnchor('!!!'), '')
  })

  it('of Latin words keep to the letters an id may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), words => {
        assert.match(toAnchor(words), /^([-a-z0-9.+_]+)?$/)
      }),
    )
  })

  it('are the writer’s own where there is one', () => {
    assert.deepEqual(anchors('# A <a href="#x" id="x"></a>\n\n## X\n\n<h2 id="y">B</h2>'), ['x', 'x-1', 'y'])
  })

  it('are each there once, in tabs, hints and lists too', () => {
    assert.deepEqual(anchors('# a\n\n{% hint %}\n# a\n{% endhint %}\n\n* # a-1\n\n# a\n\n# ?'), [
      'a',
      'a-1',
      'a-1-1',
      'a-2',
      'section',
    ])
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('# a', '# a-1', '# a <a id="a"></a>', '# a <a id="a-1"></a>', '# ?'), {
          maxLength: 12,
        }),
        lines => {
          const all = anchors(lines.join('\n\n'))
          assert.equal(all.length, lines.length)
          assert.equal(new Set(all).size, lines.length)
        },
      ),
    )
  })

  it('keep the one of the writer from a heading that came before it', () => {
    assert.deepEqual(anchors('# Setup\n\n# Other <a id="setup"></a>'), ['setup-1', 'setup'])
  })
})
