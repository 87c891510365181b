// SCIM 2.0 (RFC 7644) of each organization, for its directory. It is a protocol of its own, with its own errors, lists
// and content type, so its routes are none of the operations of the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../base/assert.ts'
import { Failure, missing, orMissing, unauthenticated } from '../../base/errors.ts'
import { isObject } from '../../base/objects.ts'
import { parsePatch } from '../../engines/scim/patch.ts'
import { contextTemplateOf, readBearer } from '../../http/admission.ts'
import type { Services } from '../../http/context.ts'
import { pathOf } from '../../http/request-log.ts'
import type { Origin } from '../../platform/events/append.ts'
import { resourceTypesOf, schemasOf, serviceConfigOf } from './description.ts'
import { invalidPath, invalidSyntax, invalidValue, noTarget, SCIM_TYPE, toScimError } from './failures.ts'
import { changeGroup, createGroup, deleteGroup } from './group-actions.ts'
import { findGroup, findMembersOf } from './group-rows.ts'
import { toScimGroup, versionOfGroup } from './group-wire.ts'
import { LIST_SCHEMA, readListQuery, readProjectionOf } from './list-query.ts'
import { groupsOf, readList, readUsers, usersOf } from './lists.ts'
import { changePerson, createPerson, deletePerson, type ScimContext, type Versions } from './user-actions.ts'
import { findPerson } from './user-rows.ts'
import { groupUrlOf, userUrlOf, versionOf } from './user-wire.ts'
import { SCIM } from './wire.ts'

type Asked = { Params: Record<string, string>; Querystring: Record<string, unknown>; Body: unknown }
type ScimAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | undefined
}
type Handler = (context: ScimContext, request: FastifyRequest<Asked>) => Promise<ScimAnswer>

const contexts = new WeakMap<FastifyRequest<Asked>, ScimContext>()

export function serveScim(app: FastifyInstance, services: Services): void {
  const template = contextTemplateOf(services)
  app.register(
    async scope => {
      scope.addContentTypeParser('application/scim+json', app.readJsonBody)
      scope.setErrorHandler((error, request, reply) => {
        const { isBug, status, headers, body } = toScimError(error, request.method)
        if (isBug) request.log.error({ err: error }, 'bug')
        return reply.code(status).headers(headers).type(SCIM_TYPE).send(JSON.stringify(body))
      })
      scope.addHook<Asked>('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const context = { ...template, ...(await identify(services, request)), requestId: request.id }
        request.admitted = { context, at: null, params: {} }
        contexts.set(request, context)
      })
      for (const [method, path, handler] of ROUTES)
        scope.route<Asked>({
          method,
          url: path,
          handler: async (request, reply) => {
            const context = contexts.get(request)
            assert(context !== undefined, 'onRequest set it')
            return send(reply, await handler(context, request))
          },
        })
      scope.all('/*', async ({ method, url }) => {
        throw new Failure('missing', 'route_missing', `There is no ${method} ${pathOf(url)}.`)
      })
    },
    { prefix: `${SCIM}/:organization` },
  )
}

/** The directory whose token it is, for its own organization. */
async function identify(
  { principals, events }: Pick<Services, 'principals' | 'events'>,
  { headers, params, id, ip }: FastifyRequest<Asked>,
): Promise<Pick<ScimContext, 'principal' | 'events'>> {
  const token = readBearer(headers.authorization ?? '')
  const principal = token === undefined ? undefined : await principals.find(token)
  if (principal?.kind !== 'scim')
    throw unauthenticated('Send a SCIM token that was made for this organization, and is not revoked.')
  if (principal.organizationId !== params.organization) throw missing('organization')
  const origin: Origin = {
    actorKind: 'user',
    source: 'api',
    address: ip,
    tokenId: principal.tokenId,
    requestId: id,
  }
  return { principal, events: events.from(origin) }
}

function send(reply: FastifyReply, { status, headers = {}, body }: ScimAnswer) {
  reply.code(status ?? (body === undefined ? 204 : 200)).headers(headers)
  return body === undefined ? reply.send() : reply.type(SCIM_TYPE).send(JSON.stringify(body))
}

const organizationOf = ({ principal }: ScimContext): string => principal.organizationId
const idOf = ({ params }: FastifyRequest<Asked>): string => params.id ?? ''

async function answerUser(
  context: ScimContext,
  id: string,
  asked: unknown,
  status = 200,
): Promise<ScimAnswer> {
  const organizationId = organizationOf(context)
  const row = orMissing(await findPerson(context.db, organizationId, id), 'user')
  const [body] = await readUsers(context, organizationId, [row], readProjectionOf(asked))
  const location = userUrlOf(context.urls, organizationId, id)
  return { status, headers: { etag: versionOf(row), location }, body }
}

async function answerGroup(
  context: ScimContext,
  id: string,
  asked: unknown,
  status = 200,
): Promise<ScimAnswer> {
  const organizationId = organizationOf(context)
  const row = orMissing(await findGroup(context.db, organizationId, id), 'group')
  const projection = readProjectionOf(asked)
  const location = groupUrlOf(context.urls, organizationId, id)
  if (!projection.shows('members'))
    return {
      status,
      headers: { location },
      body: projection.of(toScimGroup(context.urls, organizationId, row, undefined)),
    }
  const members = (await findMembersOf(context.db, organizationId, [id])).get(id) ?? []
  const etag = versionOfGroup(
    row,
    members.map(member => member.id),
  )
  const body = projection.of(toScimGroup(context.urls, organizationId, row, members))
  return { status, headers: { location, etag }, body }
}

