// The audit: who did what, from where. It reads the events of other modules and writes nothing.
import { Type } from 'typebox'
import { invalid, orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { keptSince } from './kept.ts'
import { ACTIONS } from './labels.ts'
import { type AuditFilters, findEvent, findNames, listEvents } from './rows.ts'
import {
  AUDIT_LIMIT_DEFAULT,
  AuditEventActions,
  AuditEventDetails,
  AuditEvents,
  ListAuditEvents,
} from './schema.ts'
import { idsIn, SYSTEM, toAuditEvent, toAuditEventDetails } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

const reading = { method: 'GET', tag: 'Audit', may: 'viewAudit', scope: 'organization:audit:read' } as const

export const auditOperations = mount(
  [inOrganization],
  [
    operation({
      ...reading,
      id: 'listOrganizationAuditEvents',
      path: '/audit-events',
      summary: 'List audit events',
      description:
        'Newest first: events of the organization, and sign-ins and changed credentials of its members.',
      query: ListAuditEvents,
      reply: AuditEvents,
      run: async ({ context, at, query }) => {
        const { db, urls, config } = context
        const { page, limit = AUDIT_LIMIT_DEFAULT } = query
        const since = keptSince(at.organization.audit_days, config.auditDays)
        const filters = { ...readFilters(query), since }
        const rows = await listEvents(db, at.organization.id, filters, { page, limit })
        const names = await findNames(db, at.organization.id, idsIn(rows.items))
        return toList(rows, row => toAuditEvent(urls, at.organization.id, row, names))
      },
    }),
    operation({
      ...reading,
      id: 'getOrganizationAuditEvent',
      path: '/audit-events/{auditEventId}',
      params: Type.Object({ auditEventId: Id('An event of the audit.') }),
      summary: 'Get an audit event',
      reply: AuditEventDetails,
      run: async ({ context, at, params }) => {
        const { db, urls, config } = context
        const since = keptSince(at.organization.audit_days, config.auditDays)
        const found = await findEvent(db, at.organization.id, params.auditEventId, since)
        const row = orMissing(found, 'audit event')
        const names = await findNames(db, at.organization.id, idsIn([row]))
        return toAuditEventDetails(urls, at.organization.id, row, names)
      },
    }),
    operation({
      ...reading,
      id: 'listOrganizationAuditEventActions',
      path: '/audit-event-actions',
      summary: 'List audit actions',
      description: 'The actions by id, which never changes its meaning, with a label for people.',
      reply: AuditEventActions,
      run: async () => ({
        items: ACTIONS.map(action => ({ object: 'audit-event-action' as const, ...action })),
      }),
    }),
  ],
)

function readFilters({ from, to, action, actor, target }: ListAuditEvents): AuditFilters {
  const [after, before] = [readTime('from', from), readTime('to', to)]
  if (after !== undefined && before !== undefined && after > before)
    throw invalid('period_invalid', 'query.from: has to be before query.to.')
  if (action !== undefined && !ACTIONS.some(({ id }) => id === action))
    throw invalid(
      'action_unknown',
      'query.action: there is no such action. The audit-event-actions of the organization lists them.',
    )
  return { from: after, to: before, action, actor: actor === SYSTEM ? null : actor, target }
}

function readTime(field: 'from' | 'to', text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw invalid('time_invalid', `query.${field}: this is not a date and time.`)
  return date
}
