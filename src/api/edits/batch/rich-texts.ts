// Turns rich documents into the stored Markdown: their references become paths, as in every text.
import type { Compute } from '../../../compute/compute.ts'
import type { JSONDocument } from '../../../engines/markdown/document/document.ts'
import { retitle } from '../../../engines/markdown/edit/edit.ts'
import type { WrittenText } from '../../../engines/markdown/render/render.ts'
import { jsonOfDocument } from '../../../http/folded-documents.ts'
import type { Outcome } from '../../../platform/pool/thread.ts'
import { type ContentReference, targetBy, toReference } from '../../content/resolve.ts'
import type { RecordRef } from '../request/prepare.ts'
import type { Links, TextAt } from './links.ts'
import type { Places } from './places.ts'
import { type Missing, toMissingReference } from './unresolved.ts'

export type RichTextContext = {
  readonly compute: Compute
  readonly spaceId: string
  readonly links: Links
  /** The index of paths that the previous text was read with. */
  readonly placesBefore: Places
  readonly at: TextAt
  /** The title of the page then: a first heading equal to it is not part of a rich document. */
  readonly title: string
  readonly spaceUrl: (spaceId: string) => string
  /** Takes each reference that has no path: its words are written without it. */
  readonly leaveOut: (missing: Missing) => void
}

/** The Markdown of a checked document. Blocks of `before` keep their bytes. */
export function renderText(
  document: JSONDocument,
  before: string | null,
  { compute, spaceId, links, placesBefore, at, title, spaceUrl, leaveOut }: RichTextContext,
): Promise<Outcome<WrittenText>> {
  const target = targetBy(file => contentReferenceOf(placesBefore.find(file)), at.file)
  const input = { json: jsonOfDocument(document), previous: before ?? headed(title), title }
  return compute.run('documentOver', spaceId, input, {
    async addresses(references) {
      await links.loadReferences(references)
      return references.map(each => {
        const address = links.write(each, at, spaceUrl)
        const missing = address === undefined ? toMissingReference(each) : undefined
        if (missing !== undefined) leaveOut(missing)
        return address
      })
    },
    references: async destinations => destinations.map(each => toReference(target(each))),
  })
}

/** A page that begins with its title, as pages of a repository do. */
const headed = (title: string): string => retitle('# x\n', 'x', title)

function contentReferenceOf(made: RecordRef | undefined): ContentReference | undefined {
  if (made === undefined) return undefined
  const { kind, id } = made
  if (kind === 'page') return { kind, page: id }
  return kind === 'file' ? { kind, file: id } : { kind, reusableContent: id }
}
