// The events of integrations, made from the events of this server. An installation gets those that its
// scopes let it read, and those about itself.
import { newEventId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { EventPayloads, EventType } from '../../platform/events/append.ts'
import type { PositionedEvent } from '../../platform/events/positions.ts'
// The events that are converted are declared there.

import {
  findListeners,
  findSourceEvents,
  insertIntegrationEvents,
  type Listener,
  type NewIntegrationEvent,
  type SourceEvent,
} from './event-rows.ts'
import type { Installation } from './schema.ts'

type Fields = { readonly type: string; readonly [field: string]: unknown }

type Convert<Payload> = (
  event: SourceEvent & { readonly payload: Payload },
  installation: Listener,
) => readonly Fields[]

/** What an installation gets for an event, without the ids of either. */
type Conversions = { readonly [Type in EventType]?: Convert<EventPayloads[Type]> }

const reaches = (
  { scopes, spaces, status }: Listener,
  scope: Installation['scopes'][number],
  { spaceId }: SourceEvent,
): boolean =>
  status === 'active' && scopes.includes(scope) && (spaces === null || spaces.includes(spaceId ?? ''))

/**
 * Changes and deletions of installations are missing: they carry the state before, which no event has, so they are
 * inserted where they happen.
 */
const CONVERSIONS: Conversions = {
  'installation.created': ({ payload }, { id, status }) =>
    payload.installation === id ? [{ type: 'installation_setup', status }] : [],
  'installation_space.created': ({ payload, spaceId }, { id, status }) =>
    payload.installation === id ? [{ type: 'space_installation_setup', spaceId, status }] : [],
  'space.published': (event, installation) => {
    const { spaceId, payload } = event
    return reaches(installation, 'space:content:read', event)
      ? [{ type: 'space_content_updated', spaceId, revisionId: payload.revision }]
      : []
  },
  'space.git_sync_started': (event, installation) => {
    const { spaceId, payload } = event
    return reaches(installation, 'space:git:sync', event)
      ? [
          {
            type: 'space_gitsync_started',
            spaceId,
            revisionId: payload.revision,
            commitId: payload.commit,
          },
        ]
      : []
  },
  // A failure before any commit was known has nothing to name.
  'space.git_sync_completed': (event, installation) => {
    const { spaceId, payload } = event
    const { revision: revisionId, commit: commitId, state } = payload
    return commitId !== undefined && reaches(installation, 'space:git:sync', event)
      ? [{ type: 'space_gitsync_completed', spaceId, revisionId, commitId, state }]
      : []
  },
  'space.changed': (event, installation) => {
    const { spaceId, payload } = event
    const { before, after } = payload
    if (after?.visibility === undefined || !reaches(installation, 'space:metadata:read', event)) return []
    return [
      {
        type: 'space_visibility_updated',
        spaceId,
        previousVisibility: before?.visibility,
        visibility: after.visibility,
      },
    ]
  },
}

// An event's type and payload come from one row, so the payload is the one that its conversion takes.
const conversionOf: ReadonlyMap<string, Convert<never>> = new Map(Object.entries(CONVERSIONS))

const toEvent = (
  { id, integration }: Pick<Listener, 'id' | 'integration'>,
  fields: Fields,
): NewIntegrationEvent => {
  const eventId = newEventId()
  return {
    id: eventId,
    integration,
    installation_id: id,
    payload: { eventId, installationId: id, ...fields },
  }
}

/** An event about the installation itself. */
export const insertInstallationEvent = (
  trx: Trx,
  installation: Pick<Listener, 'id' | 'integration'>,
  fields: Fields,
): Promise<void> => insertIntegrationEvents(trx, [toEvent(installation, fields)])

/** Converts events that got their positions, for the installations that they concern. */
export async function convertPlacedEvents(trx: Trx, placed: readonly PositionedEvent[]): Promise<void> {
  const convertible = placed.filter(({ type }) => conversionOf.has(type))
  if (convertible.length === 0) return
  const organizationIds = new Set(convertible.map(({ organizationId }) => organizationId))
  const listeners = await findListeners(trx, [...organizationIds])
  if (listeners.length === 0) return
  const events = await findSourceEvents(
    trx,
    convertible.map(({ eventId }) => eventId),
  )
  await insertIntegrationEvents(trx, convert(events, listeners))
}

/** One after the other: each event may become one of every installation. */
function* convert(
  events: readonly SourceEvent[],
  listeners: readonly Listener[],
): Generator<NewIntegrationEvent> {
  const ofOrganization = Map.groupBy(listeners, ({ organization_id }) => organization_id)
  // A conversion is found by the type of the event that it takes.
  for (const event of events)
    for (const one of ofOrganization.get(event.organizationId) ?? [])
      for (const fields of conversionOf.get(event.type)?.(event as never, one) ?? [])
        yield { ...toEvent(one, fields), created_at: event.occurredAt }
}
