import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { imageSize } from 'image-size'
import { noisePngOf, pngOf } from '../../../test/support/png.ts'
import { createScaler, sizeWithin } from './scaler.ts'

const scaler = createScaler()
after(() => scaler[Symbol.asyncDispose]())

test('a picture is made smaller, and what is transparent stays so', async () => {
  const opaque = await scaler.scale(pngOf(200, 100, [10, 200, 30, 255]), 'image/png', {
    width: 50,
    height: 25,
  })
  assert.ok(opaque !== undefined)
  assert.deepEqual(
    [imageSize(opaque).width, imageSize(opaque).height, imageSize(opaque).type],
    [50, 25, 'png'],
  )
  const clear = await scaler.scale(pngOf(200, 100, [10, 200, 30, 0]), 'image/png', { width: 50, height: 25 })
  assert.notDeepEqual(clear, opaque)
})

test('a photograph kept as PNG becomes a JPEG, unless a part of it is transparent', async () => {
  const size = { width: 200, height: 100 }
  const typeOf = async (alpha: number) => {
    const photograph = await scaler.scale(noisePngOf(400, 200, alpha), 'image/png', size)
    return photograph === undefined ? undefined : imageSize(photograph).type
  }
  assert.deepEqual([await typeOf(255), await typeOf(200)], ['jpg', 'png'])
})

test('what is no picture, or says that it is larger than memory, is refused, and the next one is scaled', async () => {
  const size = { width: 10, height: 10 }
  const noise = new Uint8Array(Buffer.from('no picture at all'))
  for (const type of ['image/jpeg', 'image/png', 'image/webp'] as const)
    assert.equal(await scaler.scale(new Uint8Array(noise), type, size), undefined)
  const bomb = pngOf(20, 20, [0, 0, 0, 255], { saidWidth: 60_000, saidHeight: 60_000 })
  assert.equal(await scaler.scale(bomb, 'image/png', size), undefined)
  assert.ok((await scaler.scale(pngOf(40, 40, [0, 0, 0, 255]), 'image/png', size)) !== undefined)
})

test('a picture that takes too long is given up, and the next one is scaled', async () => {
  await using hasty = createScaler(1)
  const size = { width: 100, height: 100 }
  assert.equal(await hasty.scale(pngOf(3_000, 3_000, [1, 2, 3, 255]), 'image/png', size), undefined)
})

test('a size within a box keeps its shape and is never larger', () => {
  const most = { width: 980, height: 1_167 }
  assert.deepEqual(sizeWithin({ width: 2_000, height: 1_500 }, most), { width: 980, height: 735 })
  assert.deepEqual(sizeWithin({ width: 100, height: 100_000 }, most), { width: 1, height: 1_167 })
  assert.deepEqual(sizeWithin({ width: 300, height: 200 }, most), { width: 300, height: 200 })
})
