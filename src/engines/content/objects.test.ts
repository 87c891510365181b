import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/characters.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { sha256 } from '../../base/canonical.ts'
import { page } from './content.arbitrary.ts'
import { decodeDocument, decodeNode, encodeDocument, encodeNode, popCount } from './objects.ts'
import type { AnyRecord, Inner, Key, Leaf } from './records.ts'

const leaf: Leaf = { kind: 'leaf', entries: [['page/a', page({})]] }
const inner: Inner = {
  kind: 'inner',
  entries: 40,
  pages: 39,
  bitmap: 0x80000001,
  children: ['00'.repeat(32), 'ff'.repeat(32)],
}

/** Bytes under the hash they really have, so that only their meaning can be wrong. */
const decode = (bytes: Uint8Array) => decodeNode(sha256(bytes), bytes)
const leafBytes = (json: string): Buffer => Buffer.concat([Buffer.from([0xf8]), Buffer.from(json)])

describe('a node', () => {
  it('is read back from its bytes', () => {
    for (const node of [leaf, inner]) {
      const { hash, body, kind } = encodeNode(node)
      assert.equal(kind, 'node')
      assert.equal(hash, sha256(body))
      assert.deepEqual(decodeNode(hash, body), node)
    }
  })

  it('is read back whatever its records hold', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ unit: anyCharacter, minLength: 1 }), fc.jsonValue()), {
          selector: ([key]) => key,
          minLength: 1,
        }),
        pairs => {
          const entries = pairs
            .filter(([, value]) => value !== null && !Array.isArray(value))
            .sort(([a], [b]) => (a < b ? -1 : 1)) as unknown as [Key, AnyRecord][]
          if (entries.length === 0) return
          const { hash, body } = encodeNode({ kind: 'leaf', entries })
          assert.deepEqual(decodeNode(hash, body), {
            kind: 'leaf',
            entries: JSON.parse(JSON.stringify(entries)),
          })
        },
      ),
      tried(30),
    ))

  it('has the same bytes however its records were written down', () => {
    const shuffled = {
      document: null,
      children: [],
      slug: 's',
      emoji: undefined,
      parent: null,
      title: 'T',
      type: 'document',
    }
    const other: Leaf = { kind: 'leaf', entries: [['page/a', shuffled as unknown as AnyRecord]] }
    assert.equal(encodeNode(other).hash, encodeNode(leaf).hash)
  })

  it('is 32 bytes a child, so that the ways through the trie stay small', () => {
    assert.equal(encodeNode(inner).body.length, 13 + 2 * 32)
  })

  it('is refused when its bytes are not those of its hash', () => {
    const { hash, body } = encodeNode(leaf)
    assert.throws(
      () => decodeNode(hash, Buffer.concat([body, Buffer.from(' ')])),
      /the bytes stored as .* are others/,
    )
  })

  it('is refused when its bytes are no node', () => {
    for (const [bytes, why] of [
      [Buffer.alloc(0), /is not a node/],
      [Buffer.from('# A document'), /is not a node/],
      [Buffer.from([0xfa, 1, 2]), /is not a node/],
      [leafBytes('[["page/a"'), /leaf without entries/],
      [leafBytes('[]'), /leaf without entries/],
      [leafBytes('{"page/a":1}'), /leaf without entries/],
      [leafBytes('["page/a"]'), /no pair/],
      [leafBytes('[["page/a",1,2]]'), /no pair/],
      [leafBytes('[[1,1]]'), /keys out of order/],
      [leafBytes('[["b",1],["a",1]]'), /keys out of order/],
      [leafBytes('[["a",1],["a",1]]'), /keys out of order/],
      [leafBytes('[["a",null]]'), /no record under a/],
      [leafBytes('[["a",[]]]'), /no record under a/],
      [Buffer.from([0xf9, 0, 0]), /cut short/],
      [encodeNode(inner).body.subarray(0, 60), /another size than it says/],
      [Buffer.concat([encodeNode(inner).body, Buffer.alloc(32)]), /another size than it says/],
    ] as const) {
      assert.throws(() => decode(bytes), why)
    }
  })

  it('is refused or read, never anything else, whatever the bytes', () =>
    fc.assert(
      fc.property(fc.constantFrom(0xf8, 0xf9), fc.uint8Array({ maxLength: 100 }), (tag, rest) => {
        const bytes = Buffer.concat([Buffer.from([tag]), rest])
        try {
          assert.ok(['leaf', 'inner'].includes(decode(bytes).kind))
        } catch (error) {
          assert.match((error as Error).message, /^assertion failed: node/)
        }
      }),
    ))
})

describe('a document', () => {
  it('keeps its bytes and is named by their SHA-256', () => {
    const text = '\ufeff# Title \r\n\r\n\ttext\0 \n\n'
    const { hash, body, kind } = encodeDocument(text)
    assert.equal(kind, 'document')
    assert.equal(hash, sha256(text))
    assert.equal(decodeDocument(body), text)
    const bytes = Uint8Array.of(0xff, 0xfe, 0x41)
    assert.equal(encodeDocument(bytes).body, bytes)
  })

  it('has no bytes that are those of a node, when it is text', () => {
    for (const node of [leaf, inner]) {
      const { body } = encodeNode(node)
      assert.notDeepEqual(Buffer.from(decodeDocument(body)), body)
    }
  })
})

describe('popCount', () => {
  it('counts the bits of any unsigned 32-bit number', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), bits => {
        assert.equal(popCount(bits), [...bits.toString(2)].filter(bit => bit === '1').length)
      }),
    ))
})
