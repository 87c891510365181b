// Converts rows of OpenAPI specifications to their wire format.
import type { Urls } from '../../http/urls.ts'
import type { SpecRow, VersionRow } from './rows.ts'
import type { OpenAPISpec, OpenAPISpecVersion } from './schema.ts'

export const toSpec = (urls: Urls, row: SpecRow, mayEdit: boolean): OpenAPISpec => {
  return {
    object: 'openapi-spec',
    id: row.id,
    slug: row.slug,
    ...(row.source_url === null ? {} : { sourceURL: row.source_url }),
    processingState: row.state,
    visibility: row.visibility,
    ...(row.last_version === null ? {} : { lastVersion: row.last_version }),
    ...(row.last_processed_at === null ? {} : { lastProcessedAt: row.last_processed_at.toISOString() }),
    ...(row.last_error_code === null ? {} : { lastProcessErrorCode: row.last_error_code }),
    ...(row.last_errors.length === 0 ? {} : { lastProcessedErrors: row.last_errors }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    permissions: { view: true, edit: mayEdit },
    urls: {
      location: specAddress(urls, row),
      app: urls.root('/docs'),
      ...(row.visibility === 'public' ? { published: urls.root(`/openapi/${row.id}.json`) } : {}),
    },
  }
}

const specAddress = (urls: Urls, { organization_id, slug }: SpecRow): string =>
  urls.api(`/orgs/${organization_id}/openapi/${slug}`)

export const toVersion = (urls: Urls, spec: SpecRow, { id, created_at }: VersionRow): OpenAPISpecVersion => {
  const location = `${specAddress(urls, spec)}/versions/${id}`
  return {
    object: 'openapi-spec-version',
    id,
    createdAt: created_at.toISOString(),
    url: `${location}/content/raw`,
    urls: { location },
  }
}

/** The body of a content. The document is JSON already and is not parsed. */
export const contentBody = (urls: Urls, spec: SpecRow, version: VersionRow, document: Buffer): Buffer => {
  const { url } = toVersion(urls, spec, version)
  const before =
    '{"filesystem":[{"dir":".","isEntrypoint":true,"references":[],"filename":"openapi.json","specification":'
  return Buffer.concat([Buffer.from(before), document, Buffer.from(`}],"url":${JSON.stringify(url)}}`)])
}
