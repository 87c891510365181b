// What a diff costs: its changes, not the space that they are in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import type { Hash, PageRecord } from '../../engines/content/records.ts'
import { pageKey } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { applyContent } from '../heads/publish.ts'
import { readChanges } from './reads.ts'

const PAGES = 200
const w = await world()

/** The same objects, counting the nodes and documents that are asked for. */
function counting(objects: Services['objects']): Services['objects'] & { count: number } {
  const counted = {
    count: 0,
    hasMany: objects.hasMany,
    putMany: objects.putMany,
    remember: objects.remember,
    getMany: (hashes: readonly Hash[]) => {
      counted.count += hashes.length
      return objects.getMany(hashes)
    },
    getNodes: (hashes: readonly Hash[]) => {
      counted.count += hashes.length
      return objects.getNodes(hashes)
    },
  }
  return counted
}

test('to report one changed page of two hundred, a few nodes and two documents are read', async () => {
  const names = Array.from({ length: PAGES }, (_, i) => `p${i}`)
  const id = await spaceWith(w, {
    'SUMMARY.md': names.map(name => `* [${name}](${name}.md)\n`).join(''),
    ...Object.fromEntries(names.map(name => [`${name}.md`, `# ${name}\n`])),
  })
  const row = await w.services.db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .selectAll('spaces')
    .select('root_hash')
    .where('spaces.id', '=', id)
    .executeTakeFirstOrThrow()
  const base = row.root_hash.toString('hex')
  const { pages } = await w.services.contents.get(base)
  const [[one, record], [, other]] = [...pages] as [[string, PageRecord], [string, PageRecord]]
  const edits = new Map([[pageKey(one), { ...record, title: 'Changed', document: other.document }]])
  const { root, objects } = await applyContent(w.services.objects, base, edits, [])
  await w.services.objects.putMany(objects)
  const reads = counting(w.services.objects)
  const { changes, more } = await readChanges(
    { ...w.services, objects: reads },
    {
      ...{ space: row as never, revisionId: 'any', root, isMember: true, role: 'admin', changeRequest: null },
      sight: 'published',
    },
    base,
    undefined,
    {},
  )
  assert.deepEqual([changes.length, more], [1, undefined])
  assert.ok(reads.count <= 16, `${reads.count} objects for one page of ${PAGES}`)
})
