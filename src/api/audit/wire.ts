// Converts events to the wire format of the audit.
import type { Urls } from '../../http/urls.ts'
import { describedAs } from './labels.ts'
import type { EventRow } from './rows.ts'
import type { AuditEvent, AuditEventDetails } from './schema.ts'

/** The actor of scheduled work, and of the operator's commands. */
export const SYSTEM = 'system'
const SCHEMA_VERSION = 1

type Payload = Readonly<Record<string, unknown>>
type Resource = { readonly type: string; readonly id: string }

function targetOf(row: EventRow): Resource {
  const { target } = describedAs(row.type)
  if (target === 'organization') return { type: target, id: row.organization_id ?? '' }
  if (target === 'space') return { type: target, id: row.space_id ?? '' }
  if (target === 'person') return { type: 'user', id: String(row.payload.user ?? row.actor_id ?? '') }
  const [type, field] = target
  return { type, id: String(row.payload[field] ?? '') }
}

const actorOf = (row: EventRow): Resource & { readonly type: AuditEvent['actor']['type'] } =>
  row.actor_id === null ? { type: SYSTEM, id: SYSTEM } : { type: row.actor_kind ?? 'user', id: row.actor_id }

/** The ids whose names are shown. */
export const idsIn = (rows: readonly EventRow[]): string[] => [
  ...new Set(rows.flatMap(row => [targetOf(row).id, actorOf(row).id])),
]

export type Names = ReadonlyMap<string, string>

/** The name at the time of the event, if the event has it; else the current name. */
function labelOf(
  resource: Resource,
  names: Names,
  payload: Payload = {},
): { label: string } | Record<string, never> {
  const recorded = ['title', 'label', 'name']
    .map(field => payload[field])
    .find(value => typeof value === 'string')
  const label = recorded ?? names.get(`${resource.type}:${resource.id}`)
  return label === undefined || label === '' ? {} : { label }
}

export function toAuditEvent(urls: Urls, organizationId: string, row: EventRow, names: Names): AuditEvent {
  const [actor, target] = [actorOf(row), targetOf(row)]
  return {
    object: 'audit-event',
    id: row.id,
    occurredAt: row.occurred_at.toISOString(),
    action: row.type,
    actor: { ...actor, ...labelOf(actor, names) },
    source: row.source,
    target: { ...target, ...labelOf(target, names, row.payload) },
    urls: { location: urls.api(`/orgs/${organizationId}/audit-events/${row.id}`) },
  }
}

export const toAuditEventDetails = (
  urls: Urls,
  organizationId: string,
  row: EventRow,
  names: Names,
): AuditEventDetails => ({
  ...toAuditEvent(urls, organizationId, row, names),
  schemaVersion: SCHEMA_VERSION,
  payload: row.payload,
  ...(row.request_id === null ? {} : { correlationId: row.request_id }),
  address: row.address,
  token: row.token_id,
  space: row.space_id,
})
