// What every BlobStore promises, as tests; each implementation runs them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { failureOf } from '../../../test/support/failures.ts'
import type { BeforePut, BlobStore } from './store.ts'

const { signal } = new AbortController()
const PNG = { contentType: 'image/png' }

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Bytes that no other test puts: `name` and noise. */
const bytesOf = (name: string, size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  let seed = 1
  for (let at = 0; at < size; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    bytes[at] = seed >> 16
  }
  bytes.write(name)
  return bytes
}

async function readAll(found: { stream: Readable } | undefined): Promise<Buffer | undefined> {
  if (found === undefined) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of found.stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Those of `hashes` that the store has. */
async function foundOf(store: BlobStore, hashes: readonly string[]): Promise<Set<string>> {
  const found = await Promise.all(hashes.map(hash => store.find(hash)))
  return new Set(found.flatMap(each => each?.sha256 ?? []))
}

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/**
 * `open` answers a store that may hold other tests' blobs, and that calls `beforePut`. `skips` names known gaps of an
 * implementation, with the reason.
 */
export function blobStoreSuite(
  name: string,
  open: (beforePut?: BeforePut) => Promise<BlobStore>,
  skips: { readonly firstByte?: string } = {},
): void {
  describe(`${name} as a blob store`, () => {
    for (const size of [0, 1, 1000, 70_000, 3_000_000]) {
      it(`gives ${size} bytes back as they were put, whole or as a stream`, async () => {
        const store = await open()
        const bytes = bytesOf('a', size)
        const info = { sha256: sha256(bytes), size }
        assert.deepEqual(await store.put(bytes, PNG), info)
        const found = await store.read(info.sha256)
        assert.equal(found?.size, size)
        assert.ok((await readAll(found))?.equals(bytes))

        const streamed = Buffer.concat([bytes, Buffer.from('streamed')])
        assert.deepEqual(await store.put(piecesOf(streamed, 60_000), PNG), {
          sha256: sha256(streamed),
          size: size + 8,
        })
        assert.ok((await readAll(await store.read(sha256(streamed))))?.equals(streamed))
      })
    }

    it('gives a range, both ends included, or the last bytes, and none that holds no byte', async () => {
      const store = await open()
      const { sha256: hash } = await store.put(Buffer.from('0123456789'), PNG)
      for (const [range, text] of [
        [{ first: 2, last: 4 }, '234'],
        [{ first: 8, last: 100 }, '89'],
        [{ first: 9, last: Number.MAX_SAFE_INTEGER }, '9'],
        [{ first: 10, last: 20 }, undefined],
        [{ first: 3, last: 2 }, undefined],
        [{ suffix: 3 }, '789'],
        [{ suffix: 100 }, '0123456789'],
        [{ suffix: 0 }, undefined],
      ] as const) {
        const found = await store.read(hash, range)
        assert.equal((await readAll(found))?.toString(), text, JSON.stringify(range))
        if (text === undefined) continue
        const first = '0123456789'.indexOf(text)
        assert.deepEqual([found?.size, found?.first, found?.length], [10, first, text.length])
      }
      const { sha256: empty } = await store.put(Buffer.alloc(0), PNG)
      assert.equal(await store.read(empty, { suffix: 1 }), undefined)
    })

    it('gives the first byte alone', { skip: skips.firstByte ?? false }, async () => {
      const store = await open()
      const { sha256: hash } = await store.put(Buffer.from('0123456789'), PNG)
      assert.equal((await readAll(await store.read(hash, { first: 0, last: 0 })))?.toString(), '0')
    })

    it('has what was put and nothing else', async () => {
      const store = await open()
      const there = await store.put(Buffer.from('there'), PNG)
      const absent = sha256('never put')
      assert.deepEqual(await store.find(there.sha256), there)
      assert.equal(await store.find(absent), undefined)
      assert.equal(await store.read(absent), undefined)
    })

    it('takes a hash for nothing but a hash', async () => {
      const store = await open()
      for (const hash of [
        '',
        '..',
        '../../../../etc/passwd',
        'A'.repeat(64),
        `${'a'.repeat(63)}/`,
        `${'a'.repeat(64)}\n`,
      ]) {
        assert.equal(await store.find(hash), undefined)
        assert.equal(await store.read(hash), undefined)
        await store.remove(hash, signal)
      }
    })

    it('refuses bytes that are not those of the hash given, and keeps none of them', async () => {
      const store = await open()
      const wrong = sha256('something else')
      const bytes = Buffer.from('not that')
      for (const content of [bytes, piecesOf(bytes, 3)]) {
        assert.equal((await failureOf(store.put(content, { ...PNG, sha256: wrong }))).code, 'blob_hash_wrong')
      }
      assert.deepEqual(await foundOf(store, [wrong, sha256(bytes)]), new Set())
      assert.equal((await store.put(bytes, { ...PNG, sha256: sha256(bytes) })).size, 8)
    })

    it('refuses a stream that is longer than allowed', async () => {
      const store = await open()
      const bytes = bytesOf('too long', 1000)
      const failure = await failureOf(store.put(piecesOf(bytes, 100), { ...PNG, bytesMax: 999 }))
      assert.deepEqual([failure.kind, failure.code], ['too_large', 'blob_too_large'])
      assert.equal((await store.put(piecesOf(bytes, 100), { ...PNG, bytesMax: 1000 })).size, 1000)
    })

    it('keeps nothing of a stream that breaks off, and says why it did', async () => {
      const store = await open()
      const broken = (async function* () {
        yield Buffer.from('half')
        throw new Error('the sender went away')
      })()
      await assert.rejects(store.put(broken, PNG), /the sender went away/)
      assert.deepEqual(await foundOf(store, [sha256('half')]), new Set())
    })

    it('takes the same bytes many times at once', async () => {
      const store = await open()
      const bytes = bytesOf('same', 100_000)
      const puts = Array.from({ length: 12 }, (_, i) =>
        store.put(i % 3 === 0 ? piecesOf(bytes, 9_999) : bytes, PNG),
      )
      for (const info of await Promise.all(puts)) assert.equal(info.sha256, sha256(bytes))
      assert.ok((await readAll(await store.read(sha256(bytes))))?.equals(bytes))
    })

    it('takes hundreds of blobs at once', async () => {
      const store = await open()
      const all = Array.from({ length: 300 }, (_, i) => Buffer.from(`one of hundreds: ${i}`))
      const infos = await Promise.all(all.map(bytes => store.put(bytes, PNG)))
      assert.equal(
        (
          await foundOf(
            store,
            infos.map(info => info.sha256),
          )
        ).size,
        300,
      )
    })

    it('lists every blob with its size', async () => {
      const store = await open()
      const wanted = new Map<string, number>()
      for (let i = 0; i < 5; i++) {
        const { sha256: hash, size } = await store.put(bytesOf(`listed ${i}`, 50 + i), PNG)
        wanted.set(hash, size)
      }
      const listed = new Map<string, number>()
      for await (const { sha256: hash, size } of store.list()) if (wanted.has(hash)) listed.set(hash, size)
      assert.deepEqual(listed, wanted)
    })

    for (const size of [100, 200_000]) {
      it(`removes ${size} bytes, once or again, and takes them anew`, async () => {
        const store = await open()
        const bytes = bytesOf('removed', size)
        const { sha256: hash } = await store.put(bytes, PNG)
        for (const _ of [1, 2]) {
          await store.remove(hash, signal)
          assert.equal(await store.find(hash), undefined)
        }
        await store.put(bytes, PNG)
        assert.ok((await readAll(await store.read(hash)))?.equals(bytes))
      })
    }

    it('asks before a put, when it knows the hash and before the bytes are there', async () => {
      const asked: string[] = []
      const store = await open(async hash => {
        asked.push(hash)
        assert.equal(await store.find(hash), undefined)
        throw new Error('not now')
      })
      const bytes = bytesOf('asked', 100_000)
      for (const content of [bytes, piecesOf(bytes, 30_000)])
        await assert.rejects(store.put(content, PNG), /not now/)
      assert.deepEqual(asked, [sha256(bytes), sha256(bytes)])
      assert.equal(await store.find(sha256(bytes)), undefined)
    })
  })
}
