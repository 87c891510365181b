// Addresses of pages and files of other spaces that documents refer to. What the caller may not read has none, as if it
// did not exist, so that an edit reveals no spaces or pages.
import { type RawBuilder, sql } from 'kysely'
import type { Principal } from '../../../access/principal.ts'
import { MAY_SEE_SPACE, personOf, spacesWithEffectiveRole } from '../../../access/roles.ts'
import { coversScope } from '../../../access/scopes.ts'
import { fileKey } from '../../../engines/content/records.ts'
import { readEntries } from '../../../engines/content/trie.ts'
import type { Reference } from '../../../engines/markdown/document/document.ts'
import { writeReusableAddress } from '../../../engines/markdown/page/page.ts'
import type { Context } from '../../../http/context.ts'
import { toDownloadUrl } from '../../content/signed-references.ts'
import { toAddress } from '../../content/wire.ts'

/** A page or a file of some space. */
export type Elsewhere = { readonly space: string; readonly kind: 'page' | 'file'; readonly id: string }

/** By `keyOf`; references that lead nowhere are absent. */
export type Addresses = ReadonlyMap<string, string>

export const keyOf = ({ space, kind, id }: Elsewhere): string => `${space}/${kind}/${id}`

/** A reference that names its space. */
export type ElsewhereReference = Extract<
  Reference,
  { kind: 'page' | 'anchor' | 'file' | 'reusable-content' | 'tag' }
> & { readonly space: string }

export const isElsewhere = (reference: Reference, spaceId: string): reference is ElsewhereReference =>
  'space' in reference &&
  reference.kind !== 'space' &&
  reference.space !== undefined &&
  reference.space !== spaceId

/** Undefined if none is named: an anchor without a page, or a tag. */
export function addressedRecord(reference: ElsewhereReference): Elsewhere | undefined {
  const { space } = reference
  if (reference.kind === 'file') return { space, kind: 'file', id: reference.file }
  const page = 'page' in reference ? reference.page : undefined
  return page === undefined ? undefined : { space, kind: 'page', id: page }
}

/**
 * How it is written; undefined leads nowhere. A reusable content is never looked up: it is named by ids alone, as in
 * GitBook.
 */
export function writeElsewhere(
  reference: ElsewhereReference,
  addresses: ReadonlyMap<string, string | undefined>,
): string | undefined {
  if (reference.kind === 'reusable-content') return writeReusableAddress(reference)
  const thing = addressedRecord(reference)
  const address = thing && addresses.get(keyOf(thing))
  if (address === undefined || reference.kind !== 'anchor') return address
  return `${address}#${encodeURIComponent(reference.anchor.toWellFormed())}`
}

type AddressContext = Pick<Context, 'db' | 'objects' | 'principal' | 'signingKey' | 'urls'>

/** One query, and for each space with a file among them a lookup of its record. */
export async function findAddresses(
  context: AddressContext,
  wanted: readonly Elsewhere[],
): Promise<Addresses> {
  const { db, objects, principal, signingKey, urls } = context
  const bySpace = Map.groupBy(wanted.filter(isNamed), ({ space }) => space)
  const found = new Map<string, string>()
  if (bySpace.size === 0 || !mayRead(principal)) return found
  const idsOf = (space: string, kind: Elsewhere['kind']): string[] =>
    (bySpace.get(space) ?? []).filter(one => one.kind === kind).map(({ id }) => id)
  const spaces = [...bySpace.keys()]
  const pages = JSON.stringify(Object.fromEntries(spaces.map(space => [space, idsOf(space, 'page')])))
  const rows = await spacesWithEffectiveRole(db, personOf(principal))
    .where('spaces.id', '=', sql<string>`any(${spaces}::text[])`)
    .where(isReadBy(principal))
    .select('spaces.id')
    .select(
      sql<Buffer>`(select root_hash from revisions where revisions.id = spaces.revision_id)`.as('root_hash'),
    )
    .select(
      sql<Readonly<Record<string, string>> | null>`(select jsonb_object_agg(page_id, path) from live_pages
        where live_pages.projection_id = spaces.projection_id and type <> 'link'
          and page_id = any(array(select jsonb_array_elements_text(${pages}::jsonb -> spaces.id))))`.as(
        'paths',
      ),
    )
    .execute()
  for (const { id: space, root_hash, paths } of rows) {
    for (const [id, path] of Object.entries(paths ?? {}))
      found.set(keyOf({ space, kind: 'page', id }), urls.page(space, path))
    const files = await readEntries(objects, root_hash.toString('hex'), idsOf(space, 'file').map(fileKey))
    for (const [key, record] of files)
      found.set(`${space}/${key}`, toDownloadUrl(urls, signingKey, toAddress(record)))
  }
  return found
}

/** The form of ids; anything else names nothing. */
const ID = /^[\w-]{1,128}$/
const isNamed = ({ space, id }: Elsewhere): boolean => ID.test(space) && ID.test(id)

/** A token may have been limited to writing. */
const mayRead = (principal: Principal): boolean =>
  principal.kind !== 'user' || coversScope(principal.scopes, 'space:read')

/** Of `spacesWithEffectiveRole`: the same as `allows('space', 'view', …)` of `roleOnSpace`, without proofs. */
function isReadBy(principal: Principal): RawBuilder<boolean> {
  if (principal.kind !== 'installation') return MAY_SEE_SPACE
  const { organizationId, scopes, spaces } = principal
  if (!scopes.includes('space:content:read') && !scopes.includes('space:content:write')) return MAY_SEE_SPACE
  const isItsOwn = sql<boolean>`spaces.organization_id = ${organizationId}`
  return spaces === null
    ? sql<boolean>`(${MAY_SEE_SPACE} or ${isItsOwn})`
    : sql<boolean>`(${MAY_SEE_SPACE} or (${isItsOwn} and spaces.id = any(${[...spaces]}::text[])))`
}
