// What an integration is told of what happens where it is installed (api-facts §5.13), made from the events of this
// server. An installation is told what its scopes let it read, and of itself.
import type { Insertable } from 'kysely'
import { newEventId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { IntegrationEvents } from '../../platform/db/tables.ts'
import type { EventType } from '../../platform/events/append.ts'
import type { Placed } from '../../platform/events/positions.ts'
import {
  findListening,
  findTold,
  insertIntegrationEvents,
  type Listening,
  type ToldRow,
} from './event-rows.ts'
import type { Installation } from './schema.ts'

type Fields = { readonly type: string; readonly [field: string]: unknown }

/** What is told of one event to an installation, without ids of either. */
type Telling = (told: ToldRow, installation: Listening) => readonly Fields[]

type Payload = Readonly<Record<string, unknown>>

const reaches = (
  { scopes, spaces, status }: Listening,
  scope: Installation['scopes'][number],
  { spaceId }: ToldRow,
): boolean =>
  status === 'active' && scopes.includes(scope) && (spaces === null || spaces.includes(spaceId ?? ''))

const isOf = (told: ToldRow, { id }: Listening): boolean => (told.payload as Payload).installation === id

/** What changes or ends them is told where it is written, with what was there before, which no event keeps. */
const TELLINGS: Readonly<Partial<Record<EventType, Telling>>> = {
  'installation.created': (told, one) =>
    isOf(told, one) ? [{ type: 'installation_setup', status: one.status }] : [],
  'installation_space.created': (told, one) =>
    isOf(told, one) ? [{ type: 'space_installation_setup', spaceId: told.spaceId, status: one.status }] : [],
  'space.published': (told, one) => {
    const { revision: revisionId } = told.payload as Payload
    return reaches(one, 'space:content:read', told)
      ? [{ type: 'space_content_updated', spaceId: told.spaceId, revisionId }]
      : []
  },
  'space.git_sync_started': (told, one) => {
    const { revision: revisionId, commit: commitId } = told.payload as Payload
    return reaches(one, 'space:git:sync', told)
      ? [{ type: 'space_gitsync_started', spaceId: told.spaceId, revisionId, commitId }]
      : []
  },
  // A failure before any commit was known has nothing to name.
  'space.git_sync_completed': (told, one) => {
    const { revision: revisionId, commit: commitId, state } = told.payload as Payload
    return commitId !== undefined && reaches(one, 'space:git:sync', told)
      ? [{ type: 'space_gitsync_completed', spaceId: told.spaceId, revisionId, commitId, state }]
      : []
  },
  'space.changed': (told, one) => {
    const { before, after } = told.payload as { before?: Payload; after?: Payload }
    if (after?.visibility === undefined || !reaches(one, 'space:metadata:read', told)) return []
    const { spaceId } = told
    const [previousVisibility, { visibility }] = [before?.visibility, after]
    return [{ type: 'space_visibility_updated', spaceId, previousVisibility, visibility }]
  },
}

const tellingOf = (type: string): Telling | undefined => TELLINGS[type as EventType]

/** Told to one installation. */
export function toRow(
  { id, integration }: Pick<Listening, 'id' | 'integration'>,
  fields: Fields,
): Insertable<IntegrationEvents> {
  const eventId = newEventId()
  return {
    id: eventId,
    integration,
    installation_id: id,
    payload: JSON.stringify({ eventId, installationId: id, ...fields }),
  }
}

/** Tells installations of events that got their positions. */
export async function tellInstallations(trx: Trx, placed: readonly Placed[]): Promise<void> {
  const meant = placed.filter(({ type }) => tellingOf(type) !== undefined)
  if (meant.length === 0) return
  const listening = await findListening(trx, [...new Set(meant.map(({ organizationId }) => organizationId))])
  if (listening.length === 0) return
  const events = await findTold(
    trx,
    meant.map(({ eventId }) => eventId),
  )
  const rows = events.flatMap(told =>
    listening
      .filter(({ organization_id }) => organization_id === told.organizationId)
      .flatMap(one => (tellingOf(told.type)?.(told, one) ?? []).map(fields => toRow(one, fields)))
      .map(row => ({ ...row, created_at: told.occurredAt })),
  )
  await insertIntegrationEvents(trx, rows)
}
