// Every space as a git remote: `git clone https://<token>@<host>/git/<space>.git`
// (https://git-scm.com/docs/http-protocol).

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { ownMember } from '../../base/objects.ts'
import type { Services } from '../../http/context.ts'
import { createFairSlots } from '../../platform/fairness/fair-slots.ts'
import { currentParty } from '../../platform/fairness/party.ts'
import { answerRefs } from '../../platform/git/list-refs.ts'
import { git } from '../git-sync/repository.ts'
import { createGate } from './gate.ts'
import { awaitHistory, MAIN_REF, type Remote, refsOf, updateRemote } from './repository.ts'
import { errorHandler, leavingOf, NOT_KEPT, type RemoteRequest, spaceOf } from './requests.ts'
import { PUSH, servePushes } from './serve-pushes.ts'

const FETCH = 'git-upload-pack'
const ASKED_TYPE = `application/x-${FETCH}-request`
// A client with 10,000 commits of its own sends 500 KB.
const ASKED_BYTES_MAX = 4 * 1024 * 1024
// Each is a git process that may use a core and some hundred MB.
const SERVED = { atOnceMax: 4, ofOrganizationMax: 3, ofPersonMax: 3 }
// Git does not retry, so a hundred jobs of one pipeline wait. Proxies give up on a server after a silent minute.
const WAITING = {
  ...{ personWaitingMax: 30, organizationWaitingMax: 50, waitingMax: 100, waitMillisecondsMax: 45_000 },
}

export function serveRemotes(app: FastifyInstance, services: Services): void {
  const gate = createGate(services)
  const places = createFairSlots({ ...SERVED, ...WAITING }, () =>
    unavailable('busy', 'Too many repositories are fetched at once. Try again in a few seconds.'),
  )
  const pushes = servePushes(app, services, gate, places)

  const onRequest = async (request: FastifyRequest<RemoteRequest>) => {
    request.admitted = { context: await gate.admitReader(request), at: null, params: {} }
  }

  const send = async (request: FastifyRequest<RemoteRequest>, reply: FastifyReply, input?: Buffer) => {
    const leaving = leavingOf(reply)
    await awaitHistory(services, spaceOf(request))
    const giveBack = await places.take(currentParty(spaceOf(request)), leaving)
    try {
      const { directory, branches } = await updateRemote(services, spaceOf(request))
      const protocol = protocolOf(request)
      const deadlineMs = services.config.gitSecondsMax * 1000
      const known =
        protocol === NEWEST ? await answerKnown(directory, branches, input, deadlineMs) : undefined
      if (known !== undefined) {
        giveBack()
        return Readable.from([known])
      }
      const answer = await git.servePack({
        directory,
        protocol,
        input,
        deadlineMs,
        signal: leaving,
        onFailure: error => request.log.error({ err: error }, 'a fetch failed'),
      })
      answer.once('close', giveBack)
      return answer
    } catch (error) {
      giveBack()
      throw error
    }
  }

  app.get<RemoteRequest>('/git/:repository/info/refs', {
    onRequest,
    errorHandler,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { service } = request.query
      if (service === PUSH) return pushes.sendRefs(request, reply)
      if (service !== FETCH) throw forbidden(TOO_OLD)
      reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${FETCH}-advertisement` })
      const refs = await send(request, reply)
      return reply.send(protocolOf(request) === NEWEST ? refs : Readable.from(withService(refs)))
    },
  })

  // The body lists what the client has and wants; it is read once the client is admitted.
  app.register(async scope => {
    scope.addContentTypeParser(ASKED_TYPE, app.receiveBody)
    scope.post<RemoteRequest>(`/git/:repository/${FETCH}`, {
      bodyLimit: ASKED_BYTES_MAX,
      onRequest,
      errorHandler,
      async handler(request, reply) {
        const asked = await unzipped(request)
        reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${FETCH}-result` })
        return reply.send(await send(request, reply, asked))
      },
    })
  })
}

const NEWEST = 'version=2'

/** Answers what protocol version 2 asks before objects, without a git process. */
async function answerKnown(
  directory: string,
  branches: Remote['branches'],
  input: Buffer | undefined,
  deadlineMs: number,
): Promise<Buffer | undefined> {
  return input === undefined
    ? await git.readCapabilities({ directory, deadlineMs })
    : answerRefs(input, { branches: refsOf(branches), head: MAIN_REF })
}

const TOO_OLD = 'Fetch with git 1.6.6 or newer: this repository cannot be read file by file.'
/** Other values of the header have no known meaning. */
function protocolOf({ headers }: FastifyRequest<RemoteRequest>): string | undefined {
  const said = headers['git-protocol']
  return typeof said === 'string' && /^version=[012]$/.test(said) ? said : undefined
}

const unzip = promisify(gunzip)

async function unzipped({ headers, body }: FastifyRequest<RemoteRequest>): Promise<Buffer> {
  const encoding = headers['content-encoding']
  if (!Buffer.isBuffer(body)) throw invalid('body_invalid', `Send what git sends, as ${ASKED_TYPE}.`)
  if (encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw invalid('encoding_unknown', 'The body can only be encoded with gzip.')
  try {
    return await unzip(body, { maxOutputLength: ASKED_BYTES_MAX })
  } catch (error) {
    if (ownMember(error, 'code') === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge('body_too_large', `The body has more than ${ASKED_BYTES_MAX} bytes.`)
    throw invalid('body_invalid', 'The body is not gzip.', error)
  }
}

/** Versions 0 and 1 begin their list of refs with the service and the end of a section. */
async function* withService(refs: Readable): AsyncGenerator<Uint8Array> {
  const line = `# service=${FETCH}\n`
  yield Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  yield* refs
}
