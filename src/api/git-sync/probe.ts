// Looks at a repository before it is imported: its branches, and with `deep` what an import would make of one of them.
// Nothing of it is kept.
import { join } from 'node:path'
import { Failure, invalid, throttled, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { dropCache, inTurn } from '../../platform/git/cache.ts'
import { evictCaches } from '../../platform/git/cache-eviction.ts'
import { Credentials, fullRef, parseRemote, type Remote } from '../../platform/git/remote.ts'
import type { RemoteRefs } from '../../platform/git/remote-refs.ts'
import type { TreeSource } from '../../platform/tree-source.ts'
import { createUploadPlaces } from '../edits/request/upload-places.ts'
import { checkTree } from './check.ts'
import { git } from './repository.ts'
import { readDirectory } from './request.ts'
import { suggestRoots } from './roots.ts'
import { BRANCHES_MAX, type GitProbe, type ProbeRepository } from './schema.ts'
import { listEntries } from './sources.ts'

const PROBES_AT_ONCE_MAX = 16
const PROBES_OF_ONE_MAX = 3
const REFS_MS_MAX = 10_000
// Less than proxies wait for an answer.
const CONTENT_MS_MAX = 45_000
const LEFT_MS = 60 * 60_000

const places = createUploadPlaces(PROBES_AT_ONCE_MAX, PROBES_OF_ONE_MAX)

type Asked = { readonly organizationId: string; readonly userId: string }

type Content = NonNullable<GitProbe['content']>

/**
 * @throws Failure throttled; those of `listRemoteRefs`; invalid `git_url_invalid`, `git_ref_invalid`,
 * `git_ref_missing`, `project_directory_invalid`; with `deep` those of an import that concern its files, and
 * unavailable `git_timeout`.
 */
export async function probeRepository(
  services: Services,
  { organizationId, userId }: Asked,
  body: ProbeRepository,
): Promise<GitProbe> {
  const remote = readRemote(body)
  const asked = body.ref === undefined ? undefined : fullRef(body.ref)
  const root = body.root === undefined ? undefined : readDirectory(body.root)
  return atHand(userId, async () => {
    const { guard } = services
    const listed = await git.listRemoteRefs({ remote, ref: asked, guard, deadlineMs: REFS_MS_MAX })
    const { ref, commit } = chooseRef(remote, listed, asked)
    const probe = toProbe(remote, listed, ref, commit)
    if (body.deep !== true) return probe
    const lane = `probe:${organizationId}`
    return {
      ...probe,
      content: await inItsTurn(services, lane, signal =>
        checkRepository(services, lane, { remote, ref, root, signal, deadlineMs: CONTENT_MS_MAX }),
      ),
    }
  })
}

/**
 * Of the looks at repositories that answer the request which asks for them, each person has a few at once.
 *
 * @throws Failure throttled
 */
export async function atHand<Answer>(userId: string, look: () => Promise<Answer>): Promise<Answer> {
  if (!places.take(userId))
    throw throttled('You look at too many repositories at once. Try again when one of them has answered.')
  try {
    return await look()
  } finally {
    places.giveBack(userId)
  }
}

function readRemote({ repositoryUrl, credentials }: ProbeRepository): Remote {
  const remote = parseRemote(repositoryUrl)
  if (credentials === undefined) return remote
  return { ...remote, credentials: new Credentials(credentials.username ?? 'git', credentials.password) }
}

/** Without a wish and without a default branch: the first one. */
function chooseRef({ url }: Remote, { head, refs }: RemoteRefs, asked: string | undefined) {
  const ref = asked === undefined || asked === 'HEAD' ? (head ?? [...refs.keys()][0] ?? '') : asked
  // A commit is not listed.
  const commit = refs.get(ref) ?? (/^[0-9a-f]{40}$/.test(ref) ? ref : undefined)
  if (commit !== undefined) return { ref, commit }
  const some = [...refs.keys()].slice(0, 5).join(', ')
  throw invalid('git_ref_missing', `The repository ${url} has no ref ${ref}. Its branches are ${some}.`)
}

function toProbe({ url }: Remote, { head, refs, isCut }: RemoteRefs, ref: string, commit: string): GitProbe {
  const names = new Set([...(head === undefined ? [] : [head]), ...refs.keys()])
  const branches = [...names].filter(name => name.startsWith('refs/heads/'))
  return {
    object: 'git-probe',
    url,
    defaultBranch: head ?? null,
    branches: branches.slice(0, BRANCHES_MAX),
    hasMoreBranches: isCut || branches.length > BRANCHES_MAX,
    ref,
    commit,
  }
}

/** Fetches and plans like an import or an export, so it takes turns with those of its lane. */
export const inItsTurn = <Answer>(
  { tasks }: Pick<Services, 'tasks'>,
  lane: string,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const late = AbortSignal.timeout(CONTENT_MS_MAX)
    tasks.start(lane, async stop => {
      const signal = AbortSignal.any([stop, late])
      try {
        signal.throwIfAborted()
        resolve(await run(signal))
      } catch (reason) {
        reject(late.aborted && !(reason instanceof Failure) ? tooLate(reason) : reason)
      }
    })
  })

const tooLate = (reason: unknown): Failure =>
  unavailable(
    'git_timeout',
    `The content of the repository was not read within ${CONTENT_MS_MAX / 1000} seconds. It can be imported all the same, or tried again.`,
    reason,
  )

type Chosen = {
  readonly remote: Remote
  readonly ref: string
  /** Absent: where the documentation seems to be. */
  readonly root: string | undefined
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Fetches a branch, and answers what an import of it would make. `lane`: what computations are for (`Compute.run`). */
export async function checkRepository(services: Services, lane: string, chosen: Chosen): Promise<Content> {
  const { config, guard } = services
  const { remote, ref, signal, deadlineMs } = chosen
  const folder = probesFolder(config)
  await dropLeftProbes(config)
  const directory = join(folder, newId())
  try {
    const { tree, close } = await git.openCommit({
      ...{ directory, remote, ref, guard, signal, deadlineMs },
      bytesMax: config.repositoryBytesMax,
    })
    try {
      return await readTree(services, lane, tree, chosen)
    } finally {
      close()
    }
  } finally {
    await dropCache(directory)
  }
}

async function readTree(
  services: Services,
  lane: string,
  tree: TreeSource,
  { root: asked, signal }: Chosen,
): Promise<Content> {
  const look = async (root: string): Promise<Content> => {
    const { problems, ...counts } = await checkTree(services, { tree, directory: root, lane, signal })
    return { root, ...counts, problems: [...problems] }
  }
  if (asked !== undefined) return look(asked)
  const entries = await listEntries(tree, '', services.config.repositoryFilesMax, signal)
  const roots = suggestRoots(entries.map(({ path }) => path))
  return { ...(await look(roots[0]?.path ?? '')), roots }
}

export const probesFolder = (config: Pick<Services['config'], 'home'>): string => join(config.home, 'probes')

/** Removes what a process that was killed has left. */
export const dropLeftProbes = (config: Pick<Services['config'], 'home'>): Promise<number> =>
  evictCaches(probesFolder(config), { bytesMax: 0, inUseMs: LEFT_MS, alone: inTurn })
