import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadPlaces, UPLOADS_AT_ONCE_MAX, UPLOADS_OF_ONE_MAX } from './upload-places.ts'

test('uploads are bounded for each person and in total', () => {
  const places = createUploadPlaces(UPLOADS_AT_ONCE_MAX, UPLOADS_OF_ONE_MAX)
  const takeAll = (user: string) => {
    let count = 0
    while (places.take(user)) count += 1
    return count
  }
  assert.equal(takeAll('slow'), UPLOADS_OF_ONE_MAX)
  let others = 0
  for (let n = 0; n < UPLOADS_AT_ONCE_MAX; n += 1) others += takeAll(`other-${n}`)
  assert.equal(others, UPLOADS_AT_ONCE_MAX - UPLOADS_OF_ONE_MAX)
  places.giveBack('slow')
  assert.equal(takeAll('slow'), 1)
})
