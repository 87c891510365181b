import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileRecord } from '../../engines/content/records.ts'
import { Pictures } from './pictures.ts'

const pictureOf = (at: number, width: number, height: number, contentType = 'image/png'): FileRecord => ({
  ...{ name: `${at}.png`, file: `${at}.png`, blob: `blob-${at}`, size: 1_000, contentType },
  dimensions: { width, height },
})

function choose(records: readonly FileRecord[]) {
  const pictures = new Pictures()
  for (const record of records) pictures.see(record.file, record)
  return pictures.choose()
}

const many = (count: number, width: number, height: number) =>
  Array.from({ length: count }, (_, at) => pictureOf(at, width, height))

test('a picture is drawn in what a sheet shows, and a small one or one of another kind as it is', () => {
  const { files } = choose([
    pictureOf(1, 2_000, 1_500),
    pictureOf(2, 600, 400),
    pictureOf(3, 2_000, 1_500, 'image/gif'),
    pictureOf(4, 2_000, 1_500, 'image/svg+xml'),
  ])
  assert.deepEqual(
    [...files.values()].map(({ size }) => size),
    [{ width: 981, height: 736 }, undefined, undefined, undefined],
  )
})

test('many pictures are drawn in fewer pixels, and none is left out before that', () => {
  const { files } = choose(many(330, 2_000, 1_500))
  assert.deepEqual(files.get('/pictures/blob-0')?.size, { width: 628, height: 471 })
  assert.equal(files.size, 330)
  // A sharper choice of 198 would fit, and take the memory of a small machine.
  assert.equal(choose(many(198, 1_600, 1_000)).files.get('/pictures/blob-0')?.size?.width, 628)
  assert.equal(choose(many(70, 1_600, 1_000)).files.get('/pictures/blob-0')?.size?.width, 981)
})

test('the pixels of all pictures are bounded, drawn and as they are', () => {
  assert.ok(choose(many(5_000, 628, 471)).files.size < 600)
  assert.ok(choose(many(400, 6_000, 6_000)).files.size < 30)
  assert.equal(choose([pictureOf(1, 10_000, 10_000)]).files.size, 0)
})
