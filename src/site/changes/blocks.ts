// The differences between two texts of a page, block by block, with the addresses of each version.

import { type RenderServices, textsOf } from '../../api/rendering/render.ts'
import { html } from '../../base/html.ts'
import type { AddressKey, AddressTarget } from '../../compute/addresses.ts'
import type { Difference, PageVersion, Part } from '../../compute/page-differences.ts'
import type { Dependencies } from '../../compute/single-flight.ts'
import type { BlockView } from './view.ts'

/** One version of the page, with where its addresses lead and what that depends on. */
export type Version = PageVersion & {
  readonly find: (asked: AddressKey) => AddressTarget
  readonly given: Dependencies
}

/** The blocks, and how many changes are not shown; undefined for pages that are too long to compare. */
export async function toBlockViews(
  { compute, objects }: Pick<RenderServices, 'compute' | 'objects'>,
  spaceId: string,
  { before, after }: { readonly before: Version; readonly after: Version },
): Promise<{ readonly blocks: BlockView[]; readonly more: number } | undefined> {
  const versions = { before, after }
  const outcome = await compute.run(
    'pageDifferences',
    spaceId,
    { before: textOf(before), after: textOf(after) },
    {
      addresses: async ({ side, asked }) => asked.map(versions[side].find),
      texts: documents => textsOf(objects, documents),
    },
    [...before.given, ...after.given],
  )
  if (outcome.kind === 'beyond') return undefined
  const { differences, more } = outcome.value
  return { blocks: differences.map(toView), more }
}

const textOf = ({ find: _, given: __, ...version }: Version): PageVersion => version

function toView(difference: Difference): BlockView {
  if (difference.kind === 'modified') return difference
  const { part, ...view } = difference
  return { ...view, html: markupOf(part) }
}

const markupOf = (part: Part): string => ('html' in part ? part.html : html`<pre>${part.text}</pre>`.markup)
