// Revisions imported from a repository whose history is stored: their commits continue that history. A revision with
// the same files uses the commit of the repository itself; any other has it as a parent.
import { assertDefined } from '../../base/assert.ts'
import { gitBlobHash } from '../../base/git-blob.ts'
import type { Services } from '../../http/context.ts'
import { isEmptyPage } from '../git-sync/layout/written-files.ts'
import { git } from '../git-sync/repository.ts'
import { toChanges } from '../git-sync/written-changes.ts'
import type { CommitMaker } from './commits.ts'
import { type Files, toWrittenFile } from './files.ts'
import type { HistoryRow } from './rows.ts'

/** Whether the revision has no commit yet, and the history of its repository may decide which one it gets. */
export const isUndecided = ({ commit, imported, isExported }: HistoryRow): boolean =>
  commit === null && imported !== null && !isExported

export class ImportedCommits {
  readonly #services: Services
  readonly #directory: string
  readonly #history: ReadonlyMap<string, HistoryRow>
  readonly #maker: CommitMaker
  readonly #present: ReadonlySet<string>
  /** Commits of the repository that are in the history already. */
  readonly #used: Set<string>
  /** By kind and hash of the content; a blob has no mode. */
  readonly #blobs = new Map<string, string>()

  /** @param present commits of repositories that exist with all of their ancestors */
  constructor(
    services: Services,
    directory: string,
    history: ReadonlyMap<string, HistoryRow>,
    maker: CommitMaker,
    present: ReadonlySet<string>,
  ) {
    this.#services = services
    this.#directory = directory
    this.#history = history
    this.#maker = maker
    this.#present = present
    const commits = [...history.values()].flatMap(({ commit }) => (commit === null ? [] : [commit]))
    this.#used = new Set(commits.flatMap(({ oid, onto }) => (onto === null ? [oid] : [oid, onto])))
  }

  /**
   * Decides how the commit of a revision relates to that of the repository, and tells the maker. Returns the commit if
   * they are the same.
   *
   * @param oidOf the commit of a parent, if it is known without making it
   */
  async decide(row: HistoryRow, oidOf: (id: string) => string | undefined): Promise<string | undefined> {
    const { imported } = row
    if (imported === null || !isUndecided(row) || !this.#present.has(imported)) return undefined
    const isUsed = this.#used.has(imported)
    this.#used.add(imported)
    if ((await this.#isOnTop(row, imported, oidOf)) && (await this.#hasSameFiles(row, imported))) {
      await this.#maker.takeAsItIs(row)
      return imported
    }
    if (!isUsed) this.#maker.addOnto(row.id, imported)
    return undefined
  }

  /** Whether the history of the repository contains that of the space, so that nothing gets lost. */
  async #isOnTop(row: HistoryRow, imported: string, oidOf: (id: string) => string | undefined) {
    const commits = git.commitsIn(this.#directory)
    for (const id of row.parents) {
      const parent = this.#history.get(id)
      if (parent === undefined || (await this.#maker.isEmptyBeginning(parent))) continue
      const oid = oidOf(id)
      if (oid === undefined || !(await commits.isAncestor(oid, imported))) return false
    }
    return true
  }

  async #hasSameFiles(row: HistoryRow, oid: string): Promise<boolean> {
    const files = await this.#maker.filesOf(row)
    const entries = await git
      .tree(this.#directory, oid)
      .list({ entriesMax: files.size })
      .catch(error => {
        if (error?.code === 'too_many_files') return []
        throw error
      })
    const isFile = ({ path, kind, oddity }: (typeof entries)[number]) => {
      const content = files.get(path)
      const wanted = content?.isExecutable === true ? 'executable' : 'file'
      return content !== undefined && kind === wanted && oddity === undefined
    }
    const listed = new Set(entries.map(({ path }) => path))
    const areThere = [...files].every(([path, content]) => listed.has(path) || isEmptyPage(content))
    if (!areThere || !entries.every(isFile)) return false
    const blobs = await this.#blobsOf(files)
    return entries.every(entry => blobs.get(entry.path) === entry.oid)
  }

  /** The blob id of each file, by path. */
  async #blobsOf(files: Files): Promise<ReadonlyMap<string, string>> {
    const keyOf = (path: string) => `${files.get(path)?.kind}:${files.get(path)?.hash}`
    const unread = [...files].filter(([path]) => !this.#blobs.has(keyOf(path)))
    const writes = unread.map(([path, content]) => toWrittenFile(path, content))
    for await (const change of toChanges(this.#services, { writes, removes: [] }, () => {}).changes) {
      if ('removed' in change) continue
      const hash = gitBlobHash(change.size)
      for await (const piece of change.content) hash.update(piece)
      this.#blobs.set(keyOf(change.path), hash.digest('hex'))
    }
    const blobOf = (path: string) => assertDefined(this.#blobs.get(keyOf(path)), 'every file was read')
    return new Map([...files.keys()].map(path => [path, blobOf(path)]))
  }
}
