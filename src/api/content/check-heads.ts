// Checks that the heads of spaces and open change requests are readable: their trees, texts and files.
import { type Content, readContent } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import { pathOf } from '../../engines/content/tree.ts'
import { checkTreeInSlices } from '../../engines/content/tree-check.ts'
import { countEntries } from '../../engines/content/trie.ts'
import type { Db } from '../../platform/db/database.ts'
import { storedReads } from './objects.ts'
import { describeTreeProblem } from './tree-messages.ts'

export type Head = { readonly name: string; readonly root: Hash }

/** Of spaces that are not deleted, and of change requests in them that can still be merged. */
export async function listHeads(db: Db): Promise<Head[]> {
  const spaces = await db
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['spaces.id', 'spaces.title', 'revisions.root_hash'])
    .where('deleted_at', 'is', null)
    .orderBy('spaces.id')
    .execute()
  const changeRequests = await db
    .selectFrom('change_requests')
    .innerJoin('revisions', 'revisions.id', 'change_requests.revision_id')
    .innerJoin('spaces', 'spaces.id', 'change_requests.space_id')
    .select(['spaces.id', 'spaces.title', 'change_requests.number', 'revisions.root_hash'])
    .where('change_requests.status', 'in', ['draft', 'open'])
    .where('spaces.deleted_at', 'is', null)
    .orderBy('change_requests.id')
    .execute()
  const spaceName = ({ id, title }: { id: string; title: string }) => `space ${id} (${title})`
  return [
    ...spaces.map(row => ({ name: spaceName(row), root: row.root_hash.toString('hex') })),
    ...changeRequests.map(row => ({
      name: `change request ${row.number} of ${spaceName(row)}`,
      root: row.root_hash.toString('hex'),
    })),
  ]
}

export type DamagedContent = { readonly objects: ReadonlySet<Hash>; readonly blobs: ReadonlySet<Hash> }

// If a head is broken throughout, the first few are enough.
const PROBLEMS_LISTED_MAX = 20

/** What is wrong with a head, in words; empty for a sound head. `bad` is damaged or missing. */
export async function checkHead(db: Db, { root }: Head, bad: DamagedContent): Promise<string[]> {
  const reads = storedReads(db)
  const content = await readContent(reads, root).catch((error: Error) => error)
  if (content instanceof Error) return [`its content cannot be read: ${content.message}`]
  const problems = [...(await checkTreeInSlices(content)).map(describeTreeProblem), ...lostIn(content, bad)]
  const { pages } = await countEntries(reads, root)
  if (pages !== content.pages.size) problems.push(`it counts ${pages} pages and has ${content.pages.size}`)
  return problems.length <= PROBLEMS_LISTED_MAX
    ? problems
    : [...problems.slice(0, PROBLEMS_LISTED_MAX), `and ${problems.length - PROBLEMS_LISTED_MAX} more`]
}

function* lostIn(content: Content, { objects, blobs }: DamagedContent): Generator<string> {
  if (objects.size > 0) {
    for (const [id, { document, title }] of content.pages)
      if (document !== null && objects.has(document))
        yield `the text of the page ${pathOf(content.pages, id) ?? id} (${title}) is lost`
    for (const [, { document, title }] of content.reusables)
      if (objects.has(document)) yield `the text of the reusable content ${title} is lost`
    for (const [name, hash] of [
      ['SUMMARY.md', content.summary],
      ['.gitbook.yaml', content.config],
    ] as const)
      if (hash !== null && objects.has(hash)) yield `the text of ${name} is lost`
  }
  if (blobs.size > 0)
    for (const { blob, file } of content.files.values())
      if (blobs.has(blob)) yield `the bytes of the file ${file} are lost`
}
