// Every space as a git remote: `git clone https://<token>@<host>/git/<space>.git`
// (https://git-scm.com/docs/http-protocol).
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../base/assert.ts'
import { forbidden, invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { admit } from '../../http/admission.ts'
import type { Services } from '../../http/context.ts'
import { toErrorReply } from '../../http/failures.ts'
import { compileCheck } from '../../http/validation.ts'
import { contentOperations } from '../content/routes.ts'
import { git } from '../git-sync/repository.ts'
import { updateRemote } from './repository.ts'

const FETCH = 'git-upload-pack'
const ASKED_TYPE = `application/x-${FETCH}-request`
// What a client says that has 10,000 commits of its own is 500 KB.
const ASKED_BYTES_MAX = 4 * 1024 * 1024
// Each is a process of git that may use a core and some hundred MB.
const SERVED_MAX = 4

type RemoteRequest = {
  Params: { repository: string }
  Querystring: { service?: string }
  Body: unknown
}

/** Fetching needs what reading the history needs. */
const reading = contentOperations.find(({ id }) => id === 'listRevisions')

export function serveRemotes(app: FastifyInstance, services: Services): void {
  assert(reading !== undefined, 'the history of a space can be read')
  const areParams = compileCheck(reading.params)
  let served = 0

  const onRequest = async (request: FastifyRequest<RemoteRequest>) => {
    await admit(reading, areParams, services, {
      headers: { ...request.headers, authorization: bearerOf(request.headers.authorization) },
      params: { spaceId: spaceOf(request) },
      query: {},
      requestId: request.id,
      address: request.ip,
    })
  }

  const send = async (request: FastifyRequest<RemoteRequest>, reply: FastifyReply, input?: Buffer) => {
    if (served >= SERVED_MAX)
      throw unavailable('busy', 'Too many repositories are fetched at once. Try again in a few seconds.')
    served += 1
    try {
      const answer = await git.servePack({
        directory: await updateRemote(services, spaceOf(request)),
        protocol: protocolOf(request),
        input,
        deadlineMs: services.config.gitSecondsMax * 1000,
        signal: leavingOf(reply),
        onFailure: error => request.log.error({ err: error }, 'a fetch failed'),
      })
      answer.once('close', () => {
        served -= 1
      })
      return answer
    } catch (error) {
      served -= 1
      throw error
    }
  }

  app.get<RemoteRequest>('/git/:repository/info/refs', {
    onRequest,
    errorHandler,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const { service } = request.query
      if (service !== FETCH) throw forbidden(service === undefined ? TOO_OLD : READ_ONLY)
      reply.headers({ ...NOT_KEPT, 'content-type': `application/x-${FETCH}-advertisement` })
      const refs = await send(request, reply)
      return reply.send(protocolOf(request) === 'version=2' ? refs : Readable.from(withService(refs)))
    },
  })

  // Its body is what the client has and wants; everybody else is refused before a byte of it is read.
  app.register(async scope => {
    scope.addContentTypeParser(
      ASKED_TYPE,
      { parseAs: 'buffer', bodyLimit: ASKED_BYTES_MAX },
      (_request, body, done) => done(null, body),
    )
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

  app.post<RemoteRequest>('/git/:repository/git-receive-pack', {
    onRequest,
    errorHandler,
    handler: async () => {
      throw forbidden(READ_ONLY)
    },
  })
}

/** Aborted when the client has left. */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(new Error('the client has left'))
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return leaving.signal
}

const NOT_KEPT = { 'cache-control': 'no-cache' } as const
const TOO_OLD = 'Fetch with git 1.6.6 or newer: this repository cannot be read file by file.'
const READ_ONLY =
  'This repository can be fetched and not pushed to. Write through the API or the workspace, or import from a repository of your own.'

const spaceOf = ({ params }: FastifyRequest<RemoteRequest>): string => params.repository.replace(/\.git$/, '')

/** Of what clients say only this is known to mean something. */
function protocolOf({ headers }: FastifyRequest<RemoteRequest>): string | undefined {
  const said = headers['git-protocol']
  return typeof said === 'string' && /^version=[012]$/.test(said) ? said : undefined
}

/** Git sends names and passwords (RFC 7617): the token is the password, or the name where there is none. */
function bearerOf(header: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return header
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  const password = colon === -1 ? '' : text.slice(colon + 1)
  return `Bearer ${password === '' ? text.slice(0, colon === -1 ? undefined : colon) : password}`
}

const unzip = promisify(gunzip)

async function unzipped({ headers, body }: FastifyRequest<RemoteRequest>): Promise<Buffer> {
  const encoding = headers['content-encoding']
  if (!Buffer.isBuffer(body)) throw invalid('body_invalid', `Send what git sends, as ${ASKED_TYPE}.`)
  if (encoding === undefined || encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw invalid('encoding_unknown', 'The body may be encoded with gzip, and with nothing else.')
  try {
    return await unzip(body, { maxOutputLength: ASKED_BYTES_MAX })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge('body_too_large', `The body has more than ${ASKED_BYTES_MAX} bytes.`)
    throw invalid('body_invalid', 'The body is no gzip.', error)
  }
}

/** What versions 0 and 1 begin their list of refs with: the service, and the end of a section. */
async function* withService(refs: Readable): AsyncGenerator<Uint8Array> {
  const line = `# service=${FETCH}\n`
  yield Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  yield* refs
}

/** As text, which git shows to who called it. */
function errorHandler(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, body, isBug } = toErrorReply(error)
  if (isBug) request.log.error({ err: error }, 'unexpected')
  const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="octavo"' } : {}
  return reply
    .code(status)
    .headers({ ...headers, ...challenge, 'content-type': 'text/plain; charset=utf-8' })
    .send(`${body.error.message}\n`)
}