const unlessKnown =
  (get: typeof answerUser): Handler =>
  async (context, request) => {
    const answer = await get(context, idOf(request), request.query)
    const known = readVersions(request.headers['if-none-match'])
    return known?.has(answer.headers?.etag ?? '') ? { status: 304, headers: answer.headers ?? {} } : answer
  }

const replaceUser: Handler = async (context, request) => {
  const operations = readResource(request.body)
  await changePerson(context, idOf(request), operations, versionsOf(request), 'nothing')
  return answerUser(context, idOf(request), request.query)
}

const patchUser: Handler = async (context, request) => {
  const operations = readPatch(request.body)
  await changePerson(context, idOf(request), operations, versionsOf(request), 'current')
  return answerUser(context, idOf(request), request.query)
}

const createUser: Handler = async (context, request) => {
  const { id } = await createPerson(context, readResource(request.body))
  return answerUser(context, id, request.query, 201)
}

const createTeam: Handler = async (context, request) => {
  const { id } = await createGroup(context, readResource(request.body))
  return answerGroup(context, id, request.query, 201)
}

const replaceGroup: Handler = async (context, request) => {
  // What a PUT leaves out is cleared, and only those whom it names are members (RFC 7644 §3.5.1).
  const cleared = readResource({ members: [], externalId: null })
  const operations = [...cleared, ...readResource(request.body)]
  await changeGroup(context, idOf(request), operations, versionsOf(request))
  return answerGroup(context, idOf(request), request.query)
}

/** Answers without a body, as a group may be large (RFC 7644 §3.5.2). */
const patchGroup: Handler = async (context, request) => {
  await changeGroup(context, idOf(request), readPatch(request.body), versionsOf(request))
  return request.query.attributes === undefined
    ? { status: 204 }
    : answerGroup(context, idOf(request), request.query)
}

const one = async (all: readonly { readonly id: string }[], id: string): Promise<ScimAnswer> => ({
  body: orMissing(
    all.find(each => each.id === id),
    'resource',
  ),
})

const all = async (resources: readonly object[]): Promise<ScimAnswer> => ({
  body: {
    schemas: [LIST_SCHEMA],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  },
})

const list =
  (which: 'users' | 'groups' | 'both', from: 'query' | 'body'): Handler =>
  async (context, request) => {
    const organizationId = organizationOf(context)
    const kinds = [
      ...(which === 'groups' ? [] : [usersOf(context, organizationId)]),
      ...(which === 'users' ? [] : [groupsOf(context, organizationId)]),
    ]
    const asked = from === 'query' ? request.query : requireObject(request.body)
    return { body: await readList(kinds, readListQuery(asked)) }
  }

const ROUTES: readonly (readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, Handler])[] = [
  ['GET', '/ServiceProviderConfig', async c => ({ body: serviceConfigOf(c.urls, organizationOf(c)) })],
  ['GET', '/ResourceTypes', c => all(resourceTypesOf(c.urls, organizationOf(c)))],
  [
    'GET',
    '/ResourceTypes/:id',
    (c, request) => one(resourceTypesOf(c.urls, organizationOf(c)), idOf(request)),
  ],
  ['GET', '/Schemas', c => all(schemasOf(c.urls, organizationOf(c)))],
  ['GET', '/Schemas/:id', (c, request) => one(schemasOf(c.urls, organizationOf(c)), idOf(request))],
  ['GET', '/Users', list('users', 'query')],
  ['POST', '/Users', createUser],
  ['POST', '/Users/.search', list('users', 'body')],
  ['GET', '/Users/:id', unlessKnown(answerUser)],
  ['PUT', '/Users/:id', replaceUser],
  ['PATCH', '/Users/:id', patchUser],
  [
    'DELETE',
    '/Users/:id',
    async (context, request) => {
      await deletePerson(context, idOf(request), versionsOf(request))
      return { status: 204 }
    },
  ],
  ['GET', '/Groups', list('groups', 'query')],
  ['POST', '/Groups', createTeam],
  ['POST', '/Groups/.search', list('groups', 'body')],
  ['GET', '/Groups/:id', unlessKnown(answerGroup)],
  ['PUT', '/Groups/:id', replaceGroup],
  ['PATCH', '/Groups/:id', patchGroup],
  [
    'DELETE',
    '/Groups/:id',
    async (context, request) => {
      await deleteGroup(context, idOf(request), versionsOf(request))
      return { status: 204 }
    },
  ],
  ['POST', '/.search', list('both', 'body')],
]

const requireObject = (body: unknown): Readonly<Record<string, unknown>> => {
  if (isObject(body)) return body
  throw invalidSyntax('body: send a JSON object.')
}

/** Each attribute of a resource as a change. */
const readResource = (body: unknown) =>
  readPatch({ Operations: [{ op: 'replace', value: requireObject(body) }] })

const REFUSE = { invalidSyntax, invalidPath, invalidValue, noTarget }

function readPatch(body: unknown) {
  const parsed = parsePatch(requireObject(body))
  if ('problem' in parsed) throw REFUSE[parsed.kind](parsed.problem)
  return parsed.value
}

const versionsOf = ({ headers }: FastifyRequest<Asked>): Versions => readVersions(headers['if-match'])

/** Null: none is named, or any counts. */
const readVersions = (header: string | undefined): Versions =>
  header === undefined || header.trim() === '*'
    ? null
    : new Set(header.split(',').map(version => version.trim()))
