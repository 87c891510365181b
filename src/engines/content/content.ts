// One revision whole, as plain immutable values: for reading a space, rendering its tree, exporting it.
import type {
  AnyRecord,
  FileRecord,
  Hash,
  Key,
  PageRecord,
  ReusableRecord,
  TreeRecord,
  VariableRecord,
} from './records.ts'
import { splitKey } from './records.ts'
import type { ObjectReads } from './store.ts'
import { readAll } from './trie.ts'

/** Everything a revision consists of, keyed by id (variables by name). */
export type Content = {
  readonly tree: TreeRecord
  readonly pages: ReadonlyMap<string, PageRecord>
  readonly files: ReadonlyMap<string, FileRecord>
  readonly reusables: ReadonlyMap<string, ReusableRecord>
  readonly variables: ReadonlyMap<string, VariableRecord>
  /** Hash of the text of SUMMARY.md as the repository had it, or null. */
  readonly summary: Hash | null
  /** Hash of the text of .gitbook.yaml as the repository had it, or null. */
  readonly config: Hash | null
  /** Present where pages that are computed stand in place of the one that says what of: nothing of that is stored. */
  readonly expansion?: {
    /** By the hash that the pages have as their document. */
    readonly texts: ReadonlyMap<Hash, string>
    /** Of what each page was computed. */
    readonly seeds: ReadonlyMap<string, string>
    /** Equal where all that was computed is. */
    readonly digest: string
  }
}

/** Reads a revision whole: one round trip a level of the trie. */
export const readContent = async (store: ObjectReads, root: Hash): Promise<Content> =>
  contentOf(await readAll(store, root))

/** The content that a map of entries spells. Variables come in the order of their names, the rest in no order. */
export function contentOf(entries: Iterable<readonly [Key, AnyRecord]>): Content {
  const pages = new Map<string, PageRecord>()
  const files = new Map<string, FileRecord>()
  const reusables = new Map<string, ReusableRecord>()
  const variables: [string, VariableRecord][] = []
  let tree: TreeRecord = { children: [] }
  let summary: Hash | null = null
  let config: Hash | null = null
  for (const [key, record] of entries) {
    const [kind, name] = splitKey(key)
    if (kind === 'page') pages.set(name, record as PageRecord)
    else if (kind === 'file') files.set(name, record as FileRecord)
    else if (kind === 'reusable') reusables.set(name, record as ReusableRecord)
    else if (kind === 'variable') variables.push([name, record as VariableRecord])
    else if (kind === 'tree') tree = record as TreeRecord
    else if (key === 'git/summary') summary = record as Hash
    else if (key === 'git/config') config = record as Hash
  }
  variables.sort(([a], [b]) => (a < b ? -1 : 1))
  return { tree, pages, files, reusables, variables: new Map(variables), summary, config }
}
