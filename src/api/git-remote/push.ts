// A push: each branch separately, all or nothing. Its commits are checked in a folder beside the repository and become
// one revision, whose commit is the pushed one.
import { createReadStream } from 'node:fs'
import { assert } from '../../base/assert.ts'
import { conflict, invalid, missing, orMissing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Commits } from '../../platform/git/git.ts'
import type { Commit } from '../../platform/git/objects.ts'
import type { TakenPack } from '../../platform/git/take-pack.ts'
import { openChangeRequest } from '../change-requests/actions.ts'
import { findChangeRequestOfSpace, lockChangeRequest, updateChangeRequest } from '../change-requests/rows.ts'
import { SUBJECT_CHARACTERS_MAX } from '../change-requests/schema.ts'
import { mergeBaseOf } from '../change-requests/state.ts'
import { insertObjects } from '../content/objects.ts'
import { storableMessage } from '../git-sync/import-tree.ts'
import { git } from '../git-sync/repository.ts'
import { headMoved } from '../heads/overtaken.ts'
import { type RevisionInput, writeChangeRequestHead, writeSpaceHead } from '../heads/write.ts'
import { markMerged } from '../merges/actions.ts'
import { getSpace, getUndeletedSpace, lockSpace } from '../spaces/rows.ts'
import { isFree } from './branches.ts'
import { type PushedContent, planPushed } from './pushed-content.ts'
import type { Remote } from './repository.ts'
import { type Rights, whileRightsHold } from './rights.ts'
import {
  insertBranch,
  insertCommits,
  insertPack,
  type KnownCommit,
  type KnownCommits,
  listBranches,
  listCommits,
} from './rows.ts'

/** The push of one branch. */
export type BranchUpdate = {
  /** Its full name: `refs/heads/main`. */
  readonly ref: string
  /** The context of the person who pushes, with their rights when the push began. */
  readonly context: Context
  /** The same with their current rights. Throws the Failure that refuses them. */
  readonly admit: () => Promise<Context>
  readonly spaceId: string
  /** The commit that the branch will point at. */
  readonly oid: string
  readonly name: string
  /** The existing branch; undefined if the push opens a change request. */
  readonly branch: Remote['branches'][number] | undefined
}

/** The received data. */
export type Pushed = {
  readonly remote: Remote
  /** A repository with the pushed commits and the history that they continue. */
  readonly directory: string
  readonly pack: TakenPack
  readonly signal: AbortSignal
}

const COMMITS_MAX = 5_000
// Each is a merge of contents.
const JOINED_MAX = 8
const TOLD_MAX = 10

/**
 * Returns sentences for the person who pushes.
 *
 * @throws Failure that says why nothing was done.
 */
export async function pushBranch(wanted: BranchUpdate, pushed: Pushed): Promise<string[]> {
  const { context, spaceId, oid } = wanted
  const { directory, remote, signal } = pushed
  const commits = git.commitsIn(directory, signal)
  const commit = await commits.read(oid)
  await commits.requireWhole(
    oid,
    remote.branches.map(branch => branch.oid),
  )
  const known = await listCommits(context.db, spaceId)
  const lines = await readLines(commits, wanted, remote, known)
  const sideOf = (commit: KnownCommit) => ({ root: commit.root, tree: git.tree(directory, commit.oid) })
  const others = await Promise.all(
    lines.others.map(async other => ({
      ...sideOf(other),
      base: (await findCommon(commits, lines.first, other, known)).root,
    })),
  )
  const planned = await planPushed(context, {
    ...{ spaceId, others, signal },
    tree: git.tree(directory, oid),
    first: sideOf(lines.first),
  })
  const writing = {
    ...{ wanted, planned, lines, commits, known, commit },
    start: await findStart(commits, oid, lines, known),
    merged: await findMerged(commits, wanted, remote),
    pack: await keepPack(context, pushed, lines),
  }
  const told = await whileRightsHold(context, spaceId, wanted.admit, rights => write({ ...writing, rights }))
  const problems = planned.problems.map(({ message, file }) =>
    file === undefined ? message : `${file}: ${message}`,
  )
  return [...problems.slice(0, TOLD_MAX), ...told]
}

type Lines = {
  /** Whether some commits are not revisions. */
  readonly areFresh: boolean
  /** The revisions that they continue. */
  readonly ends: readonly string[]
  /** The base of the comparison: the head of the branch, or the revision reached through first parents. */
  readonly first: KnownCommit
  /** Other revisions that were merged in. */
  readonly others: readonly KnownCommit[]
}

