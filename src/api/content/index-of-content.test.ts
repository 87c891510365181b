import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Content, contentOf } from '../../engines/content/content.ts'
import type { AnyRecord, Key } from '../../engines/content/records.ts'
import { indexOf, makeIndex } from './index-of-content.ts'

const PAGES = 50_000

/** Pages below each other by tens. */
function largeContent(): Content {
  const ids = Array.from({ length: PAGES }, (_, at) => `p${at}`)
  const page = (id: string, at: number): readonly [Key, AnyRecord] => {
    const children = ids.slice(at * 10 + 1, at * 10 + 11)
    return [`page/${id}`, { type: 'document', slug: id, file: `${id}.md`, children } as unknown as AnyRecord]
  }
  return contentOf([['tree', { children: ['p0'] }], ...ids.map(page)])
}

test('the index of a large content is made while others have their turn, and is that of one made at once', async () => {
  const content = largeContent()
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  await makeIndex(content)
  clearInterval(timer)
  assert.ok(turns > 0)
  const index = indexOf(content)
  assert.deepEqual(index, indexOf(largeContent()))
  assert.deepEqual([index.reading.length, index.paths.get('p11')], [PAGES, 'p0/p1/p11'])
})
