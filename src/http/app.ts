// The frame: operations become routes of a Fastify server, and every one makes its decisions in the same order.
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { assert } from '../base/assert.ts'
import { Failure, missing } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { actForVisitor } from '../platform/fairness/party.ts'
import { type AdmittedRequest, admit, contextTemplateOf, nounOf } from './admission.ts'
import { readTarget, requireOwnHost } from './asked-host.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { CachedBody, sendCachedBody } from './cached-body.ts'
import { type ClientAborts, trackClientAborts } from './client-abort.ts'
import { requireConfirmedFor } from './confirmation.ts'
import type { Context, Services } from './context.ts'
import { closeConnectionsInDrain } from './drain.ts'
import { type ErrorPage, wantsPage } from './error-pages.ts'
import { toErrorReply } from './failures.ts'
import { answerOnce, KEY_WAIT_MS, readKey } from './idempotency.ts'
import { IGNORED_HEADER, IgnoredFields } from './ignored-fields.ts'
import { readJsonBodies } from './json-body.ts'
import { knownCallers } from './known-callers.ts'
import type { Input, Operation } from './operation.ts'
import {
  type Load,
  MONITORING_PATHS,
  refuseOverload,
  refuseWhenDiskIsFull,
  yieldBeforeHandlers,
} from './overload.ts'
import { type LimitCounts, limitRate } from './rate-limit.ts'
import { REVISION_HEADER, revisionReadBy } from './read-revision.ts'
import { receiveBodies } from './receive-body.ts'
import { Answer, asJson, Download, deleted, JSON_TYPE, type Rendered, replyWriter } from './replies.ts'
import { countRequests, type RequestCounts } from './request-counts.ts'
import { loggableUrlOf, logRequests, pathOf } from './request-log.ts'
import { traceRequests } from './request-spans.ts'
import { limitRequestTime, SLOW_REQUEST_MS_MAX } from './request-time.ts'
import { sendDownload, sendStream } from './streams.ts'
import { passBodiesThrough, uploadBodyOf } from './upload-body.ts'
import { bodyReader, compileCheck, noBodyReader, queryReader } from './validation.ts'
import { isOfWorkspace, VARY_BY_CALLER } from './workspace-session.ts'

export const BODY_BYTES_MAX = 1024 * 1024
const HEADER_BYTES_MAX = 16 * 1024
const HEADERS_MS_MAX = 15_000
const URL_PART_CHARACTERS_MAX = 1024

declare module 'fastify' {
  interface FastifyInstance {
    readonly load: Load
    /** What was answered and what was refused since the start. */
    readonly traffic: { requests(): RequestCounts; limits(): LimitCounts }
  }
  interface FastifyRequest {
    /** Set by admission, before the body is read. */
    admitted: AdmittedRequest | null
  }
}

/**
 * A server with every operation below `/v1`. Nothing listens yet; other routes may still be added. `errorPage`
 * renders refusals for browsers; without it everybody gets JSON. `keyWaitMs`: how long a repeated request waits for
 * the original.
 */
