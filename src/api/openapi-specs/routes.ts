// OpenAPI specifications of an organization, and their versions.
import { Type } from 'typebox'
import { allows } from '../../access/policy.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { orMissing } from '../../base/errors.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { Answer } from '../../http/replies.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { changeVisibility, createSpec, putSpec, removeSpec } from './actions.ts'
import {
  findDocument,
  findRaw,
  findSpec,
  findVersion,
  listSpecs,
  listVersions,
  type SpecRow,
  type VersionRow,
} from './rows.ts'
import {
  BODY_BYTES_MAX,
  CreateOpenAPISpec,
  ListOpenAPISpecs,
  OpenAPISpec,
  OpenAPISpecContent,
  OpenAPISpecRawContent,
  OpenAPISpecs,
  OpenAPISpecVersion,
  OpenAPISpecVersions,
  PutOpenAPISpec,
  SpecSlug,
  UpdateOpenAPISpec,
} from './schema.ts'
import { contentBody, toSpec, toVersion } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

const shared = { tag: 'OpenAPI' } as const
const reading = { ...shared, method: 'GET', may: 'viewOpenAPISpecs', scope: 'openapi:read' } as const
const writing = { ...shared, may: 'createOpenAPISpec', scope: 'openapi:write' } as const

const SpecParams = Type.Object({ specSlug: SpecSlug })
const VersionParams = Type.Object({ specSlug: SpecSlug, versionId: Id('A version of the specification.') })

type SpecContext = {
  readonly context: Pick<Context, 'db' | 'urls' | 'principal' | 'bodies'>
  readonly at: OrganizationAt
}

const VERSION = 'version of this OpenAPI specification'

const getSpec = async ({ context, at }: SpecContext, slug: string): Promise<SpecRow> =>
  orMissing(await findSpec(context.db, at.organization.id, slug), 'OpenAPI specification')

const getVersion = async ({ context }: SpecContext, spec: SpecRow, id: string | null): Promise<VersionRow> =>
  orMissing(id === null ? undefined : await findVersion(context.db, spec.id, id), VERSION)

async function readVersion(from: SpecContext, slug: string, idOf: (spec: SpecRow) => string | null) {
  const spec = await getSpec(from, slug)
  return toVersion(from.context.urls, spec, await getVersion(from, spec, idOf(spec)))
}

const toWire = ({ context, at }: SpecContext, row: SpecRow) => {
  const role = roleInOrganization(context.principal, at.organization.id)
  return toSpec(context.urls, row, allows('organization', 'createOpenAPISpec', role))
}

type Body = 'document' | 'raw'

/** A version never changes, so its answer is cached: it may have many megabytes, which block the database when read. */
async function bodyOf(
  from: SpecContext,
  slug: string,
  idOf: (spec: SpecRow) => string | null,
  body: Body,
): Promise<CachedBody> {
  const spec = await getSpec(from, slug)
  const version = await getVersion(from, spec, idOf(spec))
  return from.context.bodies.get(`openapi ${body} ${version.id}`, async () =>
    orMissing(await BODIES[body](from, spec, version), VERSION),
  )
}

const BODIES = {
  document: async ({ context }: SpecContext, spec: SpecRow, version: VersionRow) => {
    const found = await findDocument(context.db, version.id)
    return found && contentBody(context.urls, spec, version, found)
  },
  raw: ({ context }: SpecContext, _spec: SpecRow, version: VersionRow) => findRaw(context.db, version.id),
} as const

const latest = ({ last_version }: SpecRow): string | null => last_version

