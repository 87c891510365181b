// Revisions as commits: their order, their messages, and the files that they change. A commit is the same in every
// process and after its cache was lost, because what could change later, such as the author's name, is recorded when it
// is first made.
import { assertDefined } from '../../base/assert.ts'
import { pause } from '../../base/slices.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import type { NewCommit } from '../../platform/git/write-commit.ts'
import type { Source } from '../git-sync/layout/source.ts'
import { toChanges } from '../git-sync/written-changes.ts'
import { changesBetween, type FileChanges, type Files, filesOfRevision } from './files.ts'
import type { CommitRow, HistoryRow } from './rows.ts'

/** What is recorded about a commit besides its id. */
export type CommitWords = Pick<
  CommitRow,
  'author_name' | 'author_email' | 'message' | 'summary_root' | 'is_pushed' | 'onto'
>

/**
 * The ancestors of `tips` for which `isThere` is false, parents first.
 *
 * @param history the oldest first
 */
export function findMissing(
  history: ReadonlyMap<string, HistoryRow>,
  tips: readonly string[],
  isThere: (row: HistoryRow) => boolean,
): HistoryRow[] {
  const wanted = new Set<string>()
  const waiting = [...tips]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const row = history.get(id)
    // The first revision of a duplicate has a parent in another space.
    if (row === undefined || wanted.has(id) || isThere(row)) continue
    wanted.add(id)
    waiting.push(...row.parents)
  }
  const ordered: HistoryRow[] = []
  const added = new Set<string>()
  for (const row of history.values()) {
    const stack = wanted.has(row.id) ? [row] : []
    // The clocks of two processes may disagree about which came first.
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const before = top.parents
        .flatMap(id => (wanted.has(id) && !added.has(id) ? (history.get(id) ?? []) : []))
        .find(parent => !stack.includes(parent))
      if (before !== undefined) stack.push(before)
      else {
        stack.pop()
        if (!added.has(top.id)) ordered.push(top)
        added.add(top.id)
      }
    }
  }
  return ordered
}

// For the most recent parents: a change request may follow an older revision.
const FILES_KEPT = 16

/** Makes commits, one after the other; `source` reads documents and has no entries. */
export class CommitMaker {
  readonly #services: Services
  readonly #source: Source
  readonly #history: ReadonlyMap<string, HistoryRow>
  readonly #words = new Map<string, CommitWords>()
  readonly #files = new Map<string, Files>()
  readonly #aliases = new Map<string, string>()
  readonly #onto = new Map<string, string>()
  readonly #summaryRoots = new Map<string, Hash>()
  readonly #summaries = new Map<Hash, { readonly hash: Hash | undefined }>()

  constructor(services: Services, source: Source, history: ReadonlyMap<string, HistoryRow>) {
    this.#services = services
    this.#source = source
    this.#history = history
  }

  /**
   * Makes a revision share the commit of another, as for a fast-forward merge, instead of getting its own.
   *
   * @param of the other, which is made before
   */
  addAlias(id: string, of: string): void {
    this.#aliases.set(id, of)
  }

  /** The revision whose commit this one shares. */
  originOf(id: string): string {
    const of = this.#aliases.get(id)
    return of === undefined ? id : this.originOf(of)
  }

  /** Gives the commit of a revision a parent: the commit of the repository that the revision was imported from. */
  addOnto(id: string, oid: string): void {
    this.#onto.set(id, oid)
  }

  /** Uses an existing commit for this revision instead of making one. */
  async takeAsItIs(row: HistoryRow): Promise<void> {
    const changes = { writes: [], removes: [] }
    const summaryRoot = await this.summaryRootOf(row)
    this.#words.set(row.id, { ...wordsOf(row, changes, summaryRoot), is_pushed: true })
  }

  /** Whether this is the first revision of a space and has no files, so that an import is its first content. */
  async isEmptyBeginning(row: HistoryRow): Promise<boolean> {
    return row.parents.length === 0 && (await this.filesOf(row)).size === 0
  }

