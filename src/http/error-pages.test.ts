import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersHtml } from './error-pages.ts'

test('HTML is preferred where it is named and JSON is not named before it', () => {
  for (const accept of [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'text/html',
    'application/json;q=0.5, text/html',
    'TEXT/HTML; q=0.4',
    'application/xhtml+xml',
  ])
    assert.equal(prefersHtml(accept), true, accept)
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html;q=0',
    'application/json, text/html;q=0.9',
    'image/*',
    'text/html;q=x',
    ',;,;q',
  ])
    assert.equal(prefersHtml(accept), false, accept)
})
