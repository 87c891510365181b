import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeById } from './render.ts'

test('a reference of each kind is an address that names it by its id, within its space where it names one', () => {
  const addresses = [
    { kind: 'url', url: 'https://x.example' },
    { kind: 'page', page: 'p' },
    { kind: 'page', page: 'p', space: 's' },
    { kind: 'anchor', anchor: 'a' },
    { kind: 'anchor', anchor: 'a', page: 'p', space: 's' },
    { kind: 'file', file: 'f' },
    { kind: 'space', space: 's' },
    { kind: 'user', user: 'u' },
    { kind: 'collection', collection: 'c' },
    { kind: 'reusable-content', reusableContent: 'r' },
    { kind: 'tag', tag: 't', space: 's' },
    { kind: 'openapi', spec: 'o' },
  ] as const
  assert.deepEqual(addresses.map(writeById), [
    'https://x.example',
    '/pages/p',
    '/spaces/s/pages/p',
    '#a',
    '/spaces/s/pages/p#a',
    '/files/f',
    '/spaces/s',
    '/users/u',
    '/collections/c',
    '/reusable-contents/r',
    '/spaces/s/tags/t',
    'o',
  ])
})
