// Comparing and merging two revisions of a space of 10,000 pages: what does it cost by the number of changes, and what
// does git take for the same content?
//
//   node bench/merge.ts                 from memory, and from the embedded database
//   DATABASE_URL=postgres://… node bench/merge.ts
//
// Both sides change `changes` pages, half of them the same ones, there in different paragraphs. Git works on the same
// files in one folder a section, packed, with the commits made beforehand: `git diff --raw` compares trees as our diff
// does, `git merge-tree --write-tree` merges without a work tree and writes the objects, as our merge makes them.
// Objects are read from a store in memory, cold (nothing decoded) each time; and from the database through the caches
// of the program, as a server that runs has them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertObjects } from '../src/api/content/objects.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { commit } from '../src/engines/content/content.arbitrary.ts'
import { diff } from '../src/engines/content/diff.ts'
import { merge } from '../src/engines/content/merge.ts'
import { encodeDocument } from '../src/engines/content/objects.ts'
import { readReachable } from '../src/engines/content/reachable.ts'
import {
  type AnyRecord,
  type Hash,
  type Key,
  type PageRecord,
  pageKey,
  TREE_KEY,
} from '../src/engines/content/records.ts'
import { memoryStore, type ObjectReads, type ObjectStore } from '../src/engines/content/store.ts'
import { EMPTY_ROOT, readEntries } from '../src/engines/content/trie.ts'
import { blocks } from '../src/engines/markdown/page/page.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { DATABASE, median, report, round, temporaryFolder, timeMs } from './measure.ts'
import { proseOf } from './prose.ts'

const PAGES = 10_000
const CHILDREN = 25
const PAGE_BYTES = 2000
const CHANGES = [1, 10, 100, 1000]
const RUNS = 7

const folder = temporaryFolder()
const repository = join(folder, 'repository')
const texts = Array.from({ length: PAGES }, (_, index) => proseOf(index, PAGE_BYTES))
const fileOf = (index: number): string => `section-${Math.floor(index / CHILDREN)}/page-${index}.md`

const store = memoryStore()
const base = await storeBase(store)
startRepository()
const sides = new Map<number, { ours: Hash; theirs: Hash; oursRef: string; theirsRef: string }>()
for (const changes of CHANGES) sides.set(changes, await makeSides(changes))
git('repack', '-adq')

const runtime = await openRuntime(
  readConfig({ ...process.env, OCTAVO_HOME: join(folder, 'home'), OCTAVO_LOG_LEVEL: 'error' }),
  createLog('error'),
)
const { services } = runtime
await copyInto()

const results: Record<string, unknown> = {}
for (const changes of CHANGES) results[changes] = await measure(changes)
await runtime.close()
report('merge', { database: DATABASE, pages: PAGES, changes: results })

async function measure(changes: number) {
  const { ours, theirs, oursRef, theirsRef } = sides.get(changes) as NonNullable<ReturnType<typeof sides.get>>
  const times: Record<string, number[]> = {}
  const take = async (name: string, run: () => unknown): Promise<void> => {
    const known = times[name]
    const ms = await timeMs(async () => void (await run()))
    if (known === undefined) times[name] = [ms]
    else known.push(ms)
  }
  let conflicts = -1
  for (let run = 0; run < RUNS; run++) {
    await take('diffMs', () => diff(store, base, ours))
    await take('gitDiffMs', () => git('diff', '--raw', 'base', oursRef))
    await take('mergeMs', async () => {
      conflicts = (await merge(store, base, ours, theirs, { blocks, relink: text => text })).conflicts.length
    })
    await take('mergeFromDatabaseMs', () =>
      merge(services.objects, base, ours, theirs, { blocks, relink: text => text }),
    )
    await take('gitMergeMs', () => git('merge-tree', '--write-tree', oursRef, theirsRef))
  }
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, round(median(list))]),
  ) as Record<string, number>
  return {
    ...medians,
    conflicts,
    diffRatio: round((medians.diffMs as number) / (medians.gitDiffMs as number)),
    mergeRatio: round((medians.mergeMs as number) / (medians.gitMergeMs as number)),
    mergeFromDatabaseRatio: round((medians.mergeFromDatabaseMs as number) / (medians.gitMergeMs as number)),
  }
}

