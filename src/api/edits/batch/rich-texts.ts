// Rich documents as the Markdown that is stored: their references become paths, as those of every text.
import type { Reference } from '../../../engines/content/records.ts'
import type { Reference as DocumentReference, JSONDocument } from '../../../engines/markdown/document.ts'
import { retitle } from '../../../engines/markdown/edit.ts'
import { renderOver } from '../../../engines/markdown/render.ts'
import { type Standing, targetBy, toReference } from '../../content/resolve.ts'
import type { Links, TextAt } from './links.ts'
import type { Places } from './places.ts'
import type { Made } from './refs.ts'

export type Rendering = {
  readonly links: Links
  /** What stood where when the text before was read. */
  readonly placesBefore: Places
  readonly at: TextAt
  /** What the page was called then: a first heading that says so is no part of a rich document. */
  readonly title: string
  readonly spaceUrl: (spaceId: string) => string
}

/** The Markdown of a document that was checked. Blocks that stood in `before` keep their bytes. */
export async function renderText(
  document: JSONDocument,
  before: string | null,
  { links, placesBefore, at, title, spaceUrl }: Rendering,
): Promise<string> {
  await links.loadReferences(referencesIn(document))
  const target = targetBy(file => standingOf(placesBefore.find(file)), at.file)
  return renderOver(before ?? headed(title), document, {
    title,
    resolve: destination => toReference(target(destination)) as Reference | undefined,
    write: reference => links.write(reference, at, spaceUrl),
  })
}

/** A page that begins with its title, as pages of a repository do. */
const headed = (title: string): string => retitle('# x\n', 'x', title)

function standingOf(made: Made | undefined): Standing | undefined {
  if (made === undefined) return undefined
  const { kind, id } = made
  if (kind === 'page') return { kind, page: id }
  return kind === 'file' ? { kind, file: id } : { kind, reusableContent: id }
}

/** Everything in a document that looks like a reference. Iterative: nesting costs no stack. */
function* referencesIn(document: JSONDocument): Generator<DocumentReference> {
  const waiting: unknown[] = [document.nodes]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if ('kind' in next && typeof next.kind === 'string') yield next as DocumentReference
    for (const value of Object.values(next)) if (typeof value === 'object') waiting.push(value)
  }
}
