import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersMarkdown } from './accept.ts'

test('Markdown is given to who names it and does not prefer HTML', () => {
  for (const accept of [
    'text/markdown',
    'text/markdown, text/html;q=0.9',
    'text/html;q=0.5, Text/Markdown ; q=0.6',
    'text/markdown, */*;q=0.8',
    'text/markdown;variant=GFM, text/*;q=0.3',
    'text/*, text/html;q=0.2',
    'text/markdown, text/html, */*',
    'text/html, text/markdown',
    'text/markdown, */*',
  ])
    assert.equal(prefersMarkdown(accept), true, accept)
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/*',
    'text/markdown;q=0',
    'text/markdown;q=0.5, text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json',
    'text/markdown;q=nonsense',
  ])
    assert.equal(prefersMarkdown(accept), false, String(accept))
})
