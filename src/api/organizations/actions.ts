// Creating and changing organizations.
import { isVouched } from '../../access/principal.ts'
import { Failure, forbidden, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { defined } from '../../base/objects.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { type Difference, differenceOf } from '../../platform/events/difference.ts'
import { checkMergeRules } from './merge-rules.ts'
import { insertOrganization, lockOrganization, type OrganizationRow, updateOrganization } from './rows.ts'
import type { ChangeOrganization, CreateOrganization } from './schema.ts'

type Doors = {
  readonly emailDomains: readonly string[]
  readonly defaultRole: string | null
  readonly sso: boolean
  readonly inviteLinks: boolean
  readonly auditDays: number | null
  readonly conversationDays: number | null
  readonly secondFactor: boolean
}

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'organization.created': { title: string }
    /** `before` and `after`: the settings that decide who may join and what is kept, if they changed. */
    'organization.changed': { fields: string[] } & Difference<Doors>
  }
}

/** The creator becomes its first admin (the module `members` listens). */
export async function createOrganization(
  context: ActionContext,
  body: CreateOrganization,
): Promise<OrganizationRow> {
  if (context.principal.onlyIn !== null)
    throw forbidden('Your token is limited to one organization. To create another, use a token that is not.')
  return context.transaction(trx => beginOrganization(trx, context.events, context.principal.user.id, body))
}

export async function beginOrganization(
  trx: Trx,
  events: Events,
  creatorId: string,
  body: CreateOrganization,
): Promise<OrganizationRow> {
  const row = await insertOrganization(trx, {
    id: newId(),
    title: body.title,
    email_domains: body.emailDomains ?? [],
  })
  await events.append(trx, {
    type: 'organization.created',
    organizationId: row.id,
    actorId: creatorId,
    payload: { title: row.title },
  })
  return row
}

export async function changeOrganization(
  context: ActionContext,
  organization: OrganizationRow,
  body: ChangeOrganization,
): Promise<OrganizationRow> {
  requireOwnFactor(context, body)
  const columns = toColumns(body)
  if (Object.keys(columns).length === 0) return organization
  await checkMergeRules(context.db, organization.id, body.mergeRules)
  return context.transaction(async trx => {
    const current = orMissing(await lockOrganization(trx, organization.id), 'organization')
    const row = await updateOrganization(trx, organization.id, columns)
    await context.events.append(trx, {
      type: 'organization.changed',
      organizationId: row.id,
      actorId: context.principal.user.id,
      payload: { fields: Object.keys(body).sort(), ...differenceOf(toDoors(current), toDoors(row)) },
    })
    return row
  })
}

/** Otherwise the organization would close before the eyes of the admin who demands it. */
function requireOwnFactor({ principal: { session } }: ActionContext, body: ChangeOrganization): void {
  if (body.secondFactor !== true || session === null) return
  if (!isVouched(session.method) && session.factor === null) throw OWN_FIRST
}

const OWN_FIRST = new Failure(
  'conflict',
  'second_factor_own',
  'body.secondFactor: set up a second factor of your own first, at /account/second-factor.',
)

const toDoors = (row: OrganizationRow): Doors => ({
  emailDomains: row.email_domains,
  defaultRole: row.default_role,
  sso: row.sso,
  inviteLinks: row.invite_links,
  auditDays: row.audit_days,
  conversationDays: row.conversation_days,
  secondFactor: row.second_factor,
})

function toColumns(body: ChangeOrganization) {
  return defined({
    title: body.title,
    email_domains: body.emailDomains,
    hostname: body.hostname,
    default_role: body.defaultRole,
    default_content: body.defaultContent === undefined ? undefined : toJson(body.defaultContent),
    logo_url: body.logo,
    sso: body.sso,
    ai: body.ai,
    invite_links: body.inviteLinks,
    audit_days: body.retention?.auditDays,
    conversation_days: body.retention?.conversationDays,
    second_factor: body.secondFactor,
    merge_rules: body.mergeRules === undefined ? undefined : JSON.stringify(body.mergeRules),
  })
}

const toJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
