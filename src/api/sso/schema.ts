// The wire of identity providers (specification "SAML provider", api-facts §2.9, §5.8).
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { Role } from '../organizations/schema.ts'
import { Team } from '../teams/schema.ts'

const Label = Type.String({ minLength: 1, maxLength: 30 })
const EntityId = Type.String({
  maxLength: 1024,
  description: 'What the identity provider calls itself, spelled exactly as in its metadata.',
})
const Certificate = Type.String({
  maxLength: 10_000,
  description:
    'What it signs with: an X.509 certificate as PEM or bare base64. While it changes its key, several PEM blocks.',
})
const SsoUrl = Type.String({
  maxLength: 2048,
  description: 'Where it takes requests by HTTP redirect; https, unless the operator allows its host.',
})
const DefaultTeam = Type.String({ maxLength: 128, description: 'A team that whoever arrives is put in.' })
const DefaultRole = Nullable(Role)

export const SAMLProvider = model(
  'SAMLProvider',
  Type.Object({
    object: OneOf(['saml-provider']),
    id: Type.String(),
    label: Label,
    entityID: Type.String(),
    certificate: Type.String(),
    ssoURL: Type.String(),
    defaultTeam: Type.Optional(Team),
    defaultRole: DefaultRole,
    createdAt: Timestamp,
    status: OneOf(
      ['active', 'pending'],
      'It is pending until `entityID`, `certificate` and `ssoURL` are set.',
    ),
    service: Type.Object(
      {
        acsURL: Url,
        startURL: Url,
        entityID: Type.String({ description: 'Octavo’s own; its metadata are read at this address.' }),
      },
      { description: 'What the identity provider has to know of Octavo.' },
    ),
    urls: Type.Object({ location: Url }),
  }),
)
export type SAMLProvider = Static<typeof SAMLProvider>

export const SAMLProviders = ListOf(SAMLProvider)
export const ListSAMLProviders = PageOf({})

export const CreateSAMLProvider = Type.Object({
  label: Label,
  entityID: Type.Optional(EntityId),
  certificate: Type.Optional(Certificate),
  ssoURL: Type.Optional(SsoUrl),
  defaultTeam: Type.Optional(Nullable(DefaultTeam)),
  defaultRole: Type.Optional(DefaultRole),
})
export type CreateSAMLProvider = Static<typeof CreateSAMLProvider>

export const ChangeSAMLProvider = Type.Object({
  label: Type.Optional(Label),
  entityID: Type.Optional(EntityId),
  certificate: Type.Optional(Certificate),
  ssoURL: Type.Optional(SsoUrl),
  defaultTeam: Type.Optional(Nullable(DefaultTeam)),
  defaultRole: Type.Optional(DefaultRole),
})
export type ChangeSAMLProvider = Static<typeof ChangeSAMLProvider>

/** The list that a sign-in page is made of (api-facts §1.4: not in the envelope). */
export const SSOProviderLogins = model(
  'SSOProviderLogins',
  Type.Object({
    items: Type.Array(Type.Object({ id: Type.String(), label: Label, startURL: Url })),
  }),
)
export type SSOProviderLogins = Static<typeof SSOProviderLogins>
