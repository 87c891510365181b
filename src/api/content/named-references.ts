// The private objects that texts name, and which of the names a write adds.
import { isObject } from '../../base/objects.ts'
import type { PageLink, PageLinks } from '../../compute/page-projection.ts'
import { type EntryChange, type Hash, type PageRecord, splitKey } from '../../engines/content/records.ts'
import { storable } from '../../platform/db/text.ts'
import { isRelinked, isTextChange, type TextChange } from './link-changes.ts'
import { readAddress } from './resolve.ts'

/** A page or reusable content, and a specification that it names by slug or address. */
export type NamedReference = { readonly source_id: string; readonly name: string }

/** What the texts that a write touches name. */
export type NamedReferences = {
  /** Pages and reusable contents that may name something else than before. */
  readonly sources: readonly string[]
  /** All that they name now. */
  readonly named: readonly NamedReference[]
  /** What they did not name before. */
  readonly added: readonly NamedReference[]
}

/** Finds the links of documents. */
export type LinksOf = (documents: readonly Hash[]) => Promise<ReadonlyMap<Hash, PageLinks>>

/** `linksOf` is asked once for the texts as they are, and once for what those were before that name something. */
export async function toNamedReferences(
  changes: readonly EntryChange[],
  linksOf: LinksOf,
): Promise<NamedReferences> {
  const renamed = changes.filter(isTextChange).filter(mayNameOthers)
  const linksAfter = await linksOf(documentsOf(renamed.map(({ after }) => after)))
  const naming = renamed.flatMap(change => {
    const names = namesIn(change.after, linksAfter)
    return names.size === 0 ? [] : [{ change, names }]
  })
  const linksBefore = await linksOf(documentsOf(naming.map(({ change }) => change.before)))
  const named: NamedReference[] = []
  const added: NamedReference[] = []
  for (const { change, names } of naming) {
    const before = namesIn(change.before, linksBefore)
    for (const name of names) {
      const reference = { source_id: splitKey(change.key)[1], name }
      named.push(reference)
      if (!before.has(name)) added.push(reference)
    }
  }
  return { sources: renamed.map(({ key }) => splitKey(key)[1]), named, added }
}

type TextRecord = TextChange['after']

const mayNameOthers = (change: TextChange): boolean =>
  isRelinked(change) || computedSpec(change.before) !== computedSpec(change.after)

const documentsOf = (records: readonly TextRecord[]): Hash[] => [
  ...new Set(records.flatMap(record => record?.document ?? [])),
]

function namesIn(record: TextRecord, links: ReadonlyMap<Hash, PageLinks>): Set<string> {
  const names = new Set<string>()
  const computed = computedSpec(record)
  if (computed !== undefined) names.add(storable(computed))
  const found = record === null || record.document === null ? undefined : links.get(record.document)
  for (const link of found?.links ?? []) {
    const name = specNameOf(link)
    if (name !== undefined && name.length <= NAME_CHARACTERS_MAX) names.add(storable(name))
  }
  return names
}

/** Longer ones name nothing: so long are addresses of specifications at most. */
const NAME_CHARACTERS_MAX = 2048

/** The specification of the organization that a link names; a path names a file of the space. */
function specNameOf({ kind, destination }: PageLink): string | undefined {
  if (kind === 'openapi-spec') return destination
  if (kind !== 'openapi') return undefined
  const address = readAddress('', destination)
  return address.kind === 'url' ? address.url : undefined
}

/** The specification that a page is computed from. */
function computedSpec(record: TextRecord): string | undefined {
  const computed = record !== null && 'type' in record ? record.computed : undefined
  return computed === undefined ? undefined : specOfSource(computed)
}

/** The specification that a source of computed pages names. */
export function specOfSource(source: NonNullable<PageRecord['computed']>): string | undefined {
  const { type, dependencies } = source
  if (type !== 'builtin:openapi' || !isObject(dependencies)) return undefined
  const { spec } = dependencies
  const ref = isObject(spec) ? spec.ref : undefined
  return isObject(ref) && typeof ref.spec === 'string' ? ref.spec : undefined
}
