import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocument } from '../../engines/markdown/document/check.ts'
import { type JSONDocument, type Reference, toDocument } from '../../engines/markdown/document/document.ts'
import { renderDocument } from '../../engines/markdown/render/render.ts'
import { readAddress } from './addresses.ts'

const linkTo = (ref: Reference): JSONDocument =>
  ({
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: [
          {
            object: 'inline',
            type: 'link',
            isVoid: false,
            data: { ref },
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'here', marks: [] }] }],
          },
        ],
      },
    ],
  }) as JSONDocument

const references: Reference[] = [
  { kind: 'url', url: 'https://example.com/pages/x' },
  { kind: 'page', page: 'p1' },
  { kind: 'page', page: 'p1', space: 's1' },
  { kind: 'anchor', anchor: 'setup' },
  { kind: 'anchor', anchor: 'setup', page: 'p1' },
  { kind: 'anchor', anchor: 'setup', page: 'p1', space: 's1' },
  { kind: 'file', file: 'f1' },
  { kind: 'space', space: 's1' },
  { kind: 'user', user: 'u1' },
  { kind: 'collection', collection: 'c1' },
  { kind: 'reusable-content', reusableContent: 'r1' },
]

test('what a comment refers to is the same after it was kept as Markdown', () => {
  for (const ref of references) {
    assert.deepEqual(checkDocument(linkTo(ref)), [])
    const { document } = toDocument(renderDocument(linkTo(ref)), { resolve: readAddress })
    const [paragraph] = document.nodes
    const link = paragraph?.nodes?.find(node => node.object === 'inline')
    assert.deepEqual((link as { data?: { ref?: Reference } } | undefined)?.data?.ref, ref)
  }
})

test('an address in any other form is not a reference', () => {
  const others = [
    '',
    '/',
    'pages/p1',
    '/pages/',
    '/pages/p1/x',
    '/users/u1#a',
    '/spaces/s1/users/u1',
    '//pages/p1',
  ]
  for (const destination of [...others, '/pages/p1?x', 'https://example.com', `/pages/${'x'.repeat(129)}`])
    assert.equal(readAddress(destination), undefined, destination)
})
