// The browsers that somebody is signed in with, and the one that asks. No operation sets a password: programs have
// tokens.
import { Type } from 'typebox'
import type { SessionMethod } from '../../access/principal.ts'
import { writeNoSession } from '../../http/cookies.ts'
import { Id, Paging, toList } from '../../http/list.ts'
import { callerOperation, type SessionContext, sessionOperation } from '../../http/operation.ts'
import { Answer } from '../../http/replies.ts'
import { SESSION_EXPIRED } from '../../http/workspace-session.ts'
import { endSession, signOut } from './actions.ts'
import { confirmSession } from './confirmation.ts'
import { findSession, listSessions, ownerOf } from './rows.ts'
import { ConfirmSession, CurrentSession, Sessions } from './schema.ts'
import { toCurrentSession, toSession } from './wire.ts'

const own = { tag: 'Accounts', scope: 'unscoped' } as const

const current = { tag: 'Accounts', scope: 'any' } as const

async function readCurrentSession({ db, config, urls, principal }: SessionContext): Promise<CurrentSession> {
  const row = await findSession(db, principal.session.id)
  if (row === undefined) throw SESSION_EXPIRED
  return toCurrentSession(urls, row, principal, askerOf(config, principal.session.method, row.provider_id))
}

/** Null too where the identity provider that it was begun with can no longer be asked. */
function askerOf(
  { oidc }: SessionContext['config'],
  method: SessionMethod,
  providerId: string | null,
): string | null {
  if (method === 'passkey') return '/account/confirm'
  const isSetUp = method === 'oidc' ? oidc !== undefined : providerId !== null
  return isSetUp ? '/sso/confirm' : null
}

export const sessionOperations = [
  sessionOperation({
    ...current,
    id: 'getCurrentSession',
    method: 'GET',
    path: '/user/session',
    summary: 'Get the session of this browser',
    description:
      'Octavo extension, for sessions alone. Who is signed in, until when, and whether they have just confirmed who they are.',
    reply: CurrentSession,
    run: ({ context }) => readCurrentSession(context),
  }),
  sessionOperation({
    ...current,
    id: 'confirmSession',
    method: 'POST',
    path: '/user/session/confirm',
    summary: 'Confirm who you are',
    description:
      'Octavo extension, for sessions alone. By what the session was begun with, as `confirmation.by` of the session says: its `password` or its `token`. Wrong passwords are counted as when signing in.',
    body: ConfirmSession,
    reply: CurrentSession,
    failures: [429],
    run: async ({ context, body }) => {
      const { principal } = context
      const confirmedAt = await confirmSession(context, body)
      return readCurrentSession({
        ...context,
        principal: { ...principal, session: { ...principal.session, confirmedAt } },
      })
    },
  }),
  sessionOperation({
    ...current,
    id: 'signOut',
    method: 'POST',
    path: '/user/session/sign-out',
    summary: 'Sign out of this browser',
    description: 'Octavo extension, for sessions alone. Ends the session and takes its cookie away.',
    run: async ({ context }) => {
      await signOut(context, context.principal)
      return new Answer<never>(204, undefined, { 'set-cookie': writeNoSession(context.config) })
    },
  }),
  callerOperation({
    ...own,
    id: 'listSessions',
    method: 'GET',
    path: '/user/sessions',
    summary: 'List your browser sessions',
    description: 'Newest first. Those that have ended are not listed.',
    query: Paging,
    reply: Sessions,
    run: async ({ context, query }) =>
      toList(await listSessions(context.db, ownerOf(context.principal), query), toSession),
  }),
  callerOperation({
    ...own,
    id: 'deleteSession',
    method: 'DELETE',
    path: '/user/sessions/{sessionId}',
    params: Type.Object({ sessionId: Id('A session of yours.') }),
    summary: 'Sign out a browser',
    absent: 'done',
    run: ({ context, params }) => endSession(context, params.sessionId),
  }),
]
