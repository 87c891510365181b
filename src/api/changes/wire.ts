// Converts changes to their wire format.

import { assert } from '../../base/assert.ts'
import { defined } from '../../base/objects.ts'
import type { FileRecord, Hash, ReusableRecord } from '../../engines/content/records.ts'
import type { Urls } from '../../http/urls.ts'
import type { SigningKeys } from '../../platform/keys/signing-keys.ts'
import { encodeDocumentId, type FileAddress, toDownloadUrl } from '../content/signed-references.ts'
import { toAddress } from '../content/wire.ts'
import type { AttributeDifference } from './attributes.ts'
import type { PagePosition } from './page-positions.ts'
import type { ChangedFile, ChangedPage, ChangedReusableContent, DocumentDetail } from './schema.ts'

/** Context for all changes of one answer. */
export type ChangeContext = {
  readonly urls: Urls
  readonly signingKey: SigningKeys
  readonly spaceId: string
  /** Whether `git` is shown. */
  readonly hasMetadata: boolean
}

export function toChangedPage(id: string, positions: ReadonlyMap<string, PagePosition>): ChangedPage {
  const position = positions.get(id)
  assert(position !== undefined, `page ${id} of a change is in its revision`)
  const { page, path } = position
  return { id, type: page.type, title: page.title, ...(path === undefined ? {} : { path }) }
}

export const toChangedFile = (context: ChangeContext, id: string, record: FileRecord): ChangedFile => ({
  id,
  name: record.name,
  contentType: record.contentType,
  downloadURL: toUrl(context, toAddress(record)),
})

export const toChangedReusable = (
  context: ChangeContext,
  id: string,
  { title, document }: ReusableRecord,
): ChangedReusableContent => ({ id, title, document: toId(context, document) })

/**
 * Fields as attributes: `{ title: { before, after }, … }`; documents and files by their ids and addresses. The shape of
 * a value depends on the field, so its type is open: the schema checks it.
 */
export function toAttributes<Name extends string>(
  context: ChangeContext,
  fields: readonly AttributeDifference<Name>[],
  detail: DocumentDetail,
): { [Field in Name]?: { before?: never; after?: never } } {
  const attributes = fields.map(({ name, before, after }) => {
    const toWire = (value: unknown) => (value === undefined ? undefined : toValue(context, name, value))
    const change = defined({ before: toWire(before), after: toWire(after) })
    return [name, name === 'document' ? { ...change, ...detail } : change]
  })
  return Object.fromEntries(attributes)
}

function toValue(context: ChangeContext, name: string, value: unknown): unknown {
  // The values of these two fields of the tables in attributes.ts.
  if (name === 'document') return toId(context, value as Hash)
  if (name === 'downloadURL') return toUrl(context, value as FileAddress)
  return value
}

const toId = ({ signingKey, spaceId }: ChangeContext, document: Hash): string =>
  encodeDocumentId(signingKey, spaceId, document)

const toUrl = ({ urls, signingKey }: ChangeContext, address: FileAddress): string =>
  toDownloadUrl(urls, signingKey, address)
