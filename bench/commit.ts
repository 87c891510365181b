// Does changing one page cost the change, or the space? And duplicating one?
//
//   node bench/commit.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/commit.ts
//
// Commits alternate between the sizes, so that a slow moment of the machine meets all of them.
import { join } from 'node:path'
import { createUser } from '../src/api/accounts/actions.ts'
import { publish } from '../src/api/heads/publish.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace, duplicateSpace } from '../src/api/spaces/actions.ts'
import { findSpace } from '../src/api/spaces/rows.ts'
import { newId } from '../src/base/ids.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { encodeDocument } from '../src/engines/content/objects.ts'
import {
  type AnyRecord,
  type Key,
  type PageRecord,
  pageKey,
  TREE_KEY,
} from '../src/engines/content/records.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { median, print, proseOf, round, temporaryFolder, timeMs } from './measure.ts'

const SIZES = [100, 1000, 10_000]
const COMMITS = 60
const DUPLICATES = 30
const PAGE_BYTES = 2000
const CHILDREN = 25

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(temporaryFolder(), 'home'),
  OCTAVO_LOG_LEVEL: 'error',
})
const runtime = await openRuntime(config, createLog('error'))
const { services } = runtime
const { adminId, organizationId } = await services.transaction(async trx => {
  const admin = await createUser(trx, `bench-${newId()}@localhost`)
  const organization = await beginOrganization(trx, services.events, admin.id, { title: 'Bench' })
  return { adminId: admin.id, organizationId: organization.id }
})

type Filled = { readonly spaceId: string; readonly pages: readonly string[]; times: number[] }

const filled = new Map<number, Filled>()
for (const size of [10, ...SIZES]) filled.set(size, await fill(size))
for (let index = 0; index < COMMITS; index++) {
  for (const size of SIZES) await commitOne(filled.get(size) as Filled, index)
}
const ADMIN = { kind: 'user', user: { id: adminId }, memberships: new Map([[organizationId, 'admin']]) }
const duplicateMs = new Map<number, number[]>([
  [10, []],
  [10_000, []],
])
for (let index = 0; index < DUPLICATES; index++) {
  for (const [size, times] of duplicateMs) {
    const space = await findSpace(services.db, (filled.get(size) as Filled).spaceId)
    times.push(await timeMs(() => duplicateSpace(services, ADMIN as never, space as never)))
  }
}
await runtime.close()

const commitMs = Object.fromEntries(
  SIZES.map(size => [size, round(median((filled.get(size) as Filled).times))]),
)
const duplicates = Object.fromEntries([...duplicateMs].map(([size, times]) => [size, round(median(times))]))
print({
  bench: 'commit',
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  commitMs,
  commitRatio: round((commitMs[10_000] as number) / (commitMs[100] as number)),
  duplicateMs: duplicates,
  duplicateRatio: round((duplicates[10_000] as number) / (duplicates[10] as number)),
})

async function fill(size: number): Promise<Filled> {
  const space = await services.transaction(trx =>
    beginSpace(trx, services, adminId, organizationId, { title: `${size} pages` }),
  )
  const ids = Array.from({ length: size }, () => newId())
  const edits = new Map<Key, AnyRecord | null>()
  const documents = ids.map((_, index) => encodeDocument(proseOf(index, PAGE_BYTES)))
  const parentOf = (index: number) =>
    index % CHILDREN === 0 ? null : (ids[index - (index % CHILDREN)] as string)
  edits.set(TREE_KEY, { children: ids.filter((_, index) => parentOf(index) === null) })
  for (const [index, id] of ids.entries()) {
    const record: PageRecord = {
      type: 'document',
      title: `Page ${index}`,
      slug: `page-${index}`,
      parent: parentOf(index),
      children: parentOf(index) === null ? ids.slice(index + 1, index + CHILDREN) : [],
      document: documents[index]?.hash as string,
      file: `page-${index}.md`,
    }
    edits.set(pageKey(id), record)
  }
  await publish(services, {
    spaceId: space.id,
    base: { revisionId: space.revision_id, root: space.root_hash.toString('hex') },
    edits,
    documents,
    type: 'edits',
    createdBy: adminId,
  })
  return { spaceId: space.id, pages: ids, times: [] }
}

async function commitOne(target: Filled, index: number): Promise<void> {
  const space = await findSpace(services.db, target.spaceId)
  if (space === undefined) throw new Error('the space is gone')
  const root = space.root_hash.toString('hex')
  const id = target.pages[(index * 7919) % target.pages.length] as string
  const content = await services.contents.get(root)
  const record = content.pages.get(id) as PageRecord
  const document = encodeDocument(`${proseOf(index + 1_000_000, PAGE_BYTES)}\nedited ${index}\n`)
  target.times.push(
    await timeMs(() =>
      publish(services, {
        spaceId: target.spaceId,
        base: { revisionId: space.revision_id, root },
        edits: new Map([[pageKey(id), { ...record, document: document.hash }]]),
        documents: [document],
        type: 'edits',
        createdBy: adminId,
      }),
    ),
  )
}
