// What every ObjectStore promises, as one suite that each implementation runs.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeDocument } from './objects.ts'
import type { ObjectStore, StoredObject } from './store.ts'

/** Runs the suite; `make` answers an empty store, or one that other tests have put objects into. */
export function objectStoreConformance(name: string, make: () => Promise<ObjectStore>): void {
  // Stores may be shared between tests, so each test has documents of its own.
  let made = 0
  const documents = (count: number): StoredObject[] =>
    Array.from({ length: count }, () => encodeDocument(`${name}: document ${made++}`))
  const hashesOf = (objects: readonly StoredObject[]): string[] => objects.map(({ hash }) => hash)
  const bodyOf = (found: ReadonlyMap<string, Uint8Array>, { hash }: StoredObject): Buffer =>
    Buffer.from(found.get(hash) ?? assert.fail(`${hash} is there`))

  describe(`${name} as an ObjectStore`, () => {
    it('answers what was put, byte for byte', async () => {
      const store = await make()
      const everyByte = encodeDocument(Uint8Array.from({ length: 256 * 3 }, (_, i) => i % 256))
      const empty = encodeDocument('')
      const text = encodeDocument('\ufeffa\r\nb \0\n')
      await store.putMany([everyByte, empty, text])
      const found = await store.getMany(hashesOf([everyByte, empty, text]))
      for (const object of [everyByte, empty, text])
        assert.deepEqual(bodyOf(found, object), Buffer.from(object.body))
    })

    it('keeps both kinds of object', async () => {
      const store = await make()
      const [document] = documents(1) as [StoredObject]
      const node: StoredObject = { ...encodeDocument(`${name}: node`), kind: 'node' }
      await store.putMany([document, node])
      assert.equal((await store.getMany(hashesOf([document, node]))).size, 2)
    })

    it('leaves out what it does not have', async () => {
      const store = await make()
      const [there, absent] = documents(2) as [StoredObject, StoredObject]
      await store.putMany([there])
      assert.deepEqual([...(await store.getMany(hashesOf([absent, there]))).keys()], [there.hash])
      assert.deepEqual([...(await store.hasMany(hashesOf([absent, there])))], [there.hash])
      assert.equal((await store.getMany([absent.hash])).size, 0)
    })

    it('takes empty questions and empty answers', async () => {
      const store = await make()
      await store.putMany([])
      assert.equal((await store.getMany([])).size, 0)
      assert.equal((await store.hasMany([])).size, 0)
    })

    it('takes the same object again, in one call and in another', async () => {
      const store = await make()
      const objects = documents(3)
      await store.putMany([...objects, ...objects])
      await store.putMany([...objects, ...documents(1)])
      const found = await store.getMany([...hashesOf(objects), ...hashesOf(objects)])
      assert.equal(found.size, 3)
      for (const object of objects) assert.deepEqual(bodyOf(found, object), Buffer.from(object.body))
    })

    it('keeps thousands of objects in one call, and answers them in one', async () => {
      const store = await make()
      const objects = documents(3000)
      await store.putMany(objects)
      assert.deepEqual(await store.hasMany(hashesOf(objects)), new Set(hashesOf(objects)))
      const found = await store.getMany(hashesOf(objects))
      assert.equal(found.size, objects.length)
      for (const object of objects) assert.deepEqual(bodyOf(found, object), Buffer.from(object.body))
    })

    it('keeps an object of several megabytes', async () => {
      const store = await make()
      const large = encodeDocument(`${name} `.repeat(100_000))
      await store.putMany([large])
      assert.deepEqual(bodyOf(await store.getMany([large.hash]), large), Buffer.from(large.body))
    })

    it('takes the same objects from several writers at once, in any order', async () => {
      const store = await make()
      const objects = documents(200)
      const orders = [objects, objects.toReversed(), objects.slice(100), objects.slice(0, 150).reverse()]
      await Promise.all(orders.map(order => store.putMany(order)))
      assert.equal((await store.getMany(hashesOf(objects))).size, objects.length)
    })

    it('answers an object as soon as it was put, also when it was missed before', async () => {
      const store = await make()
      const [late] = documents(1) as [StoredObject]
      assert.equal((await store.getMany([late.hash])).size, 0)
      await store.putMany([late])
      assert.deepEqual(bodyOf(await store.getMany([late.hash]), late), Buffer.from(late.body))
      assert.ok((await store.hasMany([late.hash])).has(late.hash))
    })
  })
}
