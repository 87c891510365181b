// A whole revision as plain immutable values: for reading a space, rendering its tree, exporting it.
import {
  type Entry,
  type FileRecord,
  type Hash,
  isEntryOf,
  type PageRecord,
  type ReusableRecord,
  splitKey,
  type TreeRecord,
  type VariableRecord,
} from './records.ts'
import type { ObjectReads } from './store.ts'
import { readAll } from './trie.ts'

/** Everything a revision consists of, keyed by id (variables by name). */
export type Content = {
  readonly tree: TreeRecord
  readonly pages: ReadonlyMap<string, PageRecord>
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly variables: ReadonlyMap<string, VariableRecord>
  /** Hash of SUMMARY.md, byte for byte as in the repository, or null. */
  readonly summary: Hash | null
  /** Hash of .gitbook.yaml, byte for byte as in the repository, or null. */
  readonly config: Hash | null
  /** Present when computed pages were expanded: each is replaced by the pages it generates, which are not stored. */
  readonly expansion?: {
    /** Generated texts by the hash in `document`. */
    readonly texts: ReadonlyMap<Hash, string>
    /** What each page was generated from. */
    readonly seeds: ReadonlyMap<string, string>
    /** Equal for equal expansions. */
    readonly digest: string
  }
}

/** Reads a whole revision: one round trip per level of the trie. */
export const readContent = async (store: ObjectReads, root: Hash): Promise<Content> =>
  contentOf(await readAll(store, root))

/** The content of these entries. Variables are sorted by name; the rest is in no particular order. */
export function contentOf(entries: Iterable<Entry>): Content {
  const pages = new Map<string, PageRecord>()
  const files = new Map<string, FileRecord>()
  const reusables = new Map<string, ReusableRecord>()
  const variables: [string, VariableRecord][] = []
  let tree: TreeRecord = { children: [] }
  let summary: Hash | null = null
  let config: Hash | null = null
  for (const entry of entries) {
    const [, name] = splitKey(entry[0])
    if (isEntryOf('page', entry)) pages.set(name, entry[1])
    else if (isEntryOf('file', entry)) files.set(name, entry[1])
    else if (isEntryOf('reusable', entry)) reusables.set(name, entry[1])
    else if (isEntryOf('variable', entry)) variables.push([name, entry[1]])
    else if (isEntryOf('tree', entry)) tree = entry[1]
    else if (isEntryOf('git', entry)) {
      if (name === 'summary') summary = entry[1]
      else config = entry[1]
    }
  }
  variables.sort(([a], [b]) => (a < b ? -1 : 1))
  return { tree, pages, files, reusables, variables: new Map(variables), summary, config }
}