async function readLines(
  commits: Commits,
  { oid, branch }: BranchUpdate,
  { branches }: Remote,
  { byOid, byRevision }: KnownCommits,
): Promise<Lines> {
  const { fresh, known, firstKnown } = await commits.walk(oid, id => byOid.has(id), COMMITS_MAX)
  const isUpon = async (tip: string) => known.includes(tip) || (await commits.isAncestor(tip, oid))
  if (branch !== undefined && !(await isUpon(branch.oid)))
    throw conflict(
      'history_rewritten',
      'history is not rewritten: fetch, merge or rebase onto the branch as it is, and push without force',
    )
  const [anyKnown] = known
  const first =
    branch === undefined ? byOid.get(firstKnown ?? anyKnown ?? '') : byRevision.get(branch.revisionId)
  if (first === undefined) throw unrelated()
  const main = branches.find(({ number }) => number === null)
  if (branch === undefined && main !== undefined && (await commits.isAncestor(oid, main.oid)))
    throw conflict('nothing_new', 'every commit of this branch is on main already')
  const ends = [...new Set([first.oid, ...known])]
  const independent = ends.length === 1 ? ends : await commits.findIndependent(ends)
  const others = independent.flatMap(id => (id === first.oid ? [] : (byOid.get(id) ?? [])))
  if (others.length > JOINED_MAX)
    throw invalid('branches_too_many', `a push joins at most ${JOINED_MAX} branches`)
  return { areFresh: fresh.length > 0, ends: known, first, others }
}

const unrelated = () =>
  conflict(
    'history_unrelated',
    'this history has no revision of the space in it: fetch, and rebase it onto main or merge main into it',
  )

/** A common ancestor of both that is a revision. */
async function findCommon(
  commits: Commits,
  one: KnownCommit,
  other: KnownCommit,
  { byOid }: KnownCommits,
): Promise<KnownCommit> {
  const base = await commits.findMergeBase(one.oid, other.oid)
  if (base === undefined) throw unrelated()
  const [nearest] = (await commits.walk(base, id => byOid.has(id), COMMITS_MAX)).known
  const common = nearest === undefined ? undefined : byOid.get(nearest)
  if (common === undefined) throw unrelated()
  return common
}

/** The last revision of the space itself among the ancestors of the commit. */
async function findStart(
  commits: Commits,
  oid: string,
  { ends }: Lines,
  { byOid }: KnownCommits,
): Promise<KnownCommit | undefined> {
  const isMain = (id: string) => byOid.get(id)?.isMain === true
  const known = ends.every(isMain) ? ends : (await commits.walk(oid, isMain, COMMITS_MAX)).known
  const [last] = known.length > 1 ? await commits.findIndependent(known) : known
  return last === undefined ? undefined : byOid.get(last)
}

type ChangeRequestBranch = Remote['branches'][number] & {
  readonly number: number
  readonly changeRequestId: string
}

/** The change requests whose head this push makes part of the history of main. */
async function findMerged(
  commits: Commits,
  { branch, oid }: BranchUpdate,
  { branches }: Remote,
): Promise<ChangeRequestBranch[]> {
  if (branch?.number !== null) return []
  const proposed = branches.filter((each): each is ChangeRequestBranch => each.changeRequestId !== null)
  const gained = await commits.findGained(oid, branch.oid, new Set(proposed.map(each => each.oid)))
  return proposed.filter(each => gained.has(each.oid))
}

/** Locks them, and makes sure that none has changed: later edits are not in the pushed commits. */
async function requireUnmoved(trx: Trx, merged: readonly ChangeRequestBranch[]): Promise<void> {
  for (const { changeRequestId, revisionId } of merged) {
    const row = await lockChangeRequest(trx, changeRequestId)
    if (row?.revision_id !== revisionId || (row.status !== 'draft' && row.status !== 'open'))
      throw headMoved('change request')
  }
}

/** Stores the pack for all current and later processes. Returns its blob. */
async function keepPack(
  { blobs }: Context,
  { pack }: Pushed,
  { areFresh }: Lines,
): Promise<string | undefined> {
  if (!areFresh || pack.path === undefined) return undefined
  const { sha256 } = await blobs.put(createReadStream(pack.path), { contentType: PACK_TYPE })
  return sha256
}

const PACK_TYPE = 'application/x-git-packed-objects'

type PlannedPush = {
  readonly wanted: BranchUpdate
  readonly rights: Rights
  readonly planned: PushedContent
  readonly lines: Lines
  readonly commits: Commits
  readonly known: KnownCommits
  readonly commit: Commit
  readonly start: KnownCommit | undefined
  /** Change requests that a push to main merges. */
  readonly merged: readonly ChangeRequestBranch[]
  readonly pack: string | undefined
}

/** The revision of a push: a person's, with its commit. */
type PushedRevision = RevisionInput & {
  readonly createdBy: string
  readonly git: NonNullable<RevisionInput['git']>
}

