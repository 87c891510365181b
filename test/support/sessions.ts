// Somebody in a browser of a test: signed in, with the cookie of a session.
import { beginSession, type NewSession } from '../../src/api/sessions/actions.ts'
import type { PersonName, World } from './world.ts'

/** The secret of a new session; with a password unless told otherwise. */
export const signedIn = (w: World, person: PersonName, session: Partial<NewSession> = {}): Promise<string> =>
  w.services.transaction(trx =>
    beginSession(trx, w.services.events, {
      userId: w.people[person].id,
      method: 'password',
      organizationId: null,
      tokenId: null,
      address: '203.0.113.7',
      userAgent: 'a test',
      ...session,
    }),
  )

/** The Cookie header of somebody who is signed in. */
export const cookieOf = async (w: World, person: PersonName): Promise<string> =>
  `octavo_session=${await signedIn(w, person)}`
