// Prepares a request before the content is read: refuses changes that are invalid in themselves, fetches and stores
// files, and gives insertions their ids, which stay the same however often the changes are applied.
import { newId } from '../../../base/ids.ts'
import type { Context, Services } from '../../../http/context.ts'
import { checkSentDocument } from '../../../http/rich-document.ts'
import { PAGE_BYTES_MAX } from '../../content/bounds.ts'
import type { NewDocument } from './fields.ts'
import {
  checkFile,
  checkName,
  type FileInRequest,
  type SentFile,
  type StoredFile,
  type StoredFiles,
  storeFiles,
} from './new-files.ts'
import { type Change, type ChangeOf, refuse } from './schema.ts'
import type { UploadRow } from './uploads.ts'

export type NewAsset = { readonly id: string; readonly kept: StoredFile }

export type PreparedChange = {
  readonly index: number
  readonly change: Change
  /** The id of what it inserts. */
  readonly id: string
  readonly assets: readonly NewAsset[]
  /** The words of the first heading of its document. */
  readonly heading: string | undefined
}

export type Prepared = {
  readonly changes: readonly PreparedChange[]
  readonly refs: Refs
  /** What its files were sent ahead as. */
  readonly uploads: readonly UploadRow[]
}

/** Throws `invalid` for the first change that is invalid in itself, `unavailable` if a file cannot be stored. */
export async function prepareChanges(
  services: Pick<Context, 'blobs' | 'compute' | 'db' | 'guard' | 'principal'>,
  spaceId: string,
  changes: readonly Change[],
  given: StoredFiles,
): Promise<Prepared> {
  const refs = new Refs()
  const files: (FileInRequest & { readonly id: string })[] = []
  const checked: Omit<PreparedChange, 'assets'>[] = []
  for (const [index, change] of changes.entries()) {
    const id = newId()
    refuseEmpty(index, change)
    const heading =
      'document' in change && change.document !== undefined
        ? await checkDocument(services, spaceId, index, change.document)
        : undefined
    checked.push({ index, change, id, heading })
    if (change.operation === 'insert_page' || change.operation === 'insert_reusable_content') {
      const kind = change.operation === 'insert_page' ? 'page' : 'reusable-content'
      if (change.ref !== undefined) refs.add({ kind, id, ref: change.ref, index, field: 'ref' })
    }
    if (change.operation === 'update_file') {
      const each = { index, field: '', file: sentOf(change), id }
      if (isSent(each.file)) {
        checkFile(each)
        files.push(each)
      } else if (change.name !== undefined) checkName(each, change.name)
    }
    if (change.operation !== 'insert_files') continue
    for (const [at, file] of change.files.entries()) {
      const each = { index, field: `files.${at}`, file, id: newId() }
      if (!given.has(file.ref ?? '')) checkFile(each)
      files.push(each)
    }
  }
  for (const { index, field, id, file } of files)
    if (file.ref !== undefined) refs.add({ kind: 'file', id, ref: file.ref, index, field: `${field}.ref` })
  const assets = new Map<number, NewAsset[]>()
  const stored = await storeFiles(services, spaceId, files, given)
  for (const [{ index, id }, kept] of stored.files)
    assets.set(index, [...(assets.get(index) ?? []), { id, kept }])
  return {
    changes: checked.map(one => ({ ...one, assets: assets.get(one.index) ?? [] })),
    refs,
    uploads: stored.uploads,
  }
}

function sentOf({ operation: _o, file: _f, ...sent }: ChangeOf<'update_file'>): SentFile {
  return sent
}

/** Whether it brings bytes, and not only a name. */
const isSent = ({ contentType, url, base64, upload }: SentFile): boolean =>
  [contentType, url, base64, upload].some(one => one !== undefined)

const UPDATES: Partial<Record<Change['operation'], readonly [about: string, field: string]>> = {
  update_page: ['page', 'document'],
  update_reusable_content: ['reusableContent', 'document'],
  update_file: ['file', 'name'],
}

/** An update that names only its target was probably meant to change something. */
function refuseEmpty(index: number, change: Change): void {
  const [about, field] = UPDATES[change.operation] ?? []
  if (field === undefined) return
  const said = Object.keys(change).filter(name => name !== 'operation' && name !== 'base' && name !== about)
  if (said.length === 0)
    throw refuse(index, field, `this change changes nothing. Send ${field}, or another field.`)
}

/** The words of the first heading of a rich document. */
async function checkDocument(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  index: number,
  { markdown, document }: NewDocument,
): Promise<string | undefined> {
  if (markdown !== undefined && document !== undefined)
    throw refuse(index, 'document', 'a document has markdown or document, not both.')
  if (document !== undefined) {
    const field = `body.changes.${index}.document.document`
    return (await checkSentDocument(services, spaceId, field, document)).heading
  }
  if (markdown === undefined) return undefined
  if (!markdown.isWellFormed())
    throw refuse(
      index,
      'document.markdown',
      'this text has half a character (a lone surrogate). Send whole ones.',
    )
  checkSize(index, 'document.markdown', markdown)
  return undefined
}

export function checkSize(index: number, field: string, text: string): void {
  if (Buffer.byteLength(text) > PAGE_BYTES_MAX)
    throw refuse(index, field, `a page holds at most ${PAGE_BYTES_MAX} bytes. Make several pages of it.`)
}

/** The thing that a name or a destination means. */
export type RecordRef = { readonly kind: 'page' | 'file' | 'reusable-content'; readonly id: string }

type NamedRecord = RecordRef & { readonly ref: string; readonly index: number; readonly field: string }

/** The names that a request gives to its insertions, so that its texts can link to pages without ids. */
export class Refs {
  readonly #byName = new Map<string, NamedRecord>()
  readonly #byDestination = new Map<string, RecordRef>()

  /** Throws if the name, or a link to it, is taken. */
  add(named: NamedRecord): void {
    const { ref, index, field } = named
    const destinations = destinationsOf(named)
    if (this.#byName.has(ref) || destinations.some(one => this.#byDestination.has(one)))
      throw refuse(index, field, `"${ref}" is already used in this request. Give each insertion its own ref.`)
    this.#byName.set(ref, named)
    for (const destination of destinations) this.#byDestination.set(destination, named)
  }

  get named(): Iterable<NamedRecord> {
    return this.#byName.values()
  }

  find(ref: string): RecordRef | undefined {
    return this.#byName.get(ref)
  }

  /** The target of a destination without anchor: `./<ref>.md`, `./<ref>`. */
  findDestination(destination: string): RecordRef | undefined {
    return this.#byDestination.get(destination)
  }
}

/** Files are linked by their ref; texts by their ref with `.md`, which is optional. */
const destinationsOf = ({ kind, ref }: NamedRecord): string[] =>
  kind === 'file' ? [`./${ref}`] : [`./${ref}.md`, `./${ref}`]
