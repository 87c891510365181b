import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { ShownUrl } from './list.ts'

const fits = (text: string) => Value.Check(ShownUrl, text)

test('an address that others are shown has no user and no password, however a browser would read it', () => {
  for (const text of [
    ...['https://user:word@a.test', 'http://user@a.test/x', 'https://:word@a.test', 'https://@a.test'],
    ...[
      'https:///user:word@a.test',
      'https:////u:w@a.test',
      'https://b\\\\u:w@a.test',
      'https://u:w@a.test?x',
    ],
    ...['javascript:alert(1)', 'https://', 'https://?x', 'ftp://a.test'],
  ])
    assert.equal(fits(text), false, text)
  for (const text of [
    ...['https://a.test', 'http://a.test:81/x?y=z#a', 'https://a.test/@user', 'https://a.test?to=u@b.test'],
    ...['https://[::1]:4000/x', 'https://a.test#@b'],
  ]) {
    assert.equal(fits(text), true, text)
    assert.equal(new URL(text).username + new URL(text).password, '')
  }
})
