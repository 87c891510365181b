// The wire of a published integration.
import { type Static, Type } from 'typebox'
import { model, named, OneOf, ShownUrl } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const NAME_PATTERN = '^[a-zA-Z0-9_.-]+$'
export const NAME_CHARACTERS_MAX = 100
const BLOCKS_MAX = 100
const LINKS_MAX = 5
const PREVIEWS_MAX = 3
const PROPERTIES_MAX = 50
const CHOICES_MAX = 100
const SECRETS_MAX = 100
const DIRECTIVES_MAX = 31
/** Of an image, as base64. */
const IMAGE_CHARACTERS_MAX = 1024 * 1024
const SCRIPT_CHARACTERS_MAX = 8 * 1024 * 1024
/** Of a request that publishes, with script and images. */
export const PUBLICATION_BYTES_MAX = 16 * 1024 * 1024
/** Of a manifest as JSON: lists show it for each integration. */
export const MANIFEST_CHARACTERS_MAX = 64 * 1024

const CATEGORIES = [
  ...['analytics', 'collaboration', 'content', 'gitsync', 'marketing', 'visitor-auth', 'other'],
] as const
export const INTEGRATION_SCOPES = [
  ...['space:content:read', 'space:content:write', 'space:metadata:read', 'space:metadata:write'],
  ...['space:git:sync', 'page:feedback:read', 'site:metadata:read', 'site:views:read', 'site:script:inject'],
  ...['site:script:cookies', 'site:visitor:auth', 'site:adaptive:read', 'site:adaptive:write'],
  ...['openapi:read', 'openapi:write', 'conversations:ingest'],
] as const
export const TARGETS = ['all', 'site', 'space', 'organization'] as const
export const INTEGRATION_VISIBILITIES = ['public', 'private', 'unlisted'] as const

const Title = Type.String({ minLength: 2, maxLength: 40 })
const Described = {
  id: Type.String({ minLength: 1, maxLength: 100 }),
  title: Title,
  description: Type.Optional(Type.String({ maxLength: 150 })),
  icon: Type.Optional(Type.String({ maxLength: 16_384 })),
}

export const IntegrationBlock = model('IntegrationBlock', {
  ...Described,
  urlUnfurl: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 50 })),
  markdown: Type.Optional(
    Type.Object({
      codeblock: Type.String({ minLength: 1, maxLength: 100 }),
      body: Type.String({ minLength: 1, maxLength: 100 }),
    }),
  ),
})

const Component = Type.Object({ componentId: Type.String({ minLength: 1, maxLength: 100 }) })

const IntegrationContentSource = model('IntegrationContentSource', { ...Described, configuration: Component })

const shown = {
  title: Type.Optional(Type.String({ maxLength: 30 })),
  description: Type.Optional(Type.String({ maxLength: 100 })),
}
const Choice = Type.String({ maxLength: 255 })

export const ConfigurationProperty = named(
  'IntegrationConfigurationProperty',
  Type.Union([
    Type.Object({
      type: OneOf(['string']),
      ...shown,
      default: Type.Optional(Type.String({ maxLength: 2048 })),
      completion_url: Type.Optional(Type.String({ maxLength: 2048 })),
      enum: Type.Optional(Type.Array(Choice, { minItems: 1, maxItems: CHOICES_MAX })),
    }),
    Type.Object({ type: OneOf(['number']), ...shown, default: Type.Optional(Type.Number()) }),
    Type.Object({ type: OneOf(['boolean']), ...shown, default: Type.Optional(Type.Boolean()) }),
    Type.Object({
      type: OneOf(['button']),
      ...shown,
      callback_url: Type.String({ maxLength: 2048 }),
      button_text: Type.String({ minLength: 1, maxLength: 100 }),
    }),
  ]),
)
export type ConfigurationProperty = Static<typeof ConfigurationProperty>

const PropertyName = Type.String({ pattern: '^[\\w.-]{1,100}$' })

const ConfigurationSchema = model('IntegrationConfigurationSchema', {
  properties: Type.Record(PropertyName, ConfigurationProperty, {
    maxProperties: PROPERTIES_MAX,
    additionalProperties: false,
  }),
  required: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: PROPERTIES_MAX }),
  ),
})
export type ConfigurationSchema = Static<typeof ConfigurationSchema>

const Configuration = Type.Union([Component, ConfigurationSchema])
export type ConfigurationSlot = Static<typeof Configuration>

const Policy = Type.Union([
  Type.String({ maxLength: 8192 }),
  Type.Record(Type.String({ pattern: '^[a-z-]{1,40}$' }), Type.String({ maxLength: 2048 }), {
    maxProperties: DIRECTIVES_MAX,
    additionalProperties: false,
  }),
])

const Base64 = Type.String({
  minLength: 1,
  maxLength: IMAGE_CHARACTERS_MAX,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  description: 'PNG, JPEG, GIF, WebP or AVIF, in base64.',
})

/** Fields that a publication and an integration share. */
export const described = {
  title: Type.String({ minLength: 2, maxLength: 30 }),
  summary: Type.Optional(Type.String({ maxLength: 2048, description: 'Markdown.' })),
  scopes: Type.Array(OneOf(INTEGRATION_SCOPES), { maxItems: INTEGRATION_SCOPES.length }),
  blocks: Type.Optional(Type.Array(IntegrationBlock, { maxItems: BLOCKS_MAX })),
  contentSources: Type.Optional(Type.Array(IntegrationContentSource, { maxItems: BLOCKS_MAX })),
  configurations: Type.Optional(
    Type.Object({
      account: Type.Optional(Configuration),
      space: Type.Optional(Configuration),
      site: Type.Optional(Configuration),
    }),
  ),
  contentSecurityPolicy: Type.Optional(Policy),
}

export const Category = OneOf(CATEGORIES)
export const Categories = Type.Array(Category, { maxItems: CATEGORIES.length })
export const ExternalLinks = Type.Array(
  Type.Object({ url: ShownUrl, label: Type.String({ minLength: 1, maxLength: 100 }) }),
  { maxItems: LINKS_MAX },
)

export const PublishIntegration = Type.Object({
  ...described,
  description: Type.String({ maxLength: 100 }),
  organization: RefTo('organization', 'Id or subdomain of the organization that publishes it.'),
  script: Type.String({ maxLength: SCRIPT_CHARACTERS_MAX, description: 'Stored, not run.' }),
  runtime: Type.Optional(OneOf(['v1', 'v2'], '`v1` when absent.')),
  visibility: Type.Optional(OneOf(INTEGRATION_VISIBILITIES, '`private` when absent.')),
  target: Type.Optional(OneOf(TARGETS, '`all` when absent.')),
  categories: Type.Optional(Categories),
  externalLinks: Type.Optional(ExternalLinks),
  icon: Type.Optional(Base64),
  previewImages: Type.Optional(Type.Array(Base64, { maxItems: PREVIEWS_MAX })),
  secrets: Type.Optional(
    Type.Record(PropertyName, Type.String({ maxLength: 8192 }), {
      maxProperties: SECRETS_MAX,
      additionalProperties: false,
    }),
  ),
})
export type PublishIntegration = Static<typeof PublishIntegration>

/** The shown fields of a publication that have no column of their own. */
export type Manifest = Pick<
  PublishIntegration,
  | 'summary'
  | 'blocks'
  | 'contentSources'
  | 'configurations'
  | 'contentSecurityPolicy'
  | 'categories'
  | 'externalLinks'
>
