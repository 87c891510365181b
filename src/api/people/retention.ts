// Letting go of what an organization keeps for so many days: events of the audit, and conversations. Hourly, in bounded
// transactions, one organization after the other; several processes may run it at once.
import { sql } from 'kysely'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findSetting, insertSetting, updateSetting } from '../../platform/db/settings.ts'
import { type EventCursor, removeEventsBefore } from '../../platform/events/letting-go.ts'
import { keptSince } from '../audit/kept.ts'
import { removeConversationsBefore } from '../conversations/let-go.ts'
import { TIMELINE_TYPES } from '../timelines/rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** What was older than the organization keeps it. */
    'organization.let_go': { events: number; conversations: number }
  }
}

type LettingServices = Pick<Services, 'config' | 'db' | 'transaction' | 'events' | 'jobs' | 'log'>

type Kept = {
  readonly id: string
  readonly audit_days: number | null
  readonly conversation_days: number | null
}

// Organizations read at once.
const PAGE = 200

export async function letGo(services: LettingServices): Promise<void> {
  const { auditDays, conversationDays } = services.config
  for await (const { id, audit_days, conversation_days } of organizationsOf(services)) {
    const events = await letGoOfEvents(services, id, keptSince(audit_days, auditDays))
    const conversations = await letGoOfConversations(
      services,
      id,
      keptSince(conversation_days, conversationDays),
    )
    if (events + conversations === 0) continue
    await services.transaction(trx =>
      services.events.append(trx, {
        type: 'organization.let_go',
        organizationId: id,
        payload: { events, conversations },
      }),
    )
    services.log.info({ organization: id, events, conversations }, 'let go of what was old')
  }
  // What concerns accounts belongs to no organization.
  await letGoOfEvents(services, null, keptSince(null, auditDays))
}

/** Those that keep something for a while only. */
async function* organizationsOf({ config, db }: LettingServices): AsyncGenerator<Kept> {
  const isEverybody = config.auditDays !== undefined || config.conversationDays !== undefined
  let after = ''
  for (;;) {
    const rows = await db
      .selectFrom('organizations')
      .select(['id', 'audit_days', 'conversation_days'])
      .where('id', '>', after)
      .$if(!isEverybody, query =>
        query.where(({ or, eb }) =>
          or([eb('audit_days', 'is not', null), eb('conversation_days', 'is not', null)]),
        ),
      )
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}

/** How far it got is kept: events that stay, since a history is read from them, are not looked at again. */
async function letGoOfEvents(
  services: LettingServices,
  organizationId: string | null,
  before: Date | undefined,
): Promise<number> {
  if (before === undefined) return 0
  const name = `events_let_go:${organizationId ?? ''}`
  let removed = 0
  for (let isDone = false; !isDone; ) {
    isDone = await services.transaction(async trx => {
      // Another process that is at it goes on.
      if (!(await isAlone(trx, name))) return true
      const after = await findSetting<EventCursor>(trx, name)
      const {
        removed: count,
        last,
        isLast,
      } = await removeEventsBefore(trx, organizationId, { before, kept: TIMELINE_TYPES }, after)
      removed += count
      if (last === undefined) return true
      if (after === undefined) await insertSetting(trx, name, last)
      else await updateSetting(trx, name, last)
      return isLast
    })
  }
  return removed
}

async function isAlone(trx: Trx, name: string): Promise<boolean> {
  const { rows } = await sql<{ isAlone: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`octavo ${name}`})) as "isAlone"`.execute(trx)
  return rows[0]?.isAlone === true
}

async function letGoOfConversations(
  services: LettingServices,
  organizationId: string,
  before: Date | undefined,
): Promise<number> {
  if (before === undefined) return 0
  let removed = 0
  for (;;) {
    const { removed: count, isDone } = await removeConversationsBefore(services, organizationId, before)
    removed += count
    if (isDone) return removed
  }
}
