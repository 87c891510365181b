// Asks git how commits of a repository are related.
import { invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { DEADLINE, GitExit, type ReadOptions, readGit, runGit } from './command.ts'
import { type Commit, parseCommit } from './objects.ts'

type WalkOptions = ReadOptions & { readonly directory: string }

export type Ancestry = {
  /** The commit and its ancestors that are not known; newest first. */
  readonly fresh: readonly string[]
  /** Where known history begins, on every line that leads there; newest first. */
  readonly known: readonly string[]
  /** The first of these along first parents. */
  readonly firstKnown: string | undefined
}

/** Throws Failure too_large `commits_too_many` if more than `commitsMax` commits are not known. */
export async function walkHistory(
  oid: string,
  isKnown: (oid: string) => boolean,
  commitsMax: number,
  options: WalkOptions,
): Promise<Ancestry> {
  const parentsOf = new Map<string, readonly string[]>()
  const known: string[] = []
  const waiting = new Set([oid])
  const lines = linesOf(readGit({ args: ['rev-list', '--topo-order', '--parents', oid], ...options }))
  for await (const line of lines) {
    const [commit = '', ...parents] = line.split(' ')
    if (!waiting.delete(commit)) continue
    if (isKnown(commit)) known.push(commit)
    else {
      if (parentsOf.size >= commitsMax)
        throw tooLarge(
          'commits_too_many',
          `A push may have at most ${commitsMax} commits. Push in smaller steps, or squash them.`,
        )
      parentsOf.set(commit, parents)
      for (const parent of parents) waiting.add(parent)
    }
    if (waiting.size === 0) break
  }
  let first: string | undefined = oid
  while (first !== undefined && !isKnown(first)) first = parentsOf.get(first)?.[0]
  return { fresh: [...parentsOf.keys()], known, firstKnown: first }
}

/** A best common ancestor of both; undefined if they have none. */
export async function findMergeBase(
  one: string,
  other: string,
  options: WalkOptions,
): Promise<string | undefined> {
  const [oid] = await answers(['merge-base', one, other], options)
  return oid
}

export async function isAncestor(ancestor: string, oid: string, options: WalkOptions): Promise<boolean> {
  const { code } = await ask(['merge-base', '--is-ancestor', ancestor, oid], options)
  return code === 0
}

/** The commits in `wanted` that are reachable from `oid`, itself included, but not from `before`. */
export async function findGained(
  oid: string,
  before: string,
  wanted: ReadonlySet<string>,
  options: WalkOptions,
): Promise<Set<string>> {
  const gained = new Set<string>()
  if (wanted.size === 0) return gained
  for await (const line of linesOf(readGit({ args: ['rev-list', oid, `^${before}`], ...options })))
    if (wanted.has(line)) gained.add(line)
  return gained
}

/** The commits that are not ancestors of another one. */
export const findIndependent = (oids: readonly string[], options: WalkOptions): Promise<string[]> =>
  answers(['merge-base', '--independent', ...oids], options)

/** The ids that are commits of the repository. */
export async function findPresent(oids: readonly string[], options: WalkOptions): Promise<Set<string>> {
  if (oids.length === 0) return new Set()
  const input = `${oids.join('\n')}\n`
  const present = new Set<string>()
  for await (const line of linesOf(readGit({ args: ['cat-file', '--batch-check'], input, ...options }))) {
    const [, oid] = /^([0-9a-f]{40}) commit \d+$/.exec(line) ?? []
    if (oid !== undefined) present.add(oid)
  }
  return present
}

/**
 * Makes sure that everything a commit needs, beyond what `tips` have, exists.
 *
 * @throws Failure invalid `objects_missing`.
 */
export async function requireWhole(
  oid: string,
  tips: readonly string[],
  options: WalkOptions,
): Promise<void> {
  const input = [oid, ...tips.map(tip => `^${tip}`), ''].join('\n')
  const { code, stderr } = await ask(['rev-list', '--objects', '--quiet', '--stdin'], options, input)
  if (code !== 0)
    throw invalid(
      'objects_missing',
      'Objects are missing from the push. Run git fsck in your clone, fetch, and push again.',
      new Error(stderr),
    )
}

const COMMIT_BYTES_MAX = 1024 * 1024

/** Throws Failure invalid `commit_invalid` if the object is not a commit, or its message has a megabyte. */
export async function readCommit(oid: string, options: WalkOptions): Promise<Commit> {
  const { stdout } = await ask(['cat-file', '--batch'], options, `${oid}\n`, COMMIT_BYTES_MAX)
  const commit = parseCommit(stdout)
  if (commit === undefined)
    throw invalid('commit_invalid', `${oid} is missing, or is not a commit that can be read.`)
  return commit
}

const LINES_BYTES_MAX = 64 * 1024

/** Lines of ids; none if git finds none. */
async function answers(args: readonly string[], options: WalkOptions): Promise<string[]> {
  const { code, stdout, stderr } = await ask(args, options)
  if (code !== 0 && code !== 1) throw new GitExit(code, stderr)
  return stdout
    .toString('latin1')
    .split('\n')
    .filter(line => line !== '')
}

async function ask(
  args: readonly string[],
  options: WalkOptions,
  input = '',
  stdoutBytesMax = LINES_BYTES_MAX,
) {
  const ended = await runGit({ args, input, stdoutBytesMax, ...options })
  options.signal?.throwIfAborted()
  if (ended.stopped === DEADLINE)
    throw unavailable('git_timeout', 'The repository could not be read in time.')
  return ended
}

const LINE_BYTES_MAX = 64 * 1024

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_BYTES_MAX)
      throw tooLarge('commits_too_many', 'A commit has more parents than can be read.')
    yield* lines
  }
}
