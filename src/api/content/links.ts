// The links of a page, as the rows that are kept of them for the live head.
import type { PageLink } from '../../compute/page-facts.ts'
import { foldAnchor } from '../../engines/markdown/anchors.ts'
import { storable } from '../../platform/db/text.ts'
import { readAddress } from './resolve.ts'

export type LinkRow = {
  readonly from_id: string
  readonly ordinal: number
  readonly kind: 'url' | 'path' | 'anchor'
  readonly relation: 'reference' | 'dependsOn'
  readonly usage: 'link' | 'image' | 'include' | 'openapi'
  readonly destination: string
  readonly candidates: readonly string[]
  readonly anchor: string | null
  /** The anchor as anchors are compared. */
  readonly place: string | null
}

// A picture written into its own address can have megabytes; nobody asks for it by that.
const DESTINATION_CHARACTERS_MAX = 2048
const ANCHOR_CHARACTERS_MAX = 512
// What an index over many values takes of one (PostgreSQL's GIN: 2,712 bytes, with its own).
const CANDIDATE_BYTES_MAX = 2500

const shorten = (text: string, charactersMax: number): string => storable(text.slice(0, charactersMax))
const isIndexable = (path: string): boolean => Buffer.byteLength(path) <= CANDIDATE_BYTES_MAX

/** The links of the page or reusable content `id`, whose document is in the file `file`. */
export const linksOf = (id: string, file: string, links: readonly PageLink[]): LinkRow[] =>
  links.map((reference, ordinal) => {
    const address = readAddress(file, reference.destination)
    const anchor = address.kind === 'url' ? undefined : address.anchor
    return {
      from_id: id,
      ordinal,
      kind: address.kind,
      relation: relationOf(reference),
      usage: usageOf(reference),
      destination: shorten(reference.destination, DESTINATION_CHARACTERS_MAX),
      candidates: address.kind === 'path' ? address.candidates.filter(isIndexable).map(storable) : [],
      anchor: anchor === undefined ? null : shorten(anchor, ANCHOR_CHARACTERS_MAX),
      place: anchor === undefined ? null : shorten(foldAnchor(anchor), ANCHOR_CHARACTERS_MAX),
    }
  })

/** A page cannot be built without what it includes; everything else it only mentions (api-facts §3.2). */
export const relationOf = (reference: PageLink): LinkRow['relation'] =>
  reference.kind === 'include' || reference.kind === 'openapi' ? 'dependsOn' : 'reference'

const usageOf = ({ kind }: PageLink): LinkRow['usage'] => {
  switch (kind) {
    case 'image':
    case 'cover':
      return 'image'
    case 'include':
      return 'include'
    case 'openapi':
    case 'openapi-spec':
      return 'openapi'
    default:
      return 'link'
  }
}
