// Links with which people who have not signed in yet choose a password: for invitations that no mail brings. Each verb is
// one transaction.
import { sql } from 'kysely'
import type { MemberRole } from '../../access/policy.ts'
import { now } from '../../base/clock.ts'
import { invalid } from '../../base/errors.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import { createVouchedLink, removeVouchedLink } from '../sessions/password-links.ts'
import type { CreateSignInLinks, SignInLinksMade, Waiting } from './sign-in-link-schema.ts'

const DAYS_DEFAULT = 7

/** Active members who have not signed in yet, by time of joining, with their open link. */
const selectWaiting = (db: Db | Trx, organizationId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email', 'users.display_name', 'members.role', 'members.joined_at'])
    .select(
      sql<Date | null>`(select max(links.expires_at) from password_links as links
        where links.organization_id = members.organization_id and links.user_id = members.user_id
          and links.expires_at > ${now()})`.as('expires_at'),
    )
    .where('members.organization_id', '=', organizationId)
    .where('members.disabled', '=', false)
    .where('members.sso', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('first_sign_ins')
            .select('first_sign_ins.user_id')
            .whereRef('first_sign_ins.user_id', '=', 'members.user_id'),
        ),
      ),
    )

type WaitingRow = {
  readonly id: string
  readonly email: string
  readonly display_name: string
  readonly role: string | null
  readonly joined_at: Date
  readonly expires_at: Date | null
}

export const listWaiting = (db: Db, organizationId: string, query: PageQuery) =>
  page(selectWaiting(db, organizationId), {
    question: { list: 'sign-in-links', organization: organizationId },
    by: [
      ['joined_at', 'desc'],
      ['id', 'desc'],
    ],
    ...query,
  })

export const toWaiting = ({ id, email, display_name, role, joined_at, expires_at }: WaitingRow): Waiting => ({
  object: 'sign-in-link',
  id,
  email,
  displayName: display_name,
  // The column allows no other.
  role: role as MemberRole | null,
  invitedAt: joined_at.toISOString(),
  expiresAt: expires_at?.toISOString() ?? null,
})

/** For those of the people who can use one; the others are named with the reason. A new link ends the one before. */
export async function createSignInLinks(
  context: ActionContext & { readonly urls: Urls },
  organization: OrganizationRow,
  { users, days = DAYS_DEFAULT }: CreateSignInLinks,
): Promise<SignInLinksMade> {
  return context.transaction(async trx => {
    const members = await lockMembers(trx, organization.id, users)
    const unknown = users.findIndex(id => !members.has(id))
    if (unknown !== -1)
      throw invalid(
        'user_unknown',
        `body.users.${unknown}: ${users[unknown]} is not a member of the organization.`,
      )
    const made: SignInLinksMade = { items: [], refused: [] }
    for (const id of new Set(users)) {
      const member = members.get(id)
      if (member === undefined) continue
      if (member.why !== null) {
        made.refused.push({ user: id, email: member.email, why: member.why })
        continue
      }
      const by = { organizationId: organization.id, userId: id, createdBy: context.principal.user.id }
      const { path, expiresAt } = await createVouchedLink(trx, by, days)
      await context.events.append(trx, {
        type: 'password_link.created',
        organizationId: organization.id,
        actorId: by.createdBy,
        payload: { user: id },
      })
      made.items.push({
        user: id,
        email: member.email,
        url: context.urls.root(path),
        expiresAt: expiresAt.toISOString(),
      })
    }
    return made
  })
}

/**
 * With the reason why a link would not sign them in; locked in a fixed order until the transaction ends, so that links for
 * the same people that are made at once take turns and cannot deadlock.
 */
async function lockMembers(trx: Trx, organizationId: string, ids: readonly string[]) {
  const rows = await trx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email'])
    .select(
      sql<SignInLinksMade['refused'][number]['why'] | null>`case
        when members.disabled then 'disabled'
        when members.sso then 'sso'
        when exists (select from first_sign_ins where first_sign_ins.user_id = users.id) then 'signed_in'
        end`.as('why'),
    )
    .where('members.organization_id', '=', organizationId)
    .where(sql<boolean>`members.user_id = any(${[...ids]}::text[])`)
    .orderBy('members.user_id')
    .forNoKeyUpdate('members')
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Idempotent: succeeds for somebody without a link. */
export const deleteSignInLink = (
  context: ActionContext,
  organization: OrganizationRow,
  userId: string,
): Promise<void> =>
  context.transaction(async trx => {
    const removed = await removeVouchedLink(trx, organization.id, userId)
    if (removed === undefined) return
    await context.events.append(trx, {
      type: 'password_link.deleted',
      organizationId: organization.id,
      actorId: context.principal.user.id,
      payload: { user: userId },
    })
  })
