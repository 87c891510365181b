// The wire of the audit.
import { type Static, Type } from 'typebox'
import { ListOf, model, Nullable, OneOf, PageToken, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const AUDIT_LIMIT_MAX = 100
export const AUDIT_LIMIT_DEFAULT = 20

export const ListAuditEvents = Type.Object({
  page: PageToken,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: AUDIT_LIMIT_MAX,
      description: `Events in one answer; ${AUDIT_LIMIT_DEFAULT} when absent.`,
    }),
  ),
  from: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only events at or after this time.' }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({ ...Timestamp, description: 'Only events at or before this time.' }),
  ),
  action: Type.Optional(Type.String({ maxLength: 64, description: 'Only this action, by its id.' })),
  actor: Type.Optional(RefTo('actor', 'Only events of this actor: a user, an integration, `system`.')),
  target: Type.Optional(RefTo('target', 'Only events with this target, by its id.')),
})
export type ListAuditEvents = Static<typeof ListAuditEvents>

const Actor = model('AuditEventActor', {
  type: OneOf(['user', 'integration', 'installation', 'system']),
  id: Type.String(),
  label: Type.Optional(Type.String()),
})

const Target = model('AuditEventTarget', {
  type: Type.String(),
  id: Type.String(),
  label: Type.Optional(Type.String()),
})

const properties = {
  object: OneOf(['audit-event']),
  id: Type.String({ format: 'uuid' }),
  occurredAt: Timestamp,
  action: Type.String(),
  actor: Actor,
  source: OneOf(
    ['ui', 'api', 'integration', 'script'],
    'A browser, a token, an integration, or the operator and the server itself.',
  ),
  target: Target,
  urls: Type.Object({ location: Url }),
}

export const AuditEvent = model('AuditEvent', properties)
export type AuditEvent = Static<typeof AuditEvent>
export const AuditEvents = ListOf(AuditEvent)

export const AuditEventDetails = model('AuditEventDetails', {
  ...properties,
  schemaVersion: Type.Integer({ minimum: 1, description: 'Of the payload.' }),
  payload: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: true, description: 'Further details; never a secret.' }),
  ),
  correlationId: Type.Optional(
    Type.String({
      description: 'The `X-Request-Id` of the request: all its events have the same.',
    }),
  ),
  address: Nullable(
    Type.String({ description: 'The address that the request came from; null: this server itself.' }),
  ),
  token: Nullable(Type.String({ description: 'The id of the token that was used.' })),
  space: Nullable(Type.String({ description: 'The space it happened in.' })),
})
export type AuditEventDetails = Static<typeof AuditEventDetails>

const AuditEventAction = model('AuditEventAction', {
  object: OneOf(['audit-event-action']),
  id: Type.String(),
  label: Type.String(),
})
export const AuditEventActions = Type.Object({ items: Type.Array(AuditEventAction) })
