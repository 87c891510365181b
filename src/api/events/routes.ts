// The feed of events of an organization, read from a cursor.
import { LIMIT_ITEMS_DEFAULT } from '../../base/list-limits.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { placeEvents } from '../../platform/events/positions.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findLastPosition, readFeed } from './rows.ts'
import { EventFeed, ListEvents } from './schema.ts'
import { readCursor, toCursor, toEvent } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

export const eventOperations = mount(
  [inOrganization],
  [
    operation({
      id: 'listOrganizationEvents',
      method: 'GET',
      path: '/events',
      summary: 'List events of an organization, from a cursor',
      description:
        'Octavo extension. Oldest first, limited to what you may see: events of a space are for its members, events about access to it for its admins. No event is ever added before a cursor. A cursor works with any filters.',
      tag: 'Events',
      may: 'view',
      scope: 'organization:events:read',
      query: ListEvents,
      reply: EventFeed,
      run: async ({ context, at, query }) => {
        const { db, urls, principal } = context
        const { id } = at.organization
        const { cursor, limit = LIMIT_ITEMS_DEFAULT, types, space } = query
        await placeEvents(context)
        if (cursor === 'now')
          return { items: [], cursor: toCursor(id, await findLastPosition(db, id)), hasMore: false }
        const after = cursor === undefined ? 0 : readCursor(id, cursor)
        const feed = await readFeed(db, principal, { organizationId: id, after, limit, types, space })
        return {
          items: feed.items.map(row => toEvent(urls, id, row)),
          cursor: toCursor(id, feed.position),
          hasMore: feed.hasMore,
        }
      },
    }),
  ],
)
