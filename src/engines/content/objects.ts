// The bytes of the two kinds of object. A document is its own bytes. A node of the trie is a tag and a body:
//
//   leaf    F8, then canonical JSON: [[key, record], …] with ascending keys
//   inner   F9, then big-endian: entries below (u32), pages below (u32), bitmap of present children (u32),
//           then 32 bytes of hash for every bit set, lowest bit first
//
// F8 and F9 never occur in UTF-8, so no Markdown text has the bytes, and with them the hash, of a node.
import { hash as digest } from 'node:crypto'
import { assert } from '../../base/assert.ts'
import { canonicalJson, sha256 } from '../../base/canonical.ts'
import { gitBlobOid } from '../../base/git-blob.ts'
import type { Entry, Hash, Inner, Leaf, Node } from './records.ts'
import type { StoredObject } from './store.ts'

const LEAF_TAG = 0xf8
const INNER_TAG = 0xf9
const HASH_BYTES = 32
const INNER_HEAD_BYTES = 13

/** The object of a document; a string is stored as UTF-8, bytes as they are. */
export function encodeDocument(markdown: string | Uint8Array): StoredObject {
  const body = typeof markdown === 'string' ? Buffer.from(markdown, 'utf8') : markdown
  return { hash: sha256(body), kind: 'document', body }
}

/** How records name a document: by its hash, and by the id that git gives its bytes. */
export const namesOf = ({ hash, body }: StoredObject): { readonly document: Hash; readonly oid: string } => ({
  document: hash,
  oid: gitBlobOid(body),
})

/** The text of a document, its BOM included. Bytes that are not UTF-8 are shown as U+FFFD; they stay in the store. */
export const decodeDocument = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')

export function encodeNode(node: Node): StoredObject {
  const body = node.kind === 'leaf' ? encodeLeaf(node) : encodeInner(node)
  return { hash: digest('sha256', body), kind: 'node', body }
}

function encodeLeaf(leaf: Leaf): Uint8Array {
  const json = canonicalJson(leaf.entries)
  const body = Buffer.allocUnsafe(1 + Buffer.byteLength(json))
  body[0] = LEAF_TAG
  body.write(json, 1)
  return body
}

function encodeInner(inner: Inner): Uint8Array {
  const body = Buffer.allocUnsafe(INNER_HEAD_BYTES + inner.children.length * HASH_BYTES)
  body[0] = INNER_TAG
  body.writeUInt32BE(inner.entries, 1)
  body.writeUInt32BE(inner.pages, 5)
  body.writeUInt32BE(inner.bitmap, 9)
  inner.children.forEach((child, i) => {
    body.write(child, INNER_HEAD_BYTES + i * HASH_BYTES, 'hex')
  })
  return body
}

/**
 * Decodes the node with this hash. Throws if the bytes do not match the hash or are not a node: then the store is
 * damaged, and nothing read from it can be trusted.
 */
export function decodeNode(hash: Hash, body: Uint8Array): Node {
  assert(digest('sha256', body) === hash, `the bytes stored as ${hash} are others`)
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (bytes[0] === LEAF_TAG) return decodeLeaf(hash, bytes)
  assert(bytes[0] === INNER_TAG, `object ${hash} is not a node`)
  return decodeInner(hash, bytes)
}

/** Whether the bytes are those of a leaf in which there may be files; decides without reading it. */
export function mayHaveFiles(body: Uint8Array): boolean {
  if (body[0] !== LEAF_TAG) return false
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('["file/')
}

function decodeLeaf(hash: Hash, bytes: Buffer): Leaf {
  const entries = parseJson(bytes.toString('utf8', 1))
  assert(Array.isArray(entries) && entries.length > 0, `node ${hash} is a leaf without entries`)
  let last = ''
  for (const entry of entries) {
    assert(Array.isArray(entry) && entry.length === 2, `node ${hash} has an entry that is no pair`)
    const [key, record]: readonly unknown[] = entry
    assert(typeof key === 'string' && key > last, `node ${hash} has keys out of order`)
    assert(record !== null && !Array.isArray(record), `node ${hash} has no record under ${key}`)
    last = key
  }
  // The bytes match their hash, and only records of these types are encoded.
  return { kind: 'leaf', entries: entries as Entry[] }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function decodeInner(hash: Hash, bytes: Buffer): Inner {
  assert(bytes.length > INNER_HEAD_BYTES, `node ${hash} is cut short`)
  const bitmap = bytes.readUInt32BE(9)
  const count = popCount(bitmap)
  assert(bytes.length === INNER_HEAD_BYTES + count * HASH_BYTES, `node ${hash} has another size than it says`)
  const hex = bytes.toString('hex', INNER_HEAD_BYTES)
  const children = Array.from({ length: count }, (_, i) => hex.slice(i * 64, (i + 1) * 64))
  return { kind: 'inner', entries: bytes.readUInt32BE(1), pages: bytes.readUInt32BE(5), bitmap, children }
}

/** How many bits of an unsigned 32-bit number are set. */
export function popCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
