import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/support/database.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { objectStoreConformance } from '../../engines/content/store.conformance.ts'
import { createObjectStore, insertObjects } from './objects.ts'

const database = await openTestDatabase()

objectStoreConformance('the object store on the database', async () =>
  createObjectStore(database.db, 1024 * 1024),
)
objectStoreConformance('the object store without a cache', async () => createObjectStore(database.db, 2))

test('more objects than one statement takes are all kept', async () => {
  const objects = Array.from({ length: 1201 }, (_, index) => encodeDocument(`document ${index}`))
  await insertObjects(database.db, objects)
  const store = createObjectStore(database.db, 1024)
  assert.equal((await store.getMany(objects.map(object => object.hash))).size, 1201)
})