export const openapiOperations = mount(
  [inOrganization],
  [
    operation({
      ...reading,
      id: 'listOpenAPISpecs',
      path: '/openapi',
      summary: 'List specifications',
      description: 'Newest first.',
      query: ListOpenAPISpecs,
      reply: OpenAPISpecs,
      run: async ({ context, at, query }) =>
        toList(await listSpecs(context.db, at.organization.id, query), row => toWire({ context, at }, row)),
    }),
    operation({
      ...writing,
      id: 'createOpenAPISpec',
      method: 'POST',
      path: '/openapi',
      summary: 'Add a specification',
      description:
        'OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, in JSON or YAML. It is read after the answer, with the documents that it refers to: `processingState` is then `complete`, and `lastProcessErrorCode` and `lastProcessedErrors` tell what is wrong.',
      body: CreateOpenAPISpec,
      bodyBytesMax: BODY_BYTES_MAX,
      reply: OpenAPISpec,
      status: 201,
      failures: [409],
      run: async ({ context, at, body }) => {
        const row = await createSpec(context, at.organization.id, body.slug, body.source)
        return new Answer(201, toWire({ context, at }, row))
      },
    }),
    operation({
      ...reading,
      id: 'getOpenAPISpecBySlug',
      path: '/openapi/{specSlug}',
      params: SpecParams,
      summary: 'Get a specification',
      reply: OpenAPISpec,
      run: async ({ context, at, params }) =>
        toWire({ context, at }, await getSpec({ context, at }, params.specSlug)),
    }),
    operation({
      ...writing,
      id: 'createOrUpdateOpenAPISpecBySlug',
      method: 'PUT',
      path: '/openapi/{specSlug}',
      params: SpecParams,
      summary: 'Add or replace a specification',
      description: 'An existing specification is read again, from the same source or a new one.',
      body: PutOpenAPISpec,
      bodyBytesMax: BODY_BYTES_MAX,
      reply: OpenAPISpec,
      makes: true,
      failures: [409],
      run: async ({ context, at, params, body }) => {
        const { row, isNew } = await putSpec(context, at.organization.id, params.specSlug, body.source)
        return new Answer(isNew ? 201 : 200, toWire({ context, at }, row))
      },
    }),
    operation({
      ...writing,
      id: 'updateOpenAPISpecBySlug',
      method: 'PATCH',
      path: '/openapi/{specSlug}',
      params: SpecParams,
      summary: 'Change who may read a specification',
      description: '`public`: anybody who has `urls.published` reads it.',
      body: UpdateOpenAPISpec,
      reply: OpenAPISpec,
      sensitive: { when: 'makes it public', is: ({ visibility }) => visibility === 'public' },
      run: async ({ context, at, params, body }) => {
        const { id } = at.organization
        const row = await changeVisibility(context, id, params.specSlug, body.visibility)
        return toWire({ context, at }, orMissing(row, 'OpenAPI specification'))
      },
    }),
    operation({
      ...writing,
      id: 'deleteOpenAPISpecBySlug',
      method: 'DELETE',
      path: '/openapi/{specSlug}',
      params: SpecParams,
      summary: 'Delete a specification',
      description: 'With all of its versions.',
      run: ({ context, at, params }) => removeSpec(context, at.organization.id, params.specSlug),
    }),
    operation({
      ...reading,
      id: 'listOpenAPISpecVersions',
      path: '/openapi/{specSlug}/versions',
      params: SpecParams,
      summary: 'List versions of a specification',
      description: 'Newest first, the last 50. A version is added when the document has changed.',
      query: ListOpenAPISpecs,
      reply: OpenAPISpecVersions,
      run: async ({ context, at, params, query }) => {
        const spec = await getSpec({ context, at }, params.specSlug)
        return toList(await listVersions(context.db, spec.id, query), toVersion, context.urls, spec)
      },
    }),
    operation({
      ...reading,
      id: 'getLatestOpenAPISpecVersion',
      path: '/openapi/{specSlug}/versions/latest',
      params: SpecParams,
      summary: 'Get the newest version',
      reply: OpenAPISpecVersion,
      run: ({ context, at, params }) => readVersion({ context, at }, params.specSlug, latest),
    }),
    operation({
      ...reading,
      id: 'getLatestOpenAPISpecVersionContent',
      path: '/openapi/{specSlug}/versions/latest/content',
      params: SpecParams,
      summary: 'Get the content of the newest version',
      reply: OpenAPISpecContent,
      run: ({ context, at, params }) => bodyOf({ context, at }, params.specSlug, latest, 'document'),
    }),
    operation({
      ...reading,
      id: 'getLatestOpenAPISpecVersionRawContent',
      path: '/openapi/{specSlug}/versions/latest/content/raw',
      params: SpecParams,
      summary: 'Get the source text of the newest version',
      reply: OpenAPISpecRawContent,
      run: ({ context, at, params }) => bodyOf({ context, at }, params.specSlug, latest, 'raw'),
    }),
    operation({
      ...reading,
      id: 'getOpenAPISpecVersionById',
      path: '/openapi/{specSlug}/versions/{versionId}',
      params: VersionParams,
      summary: 'Get a version',
      reply: OpenAPISpecVersion,
      run: ({ context, at, params }) => readVersion({ context, at }, params.specSlug, () => params.versionId),
    }),
    operation({
      ...reading,
      id: 'getOpenAPISpecVersionContentById',
      path: '/openapi/{specSlug}/versions/{versionId}/content',
      params: VersionParams,
      summary: 'Get the content of a version',
      reply: OpenAPISpecContent,
      run: ({ context, at, params }) =>
        bodyOf({ context, at }, params.specSlug, () => params.versionId, 'document'),
    }),
    operation({
      ...reading,
      id: 'getOpenAPISpecVersionRawContentById',
      path: '/openapi/{specSlug}/versions/{versionId}/content/raw',
      params: VersionParams,
      summary: 'Get the source text of a version',
      reply: OpenAPISpecRawContent,
      run: ({ context, at, params }) =>
        bodyOf({ context, at }, params.specSlug, () => params.versionId, 'raw'),
    }),
  ],
)