async function storeBase(target: ObjectStore): Promise<Hash> {
  const edits = new Map<Key, AnyRecord | null>()
  const documents = texts.map(text => encodeDocument(text))
  const parentOf = (index: number): string | null =>
    index % CHILDREN === 0 ? null : `p${index - (index % CHILDREN)}`
  edits.set(TREE_KEY, {
    children: texts.flatMap((_, index) => (parentOf(index) === null ? [`p${index}`] : [])),
  })
  for (const [index, document] of documents.entries()) {
    const isParent = parentOf(index) === null
    const record: PageRecord = {
      type: 'document',
      title: `Page ${index}`,
      slug: `page-${index}`,
      parent: parentOf(index),
      children: isParent ? Array.from({ length: CHILDREN - 1 }, (_, n) => `p${index + n + 1}`) : [],
      document: document.hash,
      file: fileOf(index),
    }
    edits.set(pageKey(`p${index}`), record)
  }
  await target.putMany(documents)
  return put(target, EMPTY_ROOT, edits)
}

async function put(
  target: ObjectStore,
  from: Hash,
  edits: ReadonlyMap<Key, AnyRecord | null>,
): Promise<Hash> {
  const { root, objects, problems } = await commit(target, from, edits)
  if (problems.length > 0) throw new Error(`the tree is broken: ${JSON.stringify(problems[0])}`)
  await target.putMany(objects)
  return root
}

/** Ours edits the first paragraph of its pages, theirs the last; every second page is edited by both. */
async function makeSides(changes: number) {
  const indexes = Array.from({ length: changes }, (_, n) => (n * 7919) % PAGES)
  const others = indexes.map((index, n) => (n % 2 === 0 ? index : (index + 1) % PAGES))
  const ours = await makeSide(`ours-${changes}`, indexes, text => `Ours ${changes}. ${text}`)
  const theirs = await makeSide(`theirs-${changes}`, others, text => `${text.trimEnd()} Theirs ${changes}.\n`)
  return { ours, theirs, oursRef: `ours-${changes}`, theirsRef: `theirs-${changes}` }
}

async function makeSide(
  ref: string,
  indexes: readonly number[],
  rewrite: (text: string) => string,
): Promise<Hash> {
  const edits = new Map<Key, AnyRecord | null>()
  const records = await readEntries(
    store,
    base,
    indexes.map(index => pageKey(`p${index}`)),
  )
  git('checkout', '-q', '-B', ref, 'base')
  for (const index of indexes) {
    const text = rewrite(texts[index] as string)
    const document = encodeDocument(text)
    await store.putMany([document])
    const record = records.get(pageKey(`p${index}`)) as PageRecord
    edits.set(pageKey(`p${index}`), { ...record, document: document.hash })
    writeFileSync(join(repository, fileOf(index)), text)
  }
  git('commit', '-qam', ref)
  return put(store, base, edits)
}

function startRepository(): void {
  mkdirSync(repository, { recursive: true })
  git('init', '-q')
  for (const [index, text] of texts.entries()) {
    mkdirSync(join(repository, `section-${Math.floor(index / CHILDREN)}`), { recursive: true })
    writeFileSync(join(repository, fileOf(index)), text)
  }
  git('add', '.')
  git('commit', '-qm', 'base')
  git('branch', 'base')
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost']
  return execFileSync('git', ['-C', repository, ...identity, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  })
}

/** Everything that the store in memory has, in the database of a server. */
async function copyInto(): Promise<void> {
  const roots = [base, ...[...sides.values()].flatMap(({ ours, theirs }) => [ours, theirs])]
  const reads: ObjectReads = store
  const hashes: Hash[] = []
  for await (const hash of readReachable(reads, roots)) hashes.push(hash)
  const bodies = await store.getMany(hashes)
  const objects = [...bodies].map(([hash, body]) => ({
    hash,
    kind: body[0] === 0xf8 || body[0] === 0xf9 ? ('node' as const) : ('document' as const),
    body,
  }))
  await insertObjects(services.db, objects)
}
