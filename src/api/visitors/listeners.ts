// Access of visitors when a space is transferred to another organization. Links and keys belong to the space and its
// readers, and its new admins see them; nobody can see what tokens open, so these end.
import type { Events } from '../../platform/events/append.ts'
import { removeContentTokens } from '../accounts/content-tokens.ts'
// These declare the events.

export function listenAsVisitors(events: Events): void {
  events.within('space.leaving', (trx, { spaceId }) => removeContentTokens(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) => removeContentTokens(trx, payload.spaces))
}
