// The texts of a request, written once the tree is complete: links become paths, rich documents become Markdown, fields go into
// the frontmatter, and the record of a page says what its text says.
import { inSlices } from '../../../base/slices.ts'
import type { Key, PageRecord } from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import type { LinkTarget } from '../request/fields.ts'
import { refuse } from '../request/refuse.ts'
import { Links } from './links.ts'
import type { Batch } from './state.ts'
import { Writing } from './writing.ts'

/** Carries out what is planned; answers the new documents. Throws the refusal of the first step that cannot be. */
export async function writeTexts(batch: Batch): Promise<StoredObject[]> {
  const links = new Links(batch.draft, batch.places, batch.refs, batch.base)
  const documents: StoredObject[] = []
  for await (const [key, steps] of inSlices(batch.texts)) {
    if (batch.draft.get(key) === null) continue
    const writing = new Writing(batch, links, key)
    for (const step of steps) {
      if (step.kind === 'aim') await aim(batch, links, key, step.index, step.target)
      else await writing.carryOut(step)
    }
    documents.push(...(await writing.finish()))
  }
  return documents
}

async function aim(
  { draft }: Batch,
  links: Links,
  key: Key,
  index: number,
  target: LinkTarget,
): Promise<void> {
  const reference = await links.settle(target)
  if (reference === undefined)
    throw refuse(
      index,
      'target',
      'this leads to nothing that is in this content, or to no address of the web. Correct it.',
    )
  draft.set(key, { ...(draft.get(key) as PageRecord), target: reference })
}
