// Reusable contents: `.gitbook/includes/*.md`.
import { assertDefined } from '../../../base/assert.ts'
import { inSlices } from '../../../base/slices.ts'
import { encodeDocument } from '../../../engines/content/objects.ts'
import { type Key, type ReusableRecord, reusableKey } from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import { titleOfName } from '../../../engines/names/titles.ts'
import { PAGE_BYTES_MAX } from '../../content/bounds.ts'
import { readDocumentMetadata } from '../../content/document-metadata.ts'
import type { Inventory } from './inventory.ts'
import type { MarkdownBudget } from './markdown-budget.ts'
import { modeOfEntry } from './modes.ts'
import { namePointer } from './pointers.ts'
import type { Problem, Problems } from './problems.ts'
import { readFiles } from './reader.ts'
import type { Source } from './source.ts'

type Reusables = ReadonlyMap<string, ReusableRecord>

type ReusablesInput = {
  readonly source: Source
  readonly inventory: Inventory
  readonly previous: Reusables
  /** Those that the space has and the previous revision has not are recognised last. */
  readonly here: Reusables | undefined
  readonly newId: () => string
  readonly budget: MarkdownBudget
  readonly problems: Problems
}

/** An id survives by path, else by git blob id; a title is that of the frontmatter, the first heading or the file. */
export async function planReusables({
  source,
  inventory,
  previous,
  here = new Map(),
  newId,
  budget,
  problems,
}: ReusablesInput): Promise<{
  records: ReadonlyMap<Key, ReusableRecord>
  documents: readonly StoredObject[]
}> {
  const ids = recognise(inventory, previous)
  for (const [id, { file }] of here) if (!ids.has(file) && !previous.has(id)) ids.set(file, id)
  const records = new Map<Key, ReusableRecord>()
  const documents: StoredObject[] = []
  const unknown: string[] = []
  let bytes = 0
  for (const path of inventory.includes) {
    const id = ids.get(path)
    const before = id === undefined ? undefined : previous.get(id)
    const entry = assertDefined(inventory.byPath.get(path), 'includes are files of the inventory')
    const { oid, size } = entry
    const isTooLarge = size > PAGE_BYTES_MAX
    if (isTooLarge) problems.add(tooLarge(path, id !== undefined))
    if (
      id !== undefined &&
      before !== undefined &&
      (isTooLarge || (before.file === path && before.oid === oid))
    ) {
      const { isExecutable: _, ...same } = before
      records.set(reusableKey(id), { ...same, file: path, ...modeOfEntry(entry) })
    } else if (!isTooLarge) {
      bytes += size
      unknown.push(path)
    }
  }
  budget.spend(bytes)
  for await (const { path, bytes } of inSlices(readFiles(source, inventory, unknown, PAGE_BYTES_MAX))) {
    const document = encodeDocument(bytes)
    namePointer(bytes, path, problems)
    const metadata = readDocumentMetadata(bytes, problem => problems.add({ ...problem, file: path }))
    const entry = inventory.byPath.get(path)
    documents.push(document)
    records.set(reusableKey(ids.get(path) ?? newId()), {
      title: metadata.title ?? metadata.heading() ?? titleOfName(path),
      document: document.hash,
      file: path,
      ...(entry === undefined ? {} : { oid: entry.oid }),
      ...modeOfEntry(entry),
    })
  }
  return { records, documents }
}

const tooLarge = (file: string, isKnown: boolean): Problem => ({
  code: 'include_too_large',
  message: isKnown ? STAYS : LEFT_OUT,
  values: { max: PAGE_BYTES_MAX, reason: isKnown ? 'stays' : 'left_out' },
  file,
})

const LEFT_OUT = `A reusable content holds at most ${PAGE_BYTES_MAX} bytes; this file was left out.`
const STAYS = `A reusable content holds at most ${PAGE_BYTES_MAX} bytes; this file was left out, and the content in the space stays as it was.`

function recognise({ includes, byPath }: Inventory, previous: ReadonlyMap<string, ReusableRecord>) {
  const idByFile = new Map([...previous].map(([id, { file }]) => [file, id]))
  const ids = new Map<string, string>()
  for (const path of includes) {
    const id = idByFile.get(path)
    if (id !== undefined) ids.set(path, id)
  }
  const stays = new Set(ids.values())
  const idByOid = new Map([...previous].filter(([id]) => !stays.has(id)).map(([id, { oid }]) => [oid, id]))
  for (const path of includes) {
    const oid = byPath.get(path)?.oid
    const id = idByOid.get(oid)
    if (ids.has(path) || oid === undefined || id === undefined) continue
    ids.set(path, id)
    idByOid.delete(oid)
  }
  return ids
}
