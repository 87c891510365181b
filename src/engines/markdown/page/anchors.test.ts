import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseMarkdown, plainLine } from '../syntax/syntax.ts'
import { foldedPlaces, headingAnchors, toAnchor } from './places.ts'

const anchors = (source: string) => [...headingAnchors(parseMarkdown(source)).values()]

const anchorsAndWords = (source: string) =>
  [...headingAnchors(parseMarkdown(source))].map(([heading, anchor]) => [anchor, plainLine([heading])])

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

describe('{#id} behind a heading', () => {
  it('is its id, and none of its words', () => {
    for (const [source, id, words] of [
      ['## Set up {#setup-first}', 'setup-first', 'Set up'],
      ['# A *b* {#c}', 'c', 'A b'],
      ['A {#é}\n===', 'é', 'A'],
      ['## A {#x} ##', 'x', 'A'],
      ['## [A](b){#x}', 'x', 'A'],
      ['## A { #x }', 'x', 'A'],
      ['## A {: #x}', 'x', 'A'],
      ['## A {:#x }', 'x', 'A'],
    ] as const)
      assert.deepEqual(anchorsAndWords(source), [[id, words]], source)
  })

  it('stays words where it is escaped, in code, alone, or no id', () => {
    for (const [source, words] of [
      ['## A \\{#b}', 'A {#b}'],
      ['## A `{#b}`', 'A {#b}'],
      ['## {#b}', '{#b}'],
      ['## A {#b c}', 'A {#b c}'],
      ['## A {#b} c', 'A {#b} c'],
      ['## A {&#35;b}', 'A {#b}'],
    ] as const)
      assert.equal(anchorsAndWords(source)[0]?.[1], words, source)
  })

  it('has its place in the source', () => {
    for (const source of ['> ## A {#here}\n', '> ## A { #here }\n']) {
      const [quote] = parseMarkdown(source).children
      const [heading] = quote?.type === 'blockquote' ? quote.children : []
      assert.ok(heading?.type === 'heading' && heading.id !== undefined)
      assert.equal(source.slice(heading.id.start, heading.id.end), 'here')
    }
  })
})

describe('links in the form of GitHub', () => {
  it('lead to headings, whose own ids stay', () => {
    const source = "## What's new in v2.0?\n\n## Foo & Bar\n\n## Über uns\n\n## Plain\n"
    assert.deepEqual(foldedPlaces(parseMarkdown(source)), [
      ...['whats-new-in-v2.0', 'foo-bar', 'uber-uns', 'plain'],
      ...['whats-new-in-v20', 'foo--bar', 'über-uns'],
    ])
  })

  it('have a hyphen beside an emoji that is left out, and no figures but digits', () => {
    const source = '## 🚀 Quick start\n\n## All set! 🎉\n\n## x² + y²\n'
    assert.deepEqual(foldedPlaces(parseMarkdown(source)).slice(3), ['-quick-start', 'all-set-', 'x--y'])
  })

  it('lead to headings in scripts with marks', () => {
    const source = '## हिन्दी & शीर्षक\n\n## ⚙️ Set up & go\n'
    assert.deepEqual(foldedPlaces(parseMarkdown(source)).slice(2), ['हिन्दी--शीर्षक', '\ufe0f-set-up--go'])
  })

  it('are numbered as there, and take no id of another heading', () => {
    const source = '## v1.0\n\n## v1.0\n\n## v10 <a id="v10"></a>\n'
    assert.deepEqual(foldedPlaces(parseMarkdown(source)), ['v1.0', 'v1.0-1', 'v10', 'v10-1', 'v10-2'])
  })
})
