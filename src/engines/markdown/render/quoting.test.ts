import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { markdownDestination } from './quoting.ts'

const nested = (depth: number) => `${'('.repeat(depth)}x${')'.repeat(depth)}`
const urlOf = (destination: string) => {
  const [block] = fromMarkdown(`[words](${destination})`).children
  const [link] = block?.type === 'paragraph' ? block.children : []
  return link?.type === 'link' ? link.url : undefined
}

test('a destination with balanced parentheses is bare up to 30 levels and in angle brackets beyond', () => {
  assert.equal(markdownDestination(nested(30)), nested(30))
  assert.equal(markdownDestination(nested(31)), `<${nested(31)}>`)
})

test('a destination with unbalanced parentheses is in angle brackets', () => {
  for (const destination of ['a(b', 'a)b', 'a)(b', '())('])
    assert.equal(markdownDestination(destination), `<${destination}>`)
})

test('parsers that stop at 32 levels read every depth as it was', () => {
  for (const depth of [1, 30, 31, 32, 33, 60])
    assert.equal(urlOf(markdownDestination(nested(depth))), nested(depth))
})
