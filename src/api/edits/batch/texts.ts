// The texts of a request, written once its tree stands: links become paths, rich documents become Markdown, fields go into
// the frontmatter, and the record of a page says what its text says.
import { inSlices } from '../../../base/slices.ts'
import type { Hash, Key, PageRecord } from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import type { LinkTarget, NewDocument } from '../fields.ts'
import type { ChangeOf } from '../schema.ts'
import type { Batch } from './batch.ts'
import { Links } from './links.ts'
import { refuse } from './refuse.ts'
import { Writing } from './writing.ts'

/** What a change wants of a text. */
export type Step =
  | {
      readonly kind: 'write'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly metadata: Omit<ChangeOf<'update_page'>, 'operation' | 'page'>
      /** What the page was called before this change and is called by it. */
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** A reusable content, and what it is called. */
  | {
      readonly kind: 'include'
      readonly index: number
      readonly document: NewDocument | undefined
      readonly titles: { readonly before: string; readonly after: string }
    }
  /** The text of another revision. */
  | {
      readonly kind: 'reset'
      readonly index: number
      readonly document: Hash | null
      readonly oid: string | undefined
    }
  /** Changes of single blocks since another text are undone. */
  | {
      readonly kind: 'undo'
      readonly index: number
      readonly document: Hash | null
      readonly blocks: readonly string[]
    }
  /** Where a link page leads. */
  | { readonly kind: 'aim'; readonly index: number; readonly target: LinkTarget }

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
