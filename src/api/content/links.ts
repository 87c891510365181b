// The links of a page or a reusable content, as the rows that are kept of them for the live head.
import type { PageLink } from '../../compute/page-projection.ts'
import { safeHref, safeSource } from '../../engines/markdown/html/values.ts'
import { foldedPlace } from '../../engines/markdown/page/page.ts'
import { storable } from '../../platform/db/text.ts'
import { type Address, readAddress } from './resolve.ts'

export type LinkRow = {
  /** A page or a reusable content. */
  readonly from_id: string
  readonly ordinal: number
  readonly kind: 'url' | 'path' | 'anchor' | 'openapi'
  readonly relation: 'reference' | 'dependsOn'
  readonly usage: 'link' | 'image' | 'include' | 'openapi'
  readonly destination: string
  readonly candidates: readonly string[]
  readonly anchor: string | null
  /** The anchor as anchors are compared; null for none, and for one that cannot be missing. */
  readonly place: string | null
}

// A picture written into its own address can have megabytes; nobody asks for it by that.
const DESTINATION_CHARACTERS_MAX = 2048
const ANCHOR_CHARACTERS_MAX = 512
// What an index over many values takes of one (PostgreSQL's GIN: 2,712 bytes, with its own).
const CANDIDATE_BYTES_MAX = 2500

const shorten = (text: string, charactersMax: number): string => storable(text.slice(0, charactersMax))
const isIndexable = (path: string): boolean => Buffer.byteLength(path) <= CANDIDATE_BYTES_MAX

/** Where links are written: a page, or a reusable content that pages include. */
export type LinkSource = {
  readonly id: string
  readonly kind: 'page' | 'reusable-content'
  readonly file: string
}

/** In the order of its text. */
export const linksOf = (source: LinkSource, links: readonly PageLink[]): LinkRow[] =>
  links.map((reference, ordinal) => {
    const address = readLink(source.file, reference)
    const anchor = address.kind === 'url' || address.kind === 'openapi' ? undefined : address.anchor
    // What is named within a reusable content may be anywhere on the page that includes it.
    const isChecked = address.kind === 'path' || source.kind === 'page'
    return {
      from_id: source.id,
      ordinal,
      kind: address.kind,
      relation: relationOf(reference),
      usage: usageOf(reference),
      destination: shorten(reference.destination, DESTINATION_CHARACTERS_MAX),
      candidates: address.kind === 'path' ? address.candidates.filter(isIndexable).map(storable) : [],
      anchor: anchor === undefined ? null : shorten(anchor, ANCHOR_CHARACTERS_MAX),
      place: anchor === undefined || !isChecked ? null : toPlace(anchor),
    }
  })

/** A specification is called by its name, which is no path. What no reader follows, such as a script, leads nowhere. */
function readLink(file: string, reference: PageLink): Address | { readonly kind: 'openapi' } {
  if (reference.kind === 'openapi-spec') return { kind: 'openapi' }
  const address = readAddress(file, reference.destination)
  const isFollowed = usageOf(reference) === 'image' ? safeSource : safeHref
  return address.kind === 'url' && isFollowed(address.url) === undefined ? NOWHERE : address
}

const NOWHERE: Address = { kind: 'path', candidates: [] }

/** Longer anchors than are compared name nothing that is missed. */
function toPlace(anchor: string): string | null {
  if (anchor.length > ANCHOR_CHARACTERS_MAX) return null
  const place = foldedPlace(anchor)
  return place && storable(place)
}

/** A page cannot be built without what it includes; everything else it only mentions. */
const relationOf = (reference: PageLink): LinkRow['relation'] =>
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
