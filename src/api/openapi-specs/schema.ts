// The wire of OpenAPI specifications.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, OneOf, Paging, Timestamp, Url } from '../../http/list.ts'

const SLUG_CHARACTERS_MAX = 100
const URL_CHARACTERS_MAX = 2048
/** Characters of an inline text, and bytes of fetched documents. */
export const TEXT_MAX = 20 * 1024 * 1024
/** Per request, in which quotes and line breaks of a text are escaped. */
export const BODY_BYTES_MAX = 32 * 1024 * 1024

export const SpecSlug = Type.String({
  minLength: 1,
  maxLength: SLUG_CHARACTERS_MAX,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description: 'Its name in addresses and in blocks.',
})

export const OpenAPISpecSource = model(
  'OpenAPISpecSource',
  {
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: URL_CHARACTERS_MAX,
        description: 'Its address, over http or https, read now and once a day.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description: 'The document itself, in JSON or YAML.',
      }),
    ),
  },
  { description: 'Either `url` or `text`.' },
)
export type OpenAPISpecSource = Static<typeof OpenAPISpecSource>

export const CreateOpenAPISpec = Type.Object({ slug: SpecSlug, source: OpenAPISpecSource })
export const PutOpenAPISpec = Type.Object({ source: OpenAPISpecSource })
export const UpdateOpenAPISpec = Type.Object({ visibility: OneOf(['private', 'public']) })

export const OpenAPISpec = model('OpenAPISpec', {
  object: OneOf(['openapi-spec']),
  id: Type.String(),
  slug: Type.String(),
  sourceURL: Type.Optional(
    Type.String({ description: 'Absent for a specification that was given as text.' }),
  ),
  processingState: OneOf(['pending', 'progress', 'complete']),
  visibility: OneOf(['private', 'public']),
  lastVersion: Type.Optional(Type.String({ description: 'The id of the newest version.' })),
  lastProcessedAt: Type.Optional(Timestamp),
  lastProcessErrorCode: Type.Optional(
    OneOf(
      ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'],
      'Why the last reading failed; `lastProcessedErrors` has details. The version before stays.',
    ),
  ),
  lastProcessedErrors: Type.Optional(
    Type.Array(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) }), {
      description:
        'What is wrong with it, the first hundred, and why it could not be read. One with errors has a version all the same, but for `FETCH_TIMEOUT`, `FETCH_ERROR`, `PARSE_ERROR`, `NOT_A_SPECIFICATION`, `UNSUPPORTED_VERSION`, `NOT_UPGRADED`, `TOO_DEEP`, `TOO_LARGE` and `PROCESS_TIMEOUT`.',
    }),
  ),
  ...dates,
  permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: Type.Object({
    location: Url,
    app: Url,
    published: Type.Optional(Url),
  }),
})
export type OpenAPISpec = Static<typeof OpenAPISpec>
export const OpenAPISpecs = ListOf(OpenAPISpec)
export const ListOpenAPISpecs = Paging

export const OpenAPISpecVersion = model('OpenAPISpecVersion', {
  object: OneOf(['openapi-spec-version']),
  id: Type.String(),
  createdAt: Timestamp,
  url: Type.String({ format: 'uri', description: 'The address of its source text.' }),
  urls: Type.Object({ location: Url }),
})
export type OpenAPISpecVersion = Static<typeof OpenAPISpecVersion>
export const OpenAPISpecVersions = ListOf(OpenAPISpecVersion)

export const OpenAPISpecContent = model('OpenAPISpecContent', {
  filesystem: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description:
      'The files of the specification, as clients of the public interface read them: one entry with `isEntrypoint`, whose `specification` is the whole document in OpenAPI 3.1.',
    examples: [
      [
        {
          dir: '.',
          isEntrypoint: true,
          references: [],
          filename: 'openapi.json',
          specification: { openapi: '3.1.1', info: { title: 'Printers', version: '1' }, paths: {} },
        },
      ],
    ],
  }),
  url: Type.String({ format: 'uri', description: 'The address of its source text.' }),
})

export const OpenAPISpecRawContent = model('OpenAPISpecRawContent', {
  text: Type.String({ description: 'As it was written.' }),
  format: OneOf(['json', 'yaml']),
})
