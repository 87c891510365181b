// Answers `git push`: the existing refs, then the result of each pushed one.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { conflict, diskFull, Failure, invalid, isDiskFull, tooLarge, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Context, Services } from '../../http/context.ts'
import { readAtPace, UPLOAD_PACE } from '../../http/request-time.ts'
import { createFairSlots, type FairSlots } from '../../platform/fairness/fair-slots.ts'
import { currentParty } from '../../platform/fairness/party.ts'
import { PktReader } from '../../platform/git/pkt-lines.ts'
import {
  type RefCommand,
  type RefResult,
  readCommands,
  renderRefs,
  renderReport,
} from '../../platform/git/receive-commands.ts'
import type { ReceivedPack } from '../../platform/git/receive-pack.ts'
import type { TakenPack } from '../../platform/git/take-pack.ts'
import { VERSION } from '../../platform/version.ts'
import { git } from '../git-sync/repository.ts'
import { refuseLocked } from '../heads/write.ts'
import { getUndeletedSpace } from '../spaces/rows.ts'
import { isBranchName, isFree, isNumbered } from './branches.ts'
import type { Gate } from './gate.ts'
import { keptAlive } from './kept-alive.ts'
import { type BranchUpdate, type Pushed, pushBranch } from './push.ts'
import { awaitHistory, type Remote, refsOf, updateRemote } from './repository.ts'
import { errorHandler, leavingOf, NOT_KEPT, type RemoteRequest, spaceOf } from './requests.ts'

export const PUSH = 'git-receive-pack'

// Each holds a file of up to PUSH_BYTES_MAX while it arrives, at the pace of its client, and until it is reported.
// Several organizations have to push at once, and slowly, to take all places.
const PUSHES = {
  ...{ atOnceMax: 16, ofOrganizationMax: 3, ofPersonMax: 2 },
  ...{ personWaitingMax: 4, organizationWaitingMax: 12, waitingMax: 48, waitMillisecondsMax: 45_000 },
}
// Each is a git process that uses a core, and then an import. Every push that was received has a place to wait.
const APPLIED = {
  ...{ atOnceMax: 2, ofOrganizationMax: 1 },
  ...{ personWaitingMax: 16, organizationWaitingMax: 16, waitingMax: 16 },
}
const PUSH_BYTES_MAX = 200 * 1024 * 1024
const OBJECTS_MAX = 100_000
// A large file that many commits change a little unpacks to a thousand times its deltas; two gigabytes take git ten
// seconds.
const UNPACKED_BYTES_MIN = 512 * 1024 * 1024
const UNPACKED_BYTES_OF_BYTE = 100
const UNPACKED_BYTES_MAX = 2048 * 1024 * 1024
const CHECK_MS_MAX = 120_000

type PushRequest = FastifyRequest<RemoteRequest>

