import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySpace, memorySource } from '../../../test/support/memory-source.ts'
import { fileKey } from '../../engines/content/records.ts'
import { filesOfRevision } from './files.ts'

test('names that no tree of git takes are left out, and what is below a file', async () => {
  const space = new MemorySpace()
  await space.import({ 'README.md': '# Home\n', 'a.png': 'picture' })
  const [record] = space.content.files.values()
  assert.ok(record)
  const odd = ['a.png/below.png', '../out.png', 'x/.git/config', '/root.png', 'fine/b.png']
  space.edit({
    edits: new Map(odd.map((file, at) => [fileKey(`odd-${at}`), { ...record, file }])),
    documents: [],
  })
  const files = await filesOfRevision(memorySource({}, space.documents), space.content, space.content)
  assert.deepEqual([...files.keys()].sort(), ['README.md', 'SUMMARY.md', 'a.png', 'fine/b.png'])
})
