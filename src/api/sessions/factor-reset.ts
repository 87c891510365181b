// Taking a second factor away from somebody who has lost it: by an admin of the only organization they belong to, or by
// the operator. They sign in with the password alone then.
import { Failure, invalid } from '../../base/errors.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { findUserByEmail } from '../accounts/rows.ts'
import type { MemberAt } from '../members/place.ts'
import { endSessions } from './actions.ts'
import { tellOfFactor } from './factor-mail.ts'
import { removePasskeys } from './passkey-rows.ts'
import { removeCodes } from './recovery-codes.ts'
import { removeSteps } from './second-step.ts'
import { removeTotp } from './totp.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** By an admin, or by the operator, or because the account passed from an organization to its person. */
    'second_factor.reset': { user: string }
  }
}

type By = { readonly organizationId?: string; readonly actorId?: string }

/** Whether there was one. */
export async function removeFactors(trx: Trx, events: Events, userId: string, by: By): Promise<boolean> {
  const hadTotp = await removeTotp(trx, userId)
  const passkeys = await removePasskeys(trx, userId)
  await removeCodes(trx, userId)
  await removeSteps(trx, userId)
  if (!hadTotp && passkeys.length === 0) return false
  await events.append(trx, { type: 'second_factor.reset', ...by, payload: { user: userId } })
  return true
}

/** Idempotent: succeeds if the member has none. */
export async function resetOfMember(
  context: ActionContext,
  { member, organization }: MemberAt,
): Promise<void> {
  await context.transaction(async trx => {
    const other = await trx
      .selectFrom('members')
      .select('organization_id')
      .where('user_id', '=', member.id)
      .where('organization_id', '!=', organization.id)
      .limit(1)
      .executeTakeFirst()
    if (other !== undefined) throw ELSEWHERE
    await reset(trx, context, member.id, {
      organizationId: organization.id,
      actorId: context.principal.user.id,
    })
  })
}

const ELSEWHERE = new Failure(
  'conflict',
  'member_elsewhere',
  'This member belongs to another organization too, so only the operator can reset their second factor: `octavo second-factor-reset <email>`.',
)

export type FactorResetOptions = { readonly email: string }

export type FactorResetResult = { readonly wasSetUp: boolean }

/** @throws {Failure} invalid: `user_missing`. */
export async function resetByOperator(
  services: Services,
  { email }: FactorResetOptions,
): Promise<FactorResetResult> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  const wasSetUp = await services.transaction(trx => reset(trx, services, user.id, {}))
  return { wasSetUp }
}

async function reset(
  trx: Trx,
  services: Pick<Services, 'events' | 'jobs' | 'mail'>,
  userId: string,
  by: By,
): Promise<boolean> {
  if (!(await removeFactors(trx, services.events, userId, by))) return false
  const actorId = by.actorId ?? null
  await endSessions(trx, services.events, { userId, actorId, keptId: null, why: 'second_factor_changed' })
  await tellOfFactor(trx, services, userId, 'reset')
  return true
}