/** @param fetches the places that clients wait for while commits are made */
export function servePushes(app: FastifyInstance, services: Services, gate: Gate, fetches: FairSlots) {
  const folder = join(services.config.home, 'pushes')
  // Left by a killed process. What cannot be removed takes room, and nothing else.
  const cleaned = rm(folder, { recursive: true, force: true }).catch(() => {})
  const places = createFairSlots(PUSHES, () =>
    unavailable('busy', 'Too many pushes at once. Push again in a few seconds.'),
  )
  const applied = createFairSlots(APPLIED)

  // The body is streamed, once its sender is admitted.
  app.register(async scope => {
    scope.addContentTypeParser(`application/x-${PUSH}-request`, (_request, body, done) => done(null, body))
    scope.post<RemoteRequest>(`/git/:repository/${PUSH}`, {
      onRequest: async request => {
        request.admitted = { context: await gate.admitWriter(request), at: null, params: {} }
      },
      errorHandler,
      async handler(request, reply) {
        const party = currentParty(spaceOf(request))
        const leaving = leavingOf(reply)
        const giveBack = await places.take(party, leaving)
        try {
          await cleaned
          const received = await receive(services, gate, request, leaving, join(folder, newId()))
          const report = applied.run(party, received.apply).finally(received.clean)
          report.finally(giveBack).catch(() => {})
          reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${PUSH}-result` })
          return reply.send(Readable.from(received.hasBands ? keptAlive(report) : once(report)))
        } catch (error) {
          giveBack()
          throw error
        }
      },
    })
  })

  return {
    /** The first answer to a push. */
    async sendRefs(request: PushRequest, reply: FastifyReply) {
      await gate.admitWriter(request)
      await awaitHistory(services, spaceOf(request))
      const giveBack = await fetches.take(currentParty(spaceOf(request)), leavingOf(reply))
      const { branches } = await updateRemote(services, spaceOf(request)).finally(giveBack)
      reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${PUSH}-advertisement` })
      return reply.send(renderRefs(refsOf(branches), `octavo/${VERSION}`))
    },
  }
}

type Received = {
  readonly hasBands: boolean
  /** Checks the pack, applies the push, and returns the report. */
  readonly apply: () => Promise<Buffer>
  readonly clean: () => Promise<void>
}

/** Reads the whole body: some clients read the answer only after they have sent everything. */
async function receive(
  services: Services,
  gate: Gate,
  request: PushRequest,
  signal: AbortSignal,
  directory: string,
): Promise<Received> {
  const { headers, body } = request
  if (!(body instanceof Readable)) throw invalid('body_invalid', 'Send what git sends.')
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw invalid('encoding_unknown', 'The body may not be encoded.')
  const reader = new PktReader(readAtPace(body, UPLOAD_PACE))
  const said = await readCommands(reader)
  // The client only asks whether it is admitted.
  if (said.commands.length === 0)
    return { hasBands: false, apply: async () => Buffer.alloc(0), clean: async () => {} }
  const remote = await updateRemote(services, spaceOf(request))
  const checkedCommands: (BranchUpdate | RefResult)[] = []
  for (const [at, command] of said.commands.entries()) {
    const isRepeated = said.commands.findIndex(({ ref }) => ref === command.ref) < at
    checkedCommands.push(
      isRepeated
        ? { ref: command.ref, refused: 'this branch is named twice' }
        : await checkCommand(services, gate, request, remote, command),
    )
  }
  const arrival = { directory, input: reader.rest(), signal }
  const pack = await git
    .receivePack({ ...arrival, bytesMax: PUSH_BYTES_MAX, objectsMax: OBJECTS_MAX })
    .then(value => ({ value }))
    .catch((error: unknown) => ({ error }))
  const apply = async () => {
    try {
      if ('error' in pack) throw pack.error
      const taken = await checkPack(services, spaceOf(request), pack.value, remote, signal)
      const pushed = { remote, directory, pack: taken, signal }
      return renderReport(said, await pushAll(request, checkedCommands, pushed))
    } catch (error) {
      const reason = reasonOf(request, error)
      const results = checkedCommands.map(({ ref }) => ({ ref, refused: reason }))
      return renderReport(said, { unpackFailure: reason, results, messages: [] })
    }
  }
  const clean = () => rm(directory, { recursive: true, force: true })
  return { hasBands: said.hasBands, apply, clean }
}

/** Refuses a pack that takes too much work, before git reads it. */
async function checkPack(
  { compute, config }: Services,
  spaceId: string,
  received: ReceivedPack,
  remote: Remote,
  signal: AbortSignal,
): Promise<TakenPack> {
  signal.throwIfAborted()
  if (received.objects > 0) {
    const bytesMax = Math.min(
      UNPACKED_BYTES_MAX,
      UNPACKED_BYTES_MIN + UNPACKED_BYTES_OF_BYTE * received.bytes,
    )
    const measured = await compute.run('unpackedSize', spaceId, { path: received.path, bytesMax })
    if (measured.kind === 'beyond')
      throw tooLarge('push_too_large', 'This push takes too much work to be read. Push in smaller steps.')
    if (measured.value === undefined)
      throw invalid('pack_invalid', 'The pushed data is broken, or is not a git pack.')
    if (measured.value > bytesMax)
      throw tooLarge(
        'push_too_large',
        `A push of ${inMebibytes(received.bytes)} may unpack to at most ${inMebibytes(bytesMax)}, and this one has ${inMebibytes(measured.value)} or more. Push in smaller steps.`,
      )
  }
  const deadlineMs = Math.min(CHECK_MS_MAX, config.gitSecondsMax * 1000)
  return git.takePack({ received, upon: remote.directory, deadlineMs, signal })
}

const inMebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`

async function pushAll(
  request: PushRequest,
  checkedCommands: readonly (BranchUpdate | RefResult)[],
  pushed: Pushed,
) {
  const results: RefResult[] = []
  const messages: string[] = []
  for (const each of checkedCommands) {
    if (!('context' in each)) results.push(each)
    else {
      const { ref } = each
      try {
        messages.push(...(await pushBranch(each, pushed)))
        results.push({ ref })
      } catch (error) {
        results.push({ ref, refused: reasonOf(request, error) })
      }
    }
  }
  return { results, messages }
}

function reasonOf(request: PushRequest, thrown: unknown): string {
  const error = isDiskFull(thrown) ? diskFull(thrown) : thrown
  if (!(error instanceof Failure)) {
    request.log.error({ err: error, route: request.routeOptions.url }, 'bug')
    return 'something went wrong on the server, and nothing was changed'
  }
  request.log.info({ code: error.code, err: error.cause }, 'a push was refused')
  return IN_WORDS_OF_GIT[error.code] ?? error.message
}

const FETCH_FIRST = 'fetch first: the branch has changes that you do not have'

/** What the person who pushes can do about a failure, by code. */
const IN_WORDS_OF_GIT: Readonly<Record<string, string>> = {
  head_moved: FETCH_FIRST,
  space_locked:
    'this space takes no direct edits: push the commits to a branch of another name, which opens a change request, and merge that',
}

/** Refuses the command if that is possible before its commits are read. */
async function checkCommand(
  services: Services,
  gate: Gate,
  request: PushRequest,
  { branches }: Remote,
  { ref, from, to }: RefCommand,
): Promise<BranchUpdate | RefResult> {
  try {
    if (to === undefined)
      throw conflict('branch_not_deleted', 'a push deletes no branch: archive or merge its change request')
    const [, name] = /^refs\/heads\/(.+)$/.exec(ref) ?? []
    if (name === undefined) throw invalid('ref_invalid', 'only branches can be pushed to a space')
    const branch = branches.find(each => each.name === name)
    if (branch?.oid !== from) throw conflict('head_moved', branch === undefined ? CLOSED : FETCH_FIRST)
    const spaceId = spaceOf(request)
    const wants = async (admit: () => Promise<Context>): Promise<BranchUpdate> => ({
      ...{ ref, name, spaceId, branch, oid: to, admit },
      context: await admit(),
    })
    if (branch === undefined) {
      requireName(name, branches)
      return await wants(() => gate.admitOpening(request))
    }
    if (branch.number === null) {
      const wanted = await wants(() => gate.admitLiveEdit(request))
      refuseLocked(await getUndeletedSpace(services.db, spaceId))
      return wanted
    }
    const params = { changeRequestId: String(branch.number) }
    return await wants(() => gate.admitChangeRequest(request, params))
  } catch (error) {
    return { ref, refused: reasonOf(request, error) }
  }
}

const CLOSED = 'fetch first: its change request was merged or archived'

function requireName(name: string, branches: Remote['branches']): void {
  if (isNumbered(name))
    throw conflict(
      'change_request_closed',
      'no change request with this number is open: push to a branch of another name to open a new one',
    )
  if (!isBranchName(name))
    throw invalid('branch_name_invalid', 'a branch cannot have this name: choose a shorter or simpler one')
  const taken = branches.map(each => each.name)
  if (!isFree(name, taken))
    throw conflict('branch_exists', 'this name is above or below that of another branch: choose another')
}

async function* once(report: Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await report
}
