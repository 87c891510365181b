import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseReusableAddress, writeReusableAddress } from './reusable-address.ts'

test('a reusable content of another space has an address that names both, whatever their ids are', () => {
  for (const [space, reusableContent] of [
    ['s1', 'r1'],
    ['a/b"?#', '中 %'],
  ] as const)
    assert.deepEqual(parseReusableAddress(writeReusableAddress({ space, reusableContent })), {
      space,
      reusableContent,
    })
  assert.deepEqual(parseReusableAddress('https://app.gitbook.com/s/s1/~/reusable/r1'), {
    space: 's1',
    reusableContent: 'r1',
  })
})

test('other addresses name none', () => {
  for (const address of [
    ...['https://app.gitbook.com/s/s1/~/reusable/', 'https://app.gitbook.com/s/s1/r1'],
    ...['https://app.gitbook.com/s/s1/~/reusable/%', 'http://app.gitbook.com.test/s/s1/~/reusable/r1/'],
    '../.gitbook/includes/note.md',
  ])
    assert.equal(parseReusableAddress(address), undefined, address)
})
