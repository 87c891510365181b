import { test } from 'node:test'
import fc from 'fast-check'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { world } from '../../../test/support/world.ts'
import { Draft } from '../../engines/content/draft.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import { insertPage, movePage, removePage, updatePage } from '../../engines/content/page-edits.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { checkEdits } from '../../engines/content/tree-check-edits.ts'
import { findSpace } from '../spaces/rows.ts'
import { publish } from './publish.ts'

const w = await world()

const TEXTS = [
  '',
  '# One\n\n[two](f2.md) and [there](../a/f3.md#x)\n',
  '# Two\n\nWords that [lead](https://example.com) away, and ![in](dot.png)\n\n## Part\n\nMore.\n',
  '[one](f1.md) [one](f1.md) [one](f1.md)\n\nOnly words.\n',
]

/** What one step does: a kind and numbers that are turned into pages, parents and texts that are there. */
const steps = fc.array(fc.tuple(fc.nat(5), fc.nat(8), fc.nat(8), fc.nat(3)), { minLength: 1, maxLength: 4 })

async function edit(
  draft: Draft,
  [kind, a, b, n]: [number, number, number, number],
  documents: StoredObject[],
) {
  const id = `p${a}`
  const parent = b === 0 ? null : `p${b}`
  const text = encodeDocument(TEXTS[n] ?? '')
  documents.push(text)
  switch (kind) {
    case 0:
    case 1: {
      const fields = { title: `T${n}`, slug: `s${a}`, document: text.hash, file: `f${a}.md` }
      return insertPage(draft, id, { type: 'document', ...fields }, { parent })
    }
    case 2:
      return movePage(draft, id, { parent, index: n })
    case 3:
      return removePage(draft, id)
    case 4:
      return updatePage(draft, id, { slug: `r${a}${n}`, title: `R${n}`, noIndex: n === 1 ? true : undefined })
    default:
      return updatePage(draft, id, { document: text.hash, file: n === 0 ? `a/f${a}.md` : `f${a}.md` })
  }
}

test('after any sequence of publications the live rows are those of the head, worked out anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 6 }), async publications => {
      const { id } = await w.createSpace()
      for (const sequence of publications) {
        const space = await findSpace(w.services.db, id)
        if (space === undefined) throw new Error('the space is gone')
        const base = { revisionId: space.revision_id, root: space.root_hash.toString('hex') }
        const draft = new Draft(w.services.objects, base.root)
        const documents: StoredObject[] = []
        for (const step of sequence) {
          const before = new Draft(draft.store, base.root, draft.edits)
          await edit(before, step, documents)
          if ((await checkEdits(before.store, base.root, before.edits)).length > 0) continue
          for (const [key, record] of before.edits) draft.set(key, record)
        }
        await publish(w.services, {
          spaceId: id,
          base,
          edits: draft.edits,
          documents,
          type: 'edits',
          createdBy: null,
        })
      }
      await assertLiveRows(w.services, id)
    }),
    { numRuns: 25 },
  )
})
