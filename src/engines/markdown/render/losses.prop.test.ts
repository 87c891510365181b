// No word is lost in a page of containers in containers, whatever is edited in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../../test/support/property-runs.ts'
import { checkDocument } from '../document/check.ts'
import {
  type Block,
  block,
  fragment,
  type JSONDocument,
  paragraph,
  text,
  toDocument,
} from '../document/document.ts'
import { writeOver } from './render.ts'

/** Containers as people write them; each word is followed by the number of its place. */
const CONTAINERS: readonly string[] = [
  '<table><thead><tr><th>head#</th></tr></thead><tbody><tr><td><pre><code>code#\nline#</code></pre></td></tr></tbody></table>',
  '<table>\n<tr><td colspan="2">\n\none#\n\n- two#\n\n</td></tr>\n<tr><td>three#<br>four#</td><td>five#</td></tr>\n</table>',
  '<table><tr><td>outer#<table><tr><td>inner#</td></tr></table></td><td>side#</td></tr></table>',
  '| a# | b# |\n|--|:-|\n| `c#` | d#<br>e# |',
  '- item#\n\n  ```sh\n  run#\n    deeper#\n  ```\n\n  behind#\n- next#',
  '3) three#\n4) four#\n   ```\n   code#\n   ```\n   behind#',
  '1. one#\n3. three#\n   - [ ] open#\n   - [x] done#\n\n7. seven#',
  '-\ttab#\n\n\t\tcode#\n-\tnext#',
  '* loose#\n\n     * deep#\n\n* end#',
  '{% hint style="info" %}\n- one#\n\n  ~~~\n  code#\n  ~~~\n\n  behind#\n{% endhint %}',
  '> 1. quoted#\n>    - inner#\n>\n> behind#',
  '<details>\n\n<summary>title#</summary>\n\n1. inside#\n\n</details>',
  '{% tabs %}\n{% tab title="tab#" %}\ninside#\n{% endtab %}\n{% endtabs %}',
  'word#[^n#] more#\n\n[^n#]: note#\n\n    second#',
  'plain#  \nnext#',
]

const page = fc
  .tuple(
    fc.constantFrom('', '---\ntitle: x\n---\n\n', '\n\n'),
    fc.array(fc.constantFrom(...CONTAINERS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([head, parts, lineEnd]) => {
    const body = parts.map((part, index) => part.replaceAll('#', `w${index}x`)).join('\n\n')
    return `${head}${body}\n`.replaceAll('\n', lineEnd)
  })

type Members = { [name: string]: unknown }

/** All objects in a document, from the outside in. */
function* objectsIn(value: unknown): Generator<Members> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Members
  for (const inside of Object.values(value)) yield* objectsIn(inside)
}

/** Markdown has no place for the alternative text of a picture whose file is not there. */
const picture = (number: number): Block =>
  block(
    'images',
    {},
    {
      nodes: [
        block(
          'image',
          { ref: { kind: 'file', file: 'gone' }, alt: `alt${number}y` },
          { fragments: [fragment('caption', [paragraph([text(`caption${number}y`)])])] },
        ),
      ],
    },
  )

const KINDS = ['word', 'remove', 'move', 'paragraph', 'picture', 'over'] as const
type Edit = { readonly kind: (typeof KINDS)[number]; readonly at: number }
const edits = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(1000) }), {
  minLength: 1,
  maxLength: 3,
})

function editOnce(document: JSONDocument, { kind, at }: Edit, number: number): void {
  const objects = [...objectsIn(document)]
  const leaves = objects.filter(one => one.object === 'leaf')
  const lists = objects.flatMap(({ nodes }) =>
    Array.isArray(nodes) && nodes[0]?.object === 'block' ? [nodes] : [],
  )
  const leaf = leaves[at % leaves.length]
  const list: Block[] = lists[at % lists.length] ?? document.nodes
  const place = at % Math.max(1, list.length)
  const added = kind === 'paragraph' ? paragraph([text(`new${number}y`)]) : picture(number)
  const isItem = list[0]?.type === 'list-item'
  const fitting = isItem ? block('list-item', {}, { nodes: [added as never] }) : added
  if (kind === 'word' && leaf !== undefined) leaf.text = `${leaf.text} new${number}y`
  else if (kind === 'remove') list.splice(place, 1)
  else if (kind === 'move') list.push(...list.splice(place, 1))
  else if (kind === 'over') {
    const { key } = document.nodes[at % Math.max(1, document.nodes.length)] ?? {}
    const isNamed = key !== undefined
    if (isNamed) document.nodes.splice(at % document.nodes.length, 1, { ...added, key })
  } else list.splice(place, 0, fitting)
}

const WORDS = /[a-z]+[0-9]?w?[0-9]+[xy]/g

test('a page that is written over has every word of the document, or names the block that stayed as it was', () => {
  fc.assert(
    fc.property(page, edits, (source, all) => {
      let { document } = toDocument(source)
      for (const [number, edit] of all.entries()) {
        const next = structuredClone(document)
        editOnce(next, edit, number)
        if (checkDocument(next).length === 0) document = next
      }
      const { text: written, unwritten } = writeOver(source, document, { write: () => undefined })
      const kept = new Set(unwritten.flatMap(({ block: key, isKept }) => (isKept ? [key] : [])))
      for (const node of document.nodes) {
        if (node.key !== undefined && kept.has(node.key)) continue
        const texts = [...objectsIn(node)].flatMap(one =>
          [one.text, one.alt].filter(value => typeof value === 'string'),
        )
        for (const words of texts)
          for (const [word] of words.matchAll(WORDS))
            assert.ok(written.includes(word), `${word} in ${written}`)
      }
    }),
    tried(100),
  )
})
