// Confirming a session at the identity provider that it was begun with: the person signs in there again. A provider
// that remembers them could answer without asking, so it has to say that it asked after the request was made.
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { markConfirmed } from '../sessions/confirmation.ts'
import { findOrBindUser } from './bindings.ts'
import { type Identity, refuse, wrongBrowser } from './identity.ts'
import type { RequestRow } from './requests.ts'

/** The difference between two clocks that are both kept right. */
const CLOCK_SKEW_MS = 60_000

/** Throws a Failure unless the same person was asked who they are. */
export async function confirmAtProvider(
  trx: Trx,
  services: Pick<Services, 'events'>,
  { session_id, provider_id, created_at }: RequestRow,
  identity: Identity,
): Promise<void> {
  const session = await trx
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('id', '=', session_id)
    .executeTakeFirst()
  if (session === undefined) throw wrongBrowser()
  const user = await findOrBindUser(trx, provider_id, identity, async () => {
    throw otherPerson()
  })
  if (user.id !== session.user_id) throw otherPerson()
  const begun = created_at.getTime()
  const asked = Date.parse(identity.authenticatedAt ?? '')
  if (!(asked >= begun - CLOCK_SKEW_MS))
    throw refuse(
      'confirmation_stale',
      'Your identity provider did not ask who you are, or does not say when it did. Its administrator can let it ask: it was told to (prompt=login and max_age=0, or ForceAuthn), and has to answer with the time (auth_time, or AuthnInstant).',
    )
  const at = new Date(Math.min(now().getTime(), Math.max(asked, begun)))
  await markConfirmed(trx, services, { user, session }, 'provider', at)
}

const otherPerson = () =>
  refuse(
    'confirmation_of_other',
    'You signed in at the identity provider as somebody else than you are here. Sign in there as the same person, or sign out here first.',
  )
