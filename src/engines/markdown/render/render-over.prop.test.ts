// Documents edited block by block, written over the text they came from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { documents } from '../../../../test/support/markdown/documents.ts'
import { write } from '../../../../test/support/markdown/paths.ts'
import { resolve } from '../../../../test/support/markdown/references.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { type JSONDocument, toDocument } from '../document/document.ts'
import { contentOf } from './matching.ts'
import { renderDocument } from './render-document.ts'
import { renderOver } from './render-over.ts'

const options = { resolve, write, title: 'Title' }

/** Pages as people write them: signs of their own, single line ends, comments, definitions, notes. */
const written = fc.constantFrom(
  ...[
    'Text\nof two lines',
    '## Heading',
    '# Heading\nText below it',
    'Heading\n---',
    '- a\n- b',
    '* a\n\n\n* b',
    '+ a',
  ],
  ...[
    '1) a',
    '1. a\n2. b',
    '- [ ] a',
    '    indented code',
    '```\ncode\n\n',
    '~~~\ncode\n~~~',
    '> a\nlazy',
    '***',
    '---',
  ],
  ...[
    '| a | b |\n|-|-|\n| c | d',
    '<details><summary>a</summary>\n\nb\n\n</details>',
    '<figure><img src="a.png"></figure>',
  ],
  ...[
    '{% hint style="info" %}\na\n{% endhint %}',
    '{% embed url="https://x.example" %}\ncaption\n{% endembed %}',
    '{% endhint %}',
  ],
  ...[
    '<!-- comment -->',
    '[label]: a.md',
    'see [label]',
    'word[^n]',
    '[^n]: Note',
    '[^m]: Unused',
    '$$\na\n$$',
    '![](a.png)',
  ],
  ...[
    '  indented text',
    'trailing space  ',
    'hard\\\nbreak',
    '<div>',
    'a <b>b',
    '[^n]: Again',
    '# Title',
    '<pre>\na',
  ],
)
const gap = fc.constantFrom('\n\n', '\n\n', '\n\n', '\n', '\n\n\n', '\n \n')
const handmade = fc
  .tuple(
    fc.constantFrom('', '', '---\ntitle: x\n---\n', '\ufeff', '# Title\n\n', '\n\n'),
    fc.array(fc.tuple(written, gap), { minLength: 1, maxLength: 7 }),
    fc.boolean(),
  )
  .map(([head, parts, isWindows]) => {
    const text = head + parts.flat().join('')
    return isWindows ? text.replaceAll('\n', '\r\n') : text
  })
const source = fc.oneof(
  { weight: 3, arbitrary: handmade },
  documents.map(document => renderDocument(document, { write })),
)

type Edit = {
  readonly kind: 'remove' | 'move' | 'insert' | 'replace'
  readonly at: number
  readonly to: number
}
const edits = fc.array(
  fc.record({
    kind: fc.constantFrom('remove' as const, 'move' as const, 'insert' as const, 'replace' as const),
    at: fc.nat(100),
    to: fc.nat(100),
  }),
  { minLength: 1, maxLength: 3 },
)

function edited(document: JSONDocument, all: readonly Edit[], fresh: JSONDocument): JSONDocument {
  const nodes = [...document.nodes]
  for (const { kind, at, to } of all) {
    const place = at % (nodes.length + 1)
    const [one] = fresh.nodes
    if (kind === 'insert') nodes.splice(place, 0, { ...one!, key: undefined } as never)
    else if (nodes[place] === undefined) continue
    else if (kind === 'remove') nodes.splice(place, 1)
    else if (kind === 'replace') nodes[place] = { ...one!, key: nodes[place]!.key } as never
    else nodes.splice(to % nodes.length, 0, ...nodes.splice(place, 1))
  }
  return { ...document, nodes }
}

test('a document written over its own text is that text, whatever its line ends', () => {
  fc.assert(
    fc.property(source, text => {
      const { document } = toDocument(text, options)
      assert.equal(renderOver(text, document, options), text)
      const bare = { ...document, nodes: document.nodes.map(({ key: _, meta: __, ...node }) => node) }
      assert.equal(renderOver(text, bare as JSONDocument, options), text)
    }),
    tried(50),
  )
})

test('an edited document is read from its text as it was written', () => {
  fc.assert(
    fc.property(source, edits, documents, (text, all, fresh) => {
      const document = edited(toDocument(text, options).document, all, fresh)
      const over = renderOver(text, document, options)
      const read = toDocument(over, options).document
      const anew = toDocument(renderDocument(document, { write }), options).document
      assert.deepEqual(read.nodes.map(contentOf), anew.nodes.map(contentOf), over)
    }),
    tried(50),
  )
})

test('one block changed leaves every byte before it and behind it', () => {
  fc.assert(
    fc.property(documents, fc.nat(100), fc.boolean(), (document, at, isWindows) => {
      const unix = renderDocument(document, { write })
      const text = isWindows ? unix.replaceAll('\n', '\r\n') : unix
      const read = toDocument(text, options).document
      const place = at % read.nodes.length
      const marker = 'entirely new words'
      const nodes = read.nodes.with(place, {
        ...({ object: 'block', type: 'paragraph', isVoid: false, data: {} } as const),
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: marker, marks: [] }] }],
        ...(read.nodes[place]!.key === undefined ? {} : { key: read.nodes[place]!.key }),
      })
      const over = renderOver(text, { ...read, nodes }, options)
      const start = over.indexOf(marker)
      assert.equal(over.slice(0, start), text.slice(0, start))
      // Notes that only the changed block referred to go with it.
      const behind = over.slice(start + marker.length)
      assert.ok(text.includes('[^1]: ') || text.endsWith(behind), over)
    }),
    tried(40),
  )
})
