// The wire of organizations.
import { type Static, Type } from 'typebox'
import { MEMBER_ROLES } from '../../access/policy.ts'
import { ListOf, model, Nullable, named, OneOf, ShownUrl, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const Role = OneOf(MEMBER_ROLES)

const ExpressionText = Type.String({ minLength: 1, maxLength: 1024 })
const UserIds = Type.Array(RefTo('user'), { minItems: 1, maxItems: 100 })

const RULES_OF_PEOPLE = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] as const
const PLAIN_RULES = [
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_agent_review',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
  'require_author_to_merge',
] as const
/** What rules are called. */
export const MERGE_RULES = [...RULES_OF_PEOPLE, ...PLAIN_RULES, 'custom'] as const

/** One condition of a merge. Rules are stored here and evaluated in `merges`. */
export const MergeRule = named(
  'MergeRule',
  Type.Union([
    Type.Object({
      rule: OneOf(RULES_OF_PEOPLE),
      users: UserIds,
    }),
    Type.Object({
      rule: OneOf(PLAIN_RULES),
    }),
    Type.Object({
      rule: OneOf(['custom']),
      expression: ExpressionText,
      message: Type.Optional(Type.String({ maxLength: 512 })),
    }),
  ]),
)

const RULES_MAX = 50
const Rules = Type.Object({ type: OneOf(['rules']), rules: Type.Array(MergeRule, { maxItems: RULES_MAX }) })
const NoRules = Type.Object({ type: OneOf(['none']) })

export const OrganizationMergeRules = named('OrganizationMergeRules', Type.Union([Rules, NoRules]))
export type OrganizationMergeRules = Static<typeof OrganizationMergeRules>

export const SpaceMergeRules = named(
  'SpaceMergeRules',
  Type.Union([Type.Object({ type: OneOf(['inherit']) }), Rules, NoRules]),
)
export type SpaceMergeRules = Static<typeof SpaceMergeRules>

const DefaultContent = Type.Object({ type: OneOf(['site']), site: Type.String() })
const Hostname = Type.String({ minLength: 3, maxLength: 32, pattern: '^[a-z0-9][a-z0-9-]*[a-z0-9]$' })
const Title = Type.String({ minLength: 2, maxLength: 255 })
const EmailDomains = Type.Array(
  Type.String({ minLength: 3, maxLength: 253, pattern: '^[a-z0-9.-]+\\.[a-z0-9-]+$' }),
  {
    maxItems: 100,
  },
)

const DAYS_MIN = 7
const DAYS_MAX = 36_500
const Days = (what: string) =>
  Nullable(
    Type.Integer({
      minimum: DAYS_MIN,
      maximum: DAYS_MAX,
      description: `After how many days ${what}; null: as the operator has set it, or never. The shorter of both counts.`,
    }),
  )
const RETENTION = {
  auditDays: Days('events leave the audit'),
  conversationDays: Days('conversations are deleted'),
}

const PERMISSIONS = [
  'view',
  'admin',
  'ownTeam',
  'createContent',
  'createOpenAPISpec',
  'ingestConversations',
  'viewBilling',
  'listMembers',
  'listTeams',
  'listIntegrations',
  'listInstallations',
  'installIntegration',
] as const
export const ORGANIZATION_PERMISSIONS = PERMISSIONS

export const Organization = model('Organization', {
  object: OneOf(['organization']),
  id: Type.String(),
  title: Title,
  createdAt: Timestamp,
  emailDomains: EmailDomains,
  hostname: Type.Optional(Hostname),
  type: OneOf(['business', 'community']),
  plan: Type.String(),
  defaultRole: Type.Optional(Nullable(Role)),
  defaultContent: Type.Optional(DefaultContent),
  sso: Type.Boolean(),
  ai: Type.Boolean(),
  inviteLinks: Type.Boolean(),
  retention: Type.Object(RETENTION),
  secondFactor: Type.Boolean({
    description: 'Whether members who sign in with a password need a second factor. Octavo extension.',
  }),
  mergeRules: OrganizationMergeRules,
  urls: Type.Object({ location: Url, app: Url, logo: Type.Optional(Url) }),
  trial: Type.Object({ status: Type.String(), count: Type.Integer() }),
  permissions: Type.Object(Object.fromEntries(PERMISSIONS.map(name => [name, Type.Boolean()]))),
})
export type Organization = Static<typeof Organization>

export const Organizations = ListOf(Organization)

export const EmailDomainProofs = Type.Object({
  items: Type.Array(
    Type.Object({
      object: OneOf(['email-domain']),
      domain: Type.String(),
      isProven: Type.Boolean({ description: 'Whether people of this domain are taken in.' }),
      record: Type.Object(
        { type: OneOf(['TXT']), name: Type.String(), value: Type.String() },
        { description: 'The record that the DNS of the domain needs.' },
      ),
    }),
  ),
})
export type EmailDomainProofs = Static<typeof EmailDomainProofs>

export const CreateOrganization = Type.Object({ title: Title, emailDomains: Type.Optional(EmailDomains) })
export type CreateOrganization = Static<typeof CreateOrganization>

export const ChangeOrganization = Type.Object({
  title: Type.Optional(Title),
  emailDomains: Type.Optional(EmailDomains),
  hostname: Type.Optional(Hostname),
  defaultRole: Type.Optional(Nullable(Role)),
  defaultContent: Type.Optional(Nullable(DefaultContent)),
  logo: Type.Optional(Nullable(ShownUrl)),
  sso: Type.Optional(Type.Boolean()),
  ai: Type.Optional(Type.Boolean()),
  inviteLinks: Type.Optional(Type.Boolean()),
  retention: Type.Optional(Type.Partial(Type.Object(RETENTION))),
  secondFactor: Type.Optional(Type.Boolean()),
  mergeRules: Type.Optional(OrganizationMergeRules),
})
export type ChangeOrganization = Static<typeof ChangeOrganization>