  /** What is recorded about the commit of this revision. */
  wordsOf(id: string): CommitWords {
    return assertDefined(this.#words.get(id), '`commits` was asked for this revision before')
  }

  /** @param oidOf the commit of a parent that exists already */
  async *commits(
    missing: readonly HistoryRow[],
    oidOf: (revisionId: string) => string | undefined,
  ): AsyncGenerator<NewCommit> {
    const places = new Map(missing.map(({ id }, at) => [id, at]))
    for (const row of missing) {
      await pause()
      const [parent] = row.parents
      const known = parent === undefined ? undefined : this.#history.get(parent)
      const summaryRoot = await this.summaryRootOf(row)
      const before: Files = known === undefined ? new Map() : await this.filesOf(known)
      const changes = changesBetween(before, await this.filesOf(row))
      const onto = this.#onto.get(row.id)
      const words = row.commit ?? { ...wordsOf(row, changes, summaryRoot), onto: onto ?? null }
      const isBeginning = known === undefined || (await this.isEmptyBeginning(known))
      const parents = known === undefined ? [] : row.parents
      this.#words.set(row.id, words)
      const author = { name: words.author_name, email: words.author_email }
      yield {
        // The files are compared with those of the first parent: without one the commit begins a history, or continues
        // that of the repository that it was imported from.
        ...(onto !== undefined && isBeginning
          ? { parents: [onto], isWhole: true }
          : {
              parents: [
                ...parents.map(id => this.originOf(id)).flatMap(id => places.get(id) ?? oidOf(id) ?? []),
                ...(onto === undefined ? [] : [onto]),
              ],
            }),
        author,
        committer: author,
        at: row.created_at,
        message: words.message,
        changes: toChanges(this.#services, changes, () => {}).changes,
      }
    }
  }

  /** The root of the revision whose SUMMARY.md this one edits: the first of those that share it. */
  async summaryRootOf(row: HistoryRow): Promise<Hash> {
    if (row.commit !== null) return row.commit.summary_root.toString('hex')
    const kept = this.#summaryRoots.get(row.id)
    if (kept !== undefined) return kept
    let found = row.root
    for (const id of row.parents) {
      const parent = this.#history.get(id)
      if (parent === undefined || (await this.#summaryOf(row.root)) !== (await this.#summaryOf(parent.root)))
        continue
      found = await this.summaryRootOf(parent)
      break
    }
    this.#summaryRoots.set(row.id, found)
    return found
  }

  /** Only the SUMMARY.md of a content: a history has thousands. */
  async #summaryOf(root: Hash): Promise<Hash | undefined> {
    const kept = this.#summaries.get(root)
    if (kept !== undefined) return kept.hash
    const hash = (await readEntries(this.#services.objects, root, ['git/summary'])).get('git/summary')
    this.#summaries.set(root, { hash })
    return hash
  }

  async filesOf(row: HistoryRow): Promise<Files> {
    const kept = this.#files.get(row.id)
    if (kept !== undefined) {
      this.#files.delete(row.id)
      this.#files.set(row.id, kept)
      return kept
    }
    const listed = await this.summaryRootOf(row)
    const head = await this.#contentOf(row.root)
    const files = await filesOfRevision(
      this.#source,
      head,
      listed === row.root ? head : await this.#contentOf(listed),
    )
    this.#files.set(row.id, files)
    for (const [oldest] of this.#files) {
      if (this.#files.size <= FILES_KEPT) break
      this.#files.delete(oldest)
    }
    return files
  }

  #contentOf(root: string): Promise<Content> {
    return this.#services.contents.get(root)
  }
}

function wordsOf(row: HistoryRow, changes: FileChanges, summaryRoot: string): CommitWords {
  return {
    author_name: row.display_name ?? '',
    author_email: row.email ?? '',
    message: messageOf(row, changes),
    summary_root: Buffer.from(summaryRoot, 'hex'),
    is_pushed: false,
    onto: null,
  }
}

const NAMED_MAX = 3

/** The message of the commit that it was imported as, or what happened; then the ids that find it in Octavo. */
function messageOf(row: HistoryRow, changes: FileChanges): string {
  const trailers = [`Octavo-Revision: ${row.id}`]
  if (row.merged_number !== null) trailers.push(`Octavo-Change-Request: ${row.merged_number}`)
  if (row.imported !== null) trailers.push(`Octavo-Commit: ${row.imported}`)
  return `${subjectOf(row, changes)}\n\n${trailers.join('\n')}\n`
}

function subjectOf(row: HistoryRow, changes: FileChanges): string {
  const { type, parents, message, merged_number, merged_subject } = row
  if (message !== null && message.trim() !== '') return message.trim()
  if (merged_number !== null) {
    const subject = (merged_subject ?? '').replace(/\s+/g, ' ').trim()
    return subject === '' ? `Merge change request ${merged_number}` : `${subject} (#${merged_number})`
  }
  if (type === 'rollback') return 'Roll back to an earlier revision'
  if (type === 'update') return 'Update from the space'
  const paths = [...changes.writes.map(({ path }) => path), ...changes.removes]
  if (paths.length === 0)
    return parents.length === 0 ? 'Create the space' : 'Change settings that no file holds'
  if (paths.length > NAMED_MAX) return `Change ${paths.length} files`
  return `Change ${paths.join(', ')}`
}
