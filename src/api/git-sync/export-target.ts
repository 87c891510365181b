// The branch that an export writes to, beside the space: what it has that the space lacks, and what would be written.
import { now } from '../../base/clock.ts'
import { conflict, Failure } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Services } from '../../http/context.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { findRevision } from '../spaces/revisions.ts'
import { type CommitContent, contentOfCommit } from './commit-content.ts'
import { type ExportPlan, planExport } from './export-layout.ts'
import { awaitHistories, findContinued } from './history.ts'
import type { Source } from './layout/source.ts'
import { isUsable, placeOf } from './link.ts'
import { type OpenedTree, openRepository } from './repository.ts'
import type { ExportRequest } from './request.ts'
import { createSource, EMPTY_TREE, listEntries } from './sources.ts'
import { findTip, isKnownCommit, listRelatedTips, type TipRow } from './tips.ts'

type OpenedBranch = {
  readonly opened: OpenedTree
  /** Otherwise it is the default branch, or an empty repository, which has no commit. */
  readonly hasBranch: boolean
}

export class ExportTarget {
  readonly #services: Services
  readonly #spaceId: string
  readonly #request: ExportRequest

  constructor(services: Services, spaceId: string, request: ExportRequest) {
    this.#services = services
    this.#spaceId = spaceId
    this.#request = request
  }

  /** A missing branch starts at the repository's default branch. */
  async open(
    signal: AbortSignal,
    onProgress: (dispatched: number, completed: number) => void,
  ): Promise<OpenedBranch> {
    const { remote } = this.#request
    const fetch = (ref: string): Promise<OpenedTree> =>
      openRepository(this.#services, this.#spaceId, { remote, ref }, signal, onProgress)
    try {
      return { opened: await fetch(this.#request.ref), hasBranch: true }
    } catch (error) {
      const code = error instanceof Failure ? error.code : undefined
      if (code === 'git_ref_missing') return { opened: await fetch('HEAD'), hasBranch: false }
      if (code !== 'git_repository_empty') throw error
      return { opened: { tree: EMPTY_TREE, madeAt: now().toISOString() }, hasBranch: false }
    }
  }

  findTip(): Promise<TipRow | undefined> {
    return findTip(this.#services.db, this.#spaceId, placeOf(this.#request))
  }

  /** Whether the branch has commits that come into the space before it is written to. */
  async hasNews({ commit }: OpenedTree, signal: AbortSignal): Promise<boolean> {
    if (commit === undefined) return false
    const tip = await this.findTip()
    if (isUsable(tip) && tip.commit_oid === commit.oid) return false
    if (await this.#isKnown(commit.oid)) return false
    return isUsable(tip) || (await this.#isContinued(commit.oid, signal))
  }

  /**
   * Writing over a branch whose changes wait for a decision would decide it.
   *
   * @throws Failure conflict `change_request_open`
   */
  async refuseProposed(): Promise<void> {
    const tip = await this.findTip()
    const id = isUsable(tip) ? tip.change_request_id : null
    const request = id === null ? undefined : await findChangeRequest(this.#services.db, id)
    if (request === undefined || !['draft', 'open'].includes(request.status)) return
    throw conflict(
      'change_request_open',
      `What the repository has is in change request ${request.number}, which is not decided yet. Nothing was exported. Merge or archive it first, or export with force: then the space wins.`,
    )
  }

  /** What a commit on top of the opened one writes, for this content of the space. */
  async plan(opened: OpenedTree, head: Content, signal: AbortSignal): Promise<ExportPlan> {
    const source = await this.#sourceOf(opened, signal)
    const base = await this.#findBase(source, opened, head)
    const reading = base === undefined ? source : { ...source, readDocuments: base.readDocuments }
    return planExport(reading, { base: base?.content, head }, this.#request)
  }

  /** The same while the opened commit has news: what the space changed since they had the same. */
  async planBesideNews(opened: OpenedTree, head: Content, signal: AbortSignal): Promise<ExportPlan> {
    const source = await this.#sourceOf(opened, signal)
    const root = await this.#rootOf((await this.#knownTips())[0])
    const base = root === undefined ? undefined : await this.#services.contents.get(root)
    return planExport(source, { base, head }, { ...this.#request, isForced: true })
  }

  /** Whether the space has the changes of the commit, from whichever repository it had them. */
  async #isKnown(oid: string): Promise<boolean> {
    await awaitHistories(this.#spaceId)
    return isKnownCommit(this.#services.db, this.#spaceId, this.#request.projectDirectory, oid)
  }

  /** Whether the commit is later than one that the space has from another repository or branch. */
  async #isContinued(oid: string, signal: AbortSignal): Promise<boolean> {
    const related = await listRelatedTips(this.#services.db, this.#spaceId, this.#request)
    const asked = { ...this.#request, oid }
    return (await findContinued(this.#services, this.#spaceId, asked, related, signal)) !== undefined
  }

  async #knownTips(): Promise<readonly TipRow[]> {
    const own = await this.findTip()
    const related = await listRelatedTips(this.#services.db, this.#spaceId, this.#request)
    return isUsable(own) ? [own, ...related] : related
  }

  async #rootOf(tip: TipRow | undefined): Promise<string | undefined> {
    const revision = tip && (await findRevision(this.#services.db, this.#spaceId, tip.revision_id))
    return revision?.root_hash.toString('hex')
  }

  /** The space as the commit has it; undefined if its changes never came into the space. */
  async #findBase(source: Source, opened: OpenedTree, head: Content): Promise<CommitContent | undefined> {
    const { projectDirectory } = this.#request
    const oid = opened.commit?.oid
    if (oid === undefined) return undefined
    const tips = await this.#knownTips()
    const same = await this.#rootOf(tips.find(({ commit_oid }) => commit_oid === oid))
    if (same !== undefined)
      return { content: await this.#services.contents.get(same), readDocuments: source.readDocuments }
    if (!(await this.#isKnown(oid))) return undefined
    const [last] = await listRelatedTips(this.#services.db, this.#spaceId, this.#request)
    const later = await this.#rootOf(last)
    if (later === undefined) return undefined
    const { madeAt: committedAt } = opened
    return contentOfCommit(this.#services, source, { root: later, head, projectDirectory, committedAt })
  }

  async #sourceOf({ tree, commit }: OpenedTree, signal: AbortSignal): Promise<Source> {
    const { projectDirectory } = this.#request
    const entries =
      commit === undefined
        ? []
        : await listEntries(tree, projectDirectory, this.#services.config.repositoryFilesMax, signal).catch(
            // A missing directory is created by the commit.
            error => {
              if (error instanceof Failure && error.code === 'directory_missing') return []
              throw error
            },
          )
    return createSource(this.#services, this.#spaceId, tree, entries, signal)
  }
}
