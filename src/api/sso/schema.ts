// The wire of identity providers.
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { Role } from '../organizations/schema.ts'
import { Team } from '../teams/schema.ts'

const Label = Type.String({ minLength: 1, maxLength: 30 })
const EntityId = Type.String({
  maxLength: 1024,
  description: 'The entity id of the identity provider, exactly as in its metadata.',
})
const Certificate = Type.String({
  maxLength: 10_000,
  description:
    'The signing certificate: X.509 as PEM or bare base64. Several PEM blocks while its key is rotated.',
})
const SsoUrl = Type.String({
  maxLength: 2048,
  description: 'The address for requests by HTTP redirect; https, unless the operator allows its host.',
})
const DefaultTeam = RefTo('team', 'A team that new members are added to.')
const DefaultRole = Nullable(Role)

const AttributeName = Type.String({ minLength: 1, maxLength: 256 })
const Attributes = Type.Object(
  {
    email: Type.Optional(AttributeName),
    firstName: Type.Optional(AttributeName),
    lastName: Type.Optional(AttributeName),
    displayName: Type.Optional(AttributeName),
  },
  {
    description:
      'The attributes in which the provider sends the email address and the name of a person, if they have other names than the common ones. Compared without case.',
  },
)

/** How the last sign-ins with a provider ended. */
const OUTCOMES = {
  lastSignInAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Octavo extension. When somebody last signed in with it, to the minute.',
    }),
  ),
  lastFailure: Nullable(
    Type.Object(
      {
        at: Timestamp,
        code: Type.String({ description: 'As in the log, and in the table of the guide.' }),
        reason: Type.String({
          description:
            'What the person was told, without email addresses and the words of the provider, which may name them.',
        }),
      },
      {
        description:
          'Octavo extension. Why somebody last was not signed in. Of many failures with one reason within ten seconds, the first.',
      },
    ),
  ),
}

export const SAMLProvider = model('SAMLProvider', {
  object: OneOf(['saml-provider']),
  id: Type.String(),
  label: Label,
  entityID: Type.String(),
  certificate: Type.String(),
  ssoURL: Type.String(),
  defaultTeam: Type.Optional(Team),
  defaultRole: DefaultRole,
  attributes: Attributes,
  createdAt: Timestamp,
  status: OneOf(['active', 'pending'], 'It is pending until `entityID`, `certificate` and `ssoURL` are set.'),
  ...OUTCOMES,
  service: Type.Object(
    {
      acsURL: Url,
      startURL: Url,
      entityID: Type.String({ description: 'Of Octavo; its metadata is at this address.' }),
    },
    { description: 'The details of Octavo for the identity provider.' },
  ),
  urls: Type.Object({ location: Url }),
})
export type SAMLProvider = Static<typeof SAMLProvider>

export const OpenIDProvider = model('OpenIDProvider', {
  object: OneOf(['openid-provider']),
  label: Type.String({ description: 'What the sign-in page calls it.' }),
  issuer: Type.String({ description: 'What the provider calls itself.' }),
  ...OUTCOMES,
  service: Type.Object(
    {
      redirectURL: Type.String({
        format: 'uri',
        description: 'Where the provider sends browsers; it has to be set there.',
      }),
      startURL: Url,
    },
    { description: 'The details of Octavo for the identity provider.' },
  ),
  urls: Type.Object({ location: Url }),
})
export type OpenIDProvider = Static<typeof OpenIDProvider>

export const SAMLProviders = ListOf(SAMLProvider)
export const ListSAMLProviders = PageOf({})

export const CreateSAMLProvider = Type.Object({
  label: Label,
  entityID: Type.Optional(EntityId),
  certificate: Type.Optional(Certificate),
  ssoURL: Type.Optional(SsoUrl),
  defaultTeam: Type.Optional(Nullable(DefaultTeam)),
  defaultRole: Type.Optional(DefaultRole),
  attributes: Type.Optional(Nullable(Attributes)),
})
export type CreateSAMLProvider = Static<typeof CreateSAMLProvider>

export const ChangeSAMLProvider = Type.Object({
  ...CreateSAMLProvider.properties,
  label: Type.Optional(Label),
})
export type ChangeSAMLProvider = Static<typeof ChangeSAMLProvider>

/** The list for a sign-in page, without the list envelope. */
export const SSOProviderLogins = model('SSOProviderLogins', {
  items: Type.Array(Type.Object({ id: Type.String(), label: Label, startURL: Url })),
})
export type SSOProviderLogins = Static<typeof SSOProviderLogins>
