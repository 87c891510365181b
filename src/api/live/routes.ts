// What moves, while somebody looks: one stream for everything that a person may see.
import { callerStream } from '../../http/operation.ts'
import { LiveEvent, StreamLive } from './schema.ts'
import { streamLive } from './stream.ts'

export const liveOperations = [
  callerStream({
    id: 'streamLive',
    path: '/stream',
    summary: 'Stream what changes',
    description:
      'Octavo extension. Server-sent events, each of which names what moved and carries no content: read that again. Rights are checked for each event. The stream ends when the server stops, when the session or token ends, and when your memberships change; begin again then, and read again what you show.',
    tag: 'Events',
    scope: 'space:read',
    query: StreamLive,
    reply: LiveEvent,
    failures: [429],
    run: async ({ context, query, signal }) => streamLive(context, query, signal),
  }),
]
