// Answers `git push`: the existing refs, then the result of each pushed one.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../base/assert.ts'
import { conflict, Failure, invalid, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Context, Services } from '../../http/context.ts'
import { readAtPace, UPLOAD_PACE } from '../../http/request-time.ts'
import { createFairSlots } from '../../platform/fairness/fair-slots.ts'
import { currentParty } from '../../platform/fairness/party.ts'
import { PktReader } from '../../platform/git/pkt-lines.ts'
import {
  type RefCommand,
  type RefResult,
  readCommands,
  renderRefs,
  renderReport,
} from '../../platform/git/receive-commands.ts'
import { VERSION } from '../../platform/version.ts'
import { createUploadPlaces } from '../edits/request/upload-places.ts'
import { git } from '../git-sync/repository.ts'
import { refuseLocked } from '../heads/write.ts'
import { getUndeletedSpace } from '../spaces/rows.ts'
import { isBranchName, isFree, isNumbered } from './branches.ts'
import type { FetchPlaces } from './fetch-places.ts'
import type { Gate } from './gate.ts'
import { keptAlive } from './kept-alive.ts'
import { type BranchUpdate, type Pushed, pushBranch } from './push.ts'
import { awaitHistory, type Remote, refsOf, updateRemote } from './repository.ts'
import { errorHandler, leavingOf, NOT_KEPT, type RemoteRequest, spaceOf } from './requests.ts'

export const PUSH = 'git-receive-pack'

// Each is streamed at the pace of its client to a git process.
const PUSHES_MAX = 8
const PUSHES_OF_ONE_MAX = 4
// Git may check each for two minutes, so an organization leaves places to others.
const PUSHES_OF_ORGANIZATION_MAX = 5
// Each is an import. Every push that was received has a place to wait.
const APPLIED = {
  ...{ atOnceMax: 2, ofOrganizationMax: 1 },
  ...{ personWaitingMax: PUSHES_MAX, organizationWaitingMax: PUSHES_MAX, waitingMax: PUSHES_MAX },
}
const PUSH_BYTES_MAX = 200 * 1024 * 1024
const OBJECTS_MAX = 100_000
// A few kilobytes of deltas can ask for hours of a core.
const CHECK_MS_MAX = 120_000

type PushRequest = FastifyRequest<RemoteRequest>

/** @param fetches the places that clients wait for while commits are made */
export function servePushes(app: FastifyInstance, services: Services, gate: Gate, fetches: FetchPlaces) {
  const folder = join(services.config.home, 'pushes')
  // Left by a killed process.
  const cleaned = rm(folder, { recursive: true, force: true })
  cleaned.catch(() => {})
  const applied = createFairSlots(APPLIED)
  const places = createUploadPlaces(PUSHES_MAX, PUSHES_OF_ONE_MAX)
  const ofOrganizations = createUploadPlaces(PUSHES_MAX, PUSHES_OF_ORGANIZATION_MAX)
  const busy = () => unavailable('busy', 'Too many pushes at once. Push again in a few seconds.')

  // The body is streamed, once its sender is admitted.
  app.register(async scope => {
    scope.addContentTypeParser(`application/x-${PUSH}-request`, (_request, body, done) => done(null, body))
    scope.post<RemoteRequest>(`/git/:repository/${PUSH}`, {
      onRequest: async request => {
        request.admitted = { context: await gate.admitWriter(request), at: null, params: {} }
      },
      errorHandler,
      async handler(request, reply) {
        assert(request.admitted !== null, 'onRequest set it')
        const user = userOf(request.admitted.context)
        const party = currentParty(spaceOf(request))
        if (!places.take(user)) throw busy()
        if (!ofOrganizations.take(party.organization)) {
          places.giveBack(user)
          throw busy()
        }
        const end = () => {
          places.giveBack(user)
          ofOrganizations.giveBack(party.organization)
        }
        try {
          await cleaned
          const received = await receive(services, gate, request, leavingOf(reply), join(folder, newId()))
          const report = received.checked.then(apply => applied.run(party, apply))
          report.finally(end).catch(() => {})
          reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${PUSH}-result` })
          return reply.send(Readable.from(received.hasBands ? keptAlive(report) : once(report)))
        } catch (error) {
          end()
          throw error
        }
      },
    })
  })

  return {
    /** The first answer to a push. */
    async sendRefs(request: PushRequest, reply: FastifyReply) {
      const user = userOf(await gate.admitWriter(request))
      if (!places.hasRoom(user)) throw busy()
      const leaving = leavingOf(reply)
      await awaitHistory(services, spaceOf(request))
      const giveBack = await fetches.take(user, leaving)
      const { branches } = await updateRemote(services, spaceOf(request)).finally(giveBack)
      reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${PUSH}-advertisement` })
      return reply.send(renderRefs(refsOf(branches), `octavo/${VERSION}`))
    },
  }
}

type Received = {
  readonly hasBands: boolean
  /** Resolves once git has checked the pack, to a function that applies the push and returns the report. */
  readonly checked: Promise<() => Promise<Buffer>>
}

const userOf = ({ principal }: Context): string => {
  assert(principal.kind === 'user', 'nobody else is admitted')
  return principal.user.id
}

/** Reads the whole body. Git may still be checking it afterwards. */
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
    return { hasBands: false, checked: Promise.resolve(async () => Buffer.alloc(0)) }
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
  const clean = () => rm(directory, { recursive: true, force: true })
  const { promise: isHere, resolve: arrive } = Promise.withResolvers<void>()
  const taken = git
    .takePack({
      ...{ directory, upon: remote.directory, input: tellingEnd(reader.rest(), arrive), signal },
      bytesMax: PUSH_BYTES_MAX,
      objectsMax: OBJECTS_MAX,
      arrivalMsMax: UPLOAD_PACE.totalMsMax,
      deadlineMs: Math.min(CHECK_MS_MAX, services.config.gitSecondsMax * 1000),
    })
    .finally(arrive)
  const checked = taken.then(
    pack => async () => {
      try {
        const pushed = { remote, directory, pack, signal }
        return renderReport(said, await pushAll(request, checkedCommands, pushed))
      } finally {
        await clean()
      }
    },
    async error => {
      await clean()
      const reason = reasonOf(request, error)
      const results = checkedCommands.map(({ ref }) => ({ ref, refused: reason }))
      return async () => renderReport(said, { unpackFailure: reason, results, messages: [] })
    },
  )
  checked.catch(() => {})
  // Some clients read the answer only after they have sent everything.
  await isHere
  return { hasBands: said.hasBands, checked }
}

async function* tellingEnd<T>(items: AsyncIterable<T>, tell: () => void): AsyncGenerator<T> {
  yield* items
  tell()
}

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

function reasonOf(request: PushRequest, error: unknown): string {
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
