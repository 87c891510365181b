import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ALLOWED_SCHEMES_SAID,
  isHarmfulScheme,
  isLinkScheme,
  LINK_SCHEMES,
  schemeOf,
} from './link-schemes.ts'

test('the scheme of an address is in lower case, and a relative one has none', () => {
  for (const [address, scheme] of [
    ['VSCode://file/a', 'vscode'],
    ['mailto:a@b.example', 'mailto'],
    ['java script:alert(1)', 'java script'],
    ['a/b:c', undefined],
    ['?a:b', undefined],
    ['#a:b', undefined],
    [':a', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ] as const)
    assert.equal(schemeOf(address), scheme)
})

test('no scheme that runs what an address holds, or opens files or commands, is allowed', () => {
  for (const scheme of ['javascript', 'data', 'vbscript', 'blob', 'file', 'filesystem']) {
    assert.ok(!isLinkScheme(scheme) && isHarmfulScheme(scheme), scheme)
  }
  for (const scheme of [
    'ssh',
    'ms-settings',
    'search-ms',
    'ms-msdt',
    'view-source',
    'about',
    'feed',
    'jar',
    'c',
    '',
  ])
    assert.ok(!isLinkScheme(scheme), scheme)
  assert.ok(LINK_SCHEMES.every(scheme => /^[a-z][a-z-]+$/.test(scheme) && !isHarmfulScheme(scheme)))
})

test('the message names each scheme that is allowed', () => {
  for (const scheme of LINK_SCHEMES) assert.ok(ALLOWED_SCHEMES_SAID.includes(`${scheme}:`), scheme)
})