async function write(writing: PlannedPush): Promise<string[]> {
  const { wanted, rights, planned, lines, commits, known, commit, start, merged } = writing
  const { spaceId, branch } = wanted
  const { context } = rights
  const { principal } = context
  assert(principal.kind === 'user', 'nobody else is admitted')
  const { content } = planned
  const keep = (trx: Trx, { id }: { readonly id: string }) => keepCommit(trx, writing, id)
  const [only, another] = merged
  const input: PushedRevision = {
    base: { revisionId: lines.first.revisionId, root: lines.first.root },
    otherParents: lines.others.map(({ revisionId }) => revisionId),
    type: 'edits',
    createdBy: principal.user.id,
    git: {
      oid: commit.oid,
      message: storableMessage(commit.message),
      createdByGitBook: false,
      author: storableMessage(commit.author),
    },
    ...(only === undefined || another !== undefined ? {} : { mergedFrom: only.changeRequestId }),
  }
  if (branch === undefined) return open(writing, input)
  if (branch.number === null) {
    const space = await getUndeletedSpace(context.db, spaceId)
    await writeSpaceHead(context, {
      ...{ ...input, spaceId, content, isEdit: true },
      async check(trx) {
        await rights.makeSure(trx)
        await requireUnmoved(trx, merged)
      },
      async alongside(trx, revision) {
        await keep(trx, revision)
        const asked = { events: context.events, principal }
        for (const { changeRequestId: id, number } of merged)
          await markMerged(trx, asked, { id, number }, space, revision.id)
      },
    })
    return merged.map(
      ({ number }) => `Change request #${number} is merged: ${context.urls.changeRequest(spaceId, number)}`,
    )
  }
  const request = await findChangeRequestOfSpace(context.db, spaceId, String(branch.number))
  if (request === undefined) throw missing('change request')
  const base = known.byRevision.get(mergeBaseOf(request))
  // A branch that does not begin at a revision of the space itself is compared with its own beginning.
  const isUpdated =
    start !== undefined &&
    base?.isMain === true &&
    base.oid !== start.oid &&
    (await commits.isAncestor(base.oid, start.oid))
  await writeChangeRequestHead(context, {
    ...{ ...input, changeRequest: request, content },
    check: rights.makeSure,
    async alongside(trx, revision) {
      await keep(trx, revision)
      if (isUpdated)
        await updateChangeRequest(trx, request.id, { revision_merged_ancestor_id: start.revisionId })
    },
  })
  return []
}

/** Opens a change request and returns its address. */
async function open(writing: PlannedPush, input: PushedRevision): Promise<string[]> {
  const { wanted, rights, planned, commit, start } = writing
  const { spaceId, name } = wanted
  const { context } = rights
  const { base, otherParents = [], createdBy, git: origin } = input
  if (start === undefined) throw unrelated()
  return context.transaction(async trx => {
    orMissing(await lockSpace(trx, spaceId), 'space')
    const space = await getSpace(trx, spaceId)
    await rights.makeSure(trx)
    const taken = (await listBranches(trx, spaceId)).map(branch => branch.name)
    if (!isFree(name, taken))
      throw conflict('branch_exists', 'fetch first: a branch of this name was created in the meantime')
    await insertObjects(trx, planned.content.objects)
    const request = await openChangeRequest(trx, context.events, {
      ...{ space, createdBy },
      status: 'open',
      subject: subjectOf(commit),
      initialRevisionId: start.revisionId,
      revision: { root: planned.content.root, parents: [base.revisionId, ...otherParents], git: origin },
    })
    await insertBranch(trx, { change_request_id: request.id, space_id: spaceId, name })
    await keepCommit(trx, writing, request.revision_id)
    return [`Change request #${request.number}: ${context.urls.changeRequest(spaceId, request.number)}`]
  })
}

async function keepCommit(
  trx: Trx,
  { wanted, planned, lines, commit, pack }: PlannedPush,
  revisionId: string,
): Promise<void> {
  const { spaceId } = wanted
  if (pack !== undefined) await insertPack(trx, spaceId, pack)
  const summaryRoot = planned.hasOwnSummary ? planned.content.root : lines.first.summaryRoot
  await insertCommits(trx, [
    {
      revision_id: revisionId,
      space_id: spaceId,
      oid: commit.oid,
      author_name: storableMessage(commit.author),
      author_email: '',
      message: storableMessage(commit.message),
      summary_root: Buffer.from(summaryRoot, 'hex'),
      is_pushed: true,
    },
  ])
}

/** The first line of its message. */
function subjectOf({ message }: Commit): string {
  const [first = ''] = storableMessage(message).trim().split('\n')
  const line = first.trim()
  if (line.length <= SUBJECT_CHARACTERS_MAX) return line
  return `${line.slice(0, SUBJECT_CHARACTERS_MAX - 1).toWellFormed()}…`
}
