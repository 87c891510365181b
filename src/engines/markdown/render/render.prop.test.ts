// Documents of every shape, with words that look like markup, as Markdown and back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { documents } from '../../../../test/support/markdown/documents.ts'
import { write } from '../../../../test/support/markdown/paths.ts'
import { resolve } from '../../../../test/support/markdown/references.ts'
import { saidBy } from '../../../../test/support/markdown/said.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { checkDocument } from '../document/check.ts'
import { toDocument } from '../document/document.ts'
import { contentOf } from './matching.ts'
import { renderDocument } from './render-document.ts'

test('any document, written and read, says the same in every character and mark, and is written the same again', () => {
  fc.assert(
    fc.property(documents, document => {
      assert.deepEqual(checkDocument(document), [])
      const markdown = renderDocument(document, { write })
      const read = toDocument(markdown, { resolve }).document
      assert.deepEqual(saidBy(read), saidBy(document), markdown)
      const settled = renderDocument(read, { write })
      const again = toDocument(settled, { resolve }).document
      assert.deepEqual(again.nodes.map(contentOf), read.nodes.map(contentOf), settled)
      assert.equal(renderDocument(again, { write }), settled)
    }),
    tried(80),
  )
})

test('an emoji within code of a caption stays an emoji', () => {
  const source =
    '<figure><img src="https://x.example" alt=""><figcaption><p><code>x.<span data-gb-custom-inline data-tag="emoji" data-code="1f680">🚀</span>y</code></p></figcaption></figure>\n'
  const { document } = toDocument(source, { resolve })
  assert.match(JSON.stringify(saidBy(document)), /"emoji"/)
  const again = toDocument(renderDocument(document, { write }), { resolve }).document
  assert.deepEqual(saidBy(again), saidBy(document))
})