export function buildApp(
  operations: readonly Operation[],
  services: Services,
  errorPage?: ErrorPage,
  keyWaitMs = KEY_WAIT_MS,
): FastifyInstance {
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(error, request, reply, wantsPage(request) ? errorPage : undefined)
  const log: FastifyBaseLogger = services.log
  const app = Fastify({
    loggerInstance: log,
    // One line per request, written by `logRequests`, instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: SLOW_REQUEST_MS_MAX,
    trustProxy: services.config.trustProxy,
    rewriteUrl: readTarget,
    genReqId: request => readRequestId(request.headers['x-request-id']) ?? newId(),
    routerOptions: { maxParamLength: URL_PART_CHARACTERS_MAX, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // A connection that was idle when the listener closed has one more answer; Fastify's own 503 has another shape.
    return503OnClosing: false,
    http: { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: HEADERS_MS_MAX },
    clientErrorHandler: answerBrokenRequest,
    // The reply of any route; `refuse` uses nothing specific to one.
    frameworkErrors: (error, request, reply) => refuse(error, request, reply as FastifyReply),
  })
  logRequests(app, services.log)
  const requests = countRequests(app)
  traceRequests(app, services.config)
  app.decorateRequest('admitted', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  closeConnectionsInDrain(app)
  requireOwnHost(app, services.config)
  receiveBodies(app)
  readJsonBodies(app, services.compute)
  limitRequestTime(app)
  app.addHook('onRequest', (request, _reply, done) => actForVisitor(request.ip, done))
  // The request sees everything that other processes wrote before it arrived.
  app.addHook('onRequest', (request, _reply, done) => {
    // Whether the process is alive is answered whatever the database does.
    if (MONITORING_PATHS.has(pathOf(request.url))) return done()
    const heard = services.changes.catchUp()
    if (heard === undefined) done()
    else heard.then(() => done(), done)
  })
  app.decorate(
    'load',
    refuseOverload(app, () => sql`select 1`.execute(services.db)),
  )
  // Requests that wait here count as under way.
  yieldBeforeHandlers(app)
  const limits = limitRate(app, services.config, knownCallers(services), services.changes, services.log)
  app.decorate('traffic', { requests, limits })
  refuseWhenDiskIsFull(app, services.config, services.databaseRoom)
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) =>
    refuse(
      new Failure('missing', 'route_missing', `There is no ${request.method} ${pathOf(request.url)}.`),
      request,
      reply,
    ),
  )
  const leaving = trackClientAborts(app)
  const template = contextTemplateOf(services)
  const add = (to: FastifyInstance, some: readonly Operation[]) => {
    for (const operation of some) addRoute(to, operation, template, leaving, keyWaitMs)
  }
  add(
    app,
    operations.filter(({ isUpload }) => !isUpload),
  )
  app.register(async uploads => {
    passBodiesThrough(uploads)
    add(
      uploads,
      operations.filter(({ isUpload }) => isUpload),
    )
  })
  return app
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  template: Context,
  leaving: ClientAborts,
  keyWaitMs: number,
): void {
  const areParams = compileCheck(operation.params)
  const readQuery = queryReader(operation.query ?? Type.Object({}))
  const readBody = operation.isUpload
    ? (value: unknown) => value
    : operation.body === undefined
      ? noBodyReader()
      : bodyReader(operation.body, operation.isBodyOptional)
  const write = operation.reply && replyWriter(operation.reply)
  const render = rendererOf(operation, write)
  const rest = /\{(\w+)\*\}$/.exec(operation.path)?.[1]
  app.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
    method: operation.method,
    url: `/v1${operation.path.replace(/\{(\w+)\*\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
    // Answering HEAD would produce the whole stream.
    ...(operation.isStream || operation.isDownload ? { exposeHeadRoute: false } : {}),
    config: {
      ...(operation.isAddressSecret ? { isAddressSecret: true } : {}),
      ...(operation.foldsDocuments ? { foldsDocuments: true } : {}),
      ...(operation.isStream ? { isOpenEnded: true } : {}),
    },
    onRequest: (request, reply, done) => {
      // A shared cache may keep what no token was sent for (RFC 9111 §3.5).
      if (isOfWorkspace(request.headers)) reply.headers({ 'cache-control': PRIVATE, vary: VARY_BY_CALLER })
      const caller = {
        headers: request.headers,
        params: nameRest(request.params, rest),
        query: request.query,
        requestId: request.id,
        address: request.ip,
      }
      admit(operation, areParams, template, caller).then(admitted => {
        request.admitted = admitted
        done()
      }, done)
    },
    handler: async (request, reply) => {
      assert(request.admitted !== null, 'onRequest set it')
      const { context, at, params } = request.admitted
      const key = readKey(operation, context, request.headers['idempotency-key'])
      const ignored = new IgnoredFields()
      const query = readQuery(request.query, ignored)
      const body = readBody(operation.isUpload ? uploadBodyOf(request) : request.body, ignored)
      requireConfirmedFor(operation, context.principal, body)
      const names = ignored.toHeader()
      if (names !== undefined) reply.header(IGNORED_HEADER, names)
      const revision = revisionReadBy(operation)?.(at)
      if (revision !== undefined) reply.header(REVISION_HEADER, revision)
      const asked = new RequestInput(context, at, params, query, body, () => leaving.signalOf(reply))
      // A stream is declared with the type it yields, and with a reply.
      if (operation.isStream)
        return sendStream(
          reply,
          request,
          (await operation.run(asked)) as AsyncIterable<unknown>,
          write as Write,
        )
      if (key === undefined) return send(reply, request, render, await operation.run(asked))
      const answer = await answerOnce(key, operation, asked, keyWaitMs, async marking =>
        render(await operation.run(asked.with(marking))),
      )
      return sendRendered(reply, answer)
    },
    errorHandler: (error, request, reply) => {
      if (operation.absent === 'done' && isAbsent(error, operation))
        return send(reply, request, render, deleted())
      return sendError(error, request, reply)
    },
  })
}

/** Few operations use the signal, so it is created on demand. */
class RequestInput implements Input<unknown, unknown, unknown, unknown> {
  readonly context: Context
  readonly at: unknown
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly #makeSignal: () => AbortSignal

  constructor(
    context: Context,
    at: unknown,
    params: unknown,
    query: unknown,
    body: unknown,
    makeSignal: () => AbortSignal,
  ) {
    this.context = context
    this.at = at
    this.params = params
    this.query = query
    this.body = body
    this.#makeSignal = makeSignal
  }

  get signal(): AbortSignal {
    return this.#makeSignal()
  }

  with(context: Context): RequestInput {
    return new RequestInput(context, this.at, this.params, this.query, this.body, this.#makeSignal)
  }
}

/** Fastify names the rest of a path `*`; the operation has its own name for it. */
function nameRest(params: Record<string, string>, rest: string | undefined): Record<string, string> {
  if (rest === undefined) return params
  const { '*': value, ...others } = params
  return { ...others, [rest]: value ?? '' }
}

const isAbsent = (error: unknown, operation: Operation): boolean =>
  error instanceof Failure && error.kind === 'missing' && error.code === missing(nounOf(operation)).code

/** A private cache may keep an answer, but revalidates it each time (RFC 9111 §5.2.2.4). */
const PRIVATE = 'private, no-cache'

function send(reply: FastifyReply, request: FastifyRequest, render: Renderer, result: unknown) {
  if (result instanceof CachedBody) return sendValidated(reply, request, result)
  if (result instanceof Download) return sendDownload(reply, result)
  const rendered = render(result)
  const { status, headers, body } = rendered
  // What is read again and again to see whether it changed costs no bytes while it has not.
  if (!READS.has(request.method) || status !== 200 || typeof body !== 'string' || 'cache-control' in headers)
    return sendRendered(reply, rendered)
  return sendValidated(reply.headers(headers), request, new CachedBody(Buffer.from(body), JSON_TYPE))
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

function sendValidated(reply: FastifyReply, request: FastifyRequest, body: CachedBody) {
  reply.headers({ 'cache-control': PRIVATE, vary: `${VARY_BY_CALLER}, Accept-Encoding` })
  return sendCachedBody(reply, request, body)
}

type Renderer = (result: unknown) => Rendered
type Write = (value: unknown) => string

/** Renders an operation's answer with its reply schema. */
function rendererOf(operation: Operation, write: Write | undefined): Renderer {
  return result => {
    if (result instanceof CachedBody) {
      const { bytes, etag, contentType } = result
      return { status: operation.status, headers: { etag, 'content-type': contentType }, body: bytes }
    }
    const { status, headers, body } = result instanceof Answer ? result : new Answer(operation.status, result)
    if (body === undefined) return { status, headers, body: undefined }
    assert(write !== undefined, `${operation.id} declares what it answers`)
    return asJson(status, headers, write(body))
  }
}

const sendRendered = (reply: FastifyReply, { status, headers, body }: Rendered) =>
  reply.code(status).headers(headers).send(body)

/** As a page if `errorPage` renders one, else as JSON. */
async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorPage?: ErrorPage,
) {
  const { isBug, ...refusal } = toErrorReply(error)
  const { status, headers, body } = refusal
  if (isBug) request.log.error({ err: error, method: request.method, url: loggableUrlOf(request) }, 'bug')
  else if ((status === 503 || status === 507) && !reply.raw.destroyed)
    request.log.warn({ err: error }, 'unavailable')
  reply.header('x-request-id', request.id)
  if (errorPage !== undefined) {
    try {
      const page = await errorPage(request, refusal)
      return reply.code(status).headers(page.headers).send(page.body)
    } catch (why) {
      request.log.error({ err: why }, 'a refusal could not be rendered')
    }
  }
  return sendRendered(reply, asJson(status, headers, JSON.stringify(body)))
}

const readRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined
