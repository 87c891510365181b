import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundMemory } from './memory-bound.ts'

// (module (memory (export "m") 1)), and the same after a section that is not its memory's.
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const EXPORT = [7, 5, 1, 1, 0x6d, 2, 0]
const MODULE = Uint8Array.from([...HEADER, 0, 3, 1, 0x6e, 0x6f, 5, 3, 1, 0, 1, ...EXPORT])

const memoryOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> =>
  (await WebAssembly.instantiate(bytes)).instance.exports.m as WebAssembly.Memory

test('a module has no more memory than its bound, and what it begins with', async () => {
  const free = await memoryOf(MODULE)
  assert.equal(free.grow(300), 1)
  const bound = await memoryOf(boundMemory(MODULE, 200))
  assert.equal(bound.buffer.byteLength, 65_536)
  assert.equal(bound.grow(199), 1)
  assert.throws(() => bound.grow(1), RangeError)
})

test('a bound that is less than what the module begins with, or no memory, is our mistake', () => {
  assert.throws(() => boundMemory(MODULE, 0), /no memory/)
  assert.throws(() => boundMemory(Uint8Array.from(HEADER), 1), /no memory/)
})
