// What the stream says of an event.
import type { EventRow } from '../events/rows.ts'
import type { LiveEvent } from './schema.ts'

const KINDS: readonly (readonly [prefix: string, type: LiveEvent['type']])[] = [
  ['space.published', 'head'],
  ['space.rolled_back', 'head'],
  ['space.git_sync_', 'gitOperation'],
  ['space.repository_', 'gitOperation'],
  ['space.changed', 'space'],
  ['space.', 'spaces'],
  ['collection.', 'spaces'],
  ['change_request.', 'changeRequest'],
  ['agent_task.', 'changeRequest'],
  ['comment.', 'comment'],
  ['comment_reply.', 'comment'],
  ['share_link.', 'space'],
]

export type LiveRow = Pick<EventRow, 'type' | 'organization_id' | 'space_id' | 'payload'>

export function toLiveEvent({ type, organization_id, space_id, payload }: LiveRow): LiveEvent {
  const kind = kindOf(type, payload)
  const organization = organization_id === null ? {} : { organization: organization_id }
  // Who may see a space or a collection that came, went or moved is found by reading the list.
  if (kind === 'spaces' || kind === 'organization' || space_id === null)
    return { type: space_id === null && kind !== 'spaces' ? 'organization' : kind, ...organization }
  return {
    type: kind,
    ...organization,
    space: space_id,
    ...named('changeRequest', payload.changeRequest),
    ...named('comment', payload.comment),
  }
}

function kindOf(type: string, payload: LiveRow['payload']): LiveEvent['type'] {
  // Who may see it has changed: those who no longer may are told as well.
  if (type === 'space.changed' && payload.before !== undefined) return 'spaces'
  if (type === 'organization.changed' && [payload.fields].flat().includes('defaultRole')) return 'spaces'
  return KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'organization'
}

const named = (name: 'changeRequest' | 'comment', value: unknown) =>
  typeof value === 'string' ? { [name]: value } : {}
