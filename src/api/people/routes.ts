// What people may ask of those who keep their data: a copy of it (GDPR article 15), and that it goes (article 17).
import type { UserPrincipal } from '../../access/principal.ts'
import { forbidden, invalid } from '../../base/errors.ts'
import { callerOperation } from '../../http/operation.ts'
import { Download } from '../../http/replies.ts'
import { beginErasing } from './erase.ts'
import { writePerson } from './export.ts'
import { EraseAccount, PersonExport } from './schema.ts'

const own = { tag: 'Accounts', scope: 'unscoped' } as const

export const peopleOperations = [
  callerOperation({
    ...own,
    id: 'exportAccount',
    method: 'GET',
    path: '/user/export',
    summary: 'Export your data',
    description:
      'A file with everything that names you or that you wrote: account, memberships, sessions, tokens without their secrets, notifications, change requests, comments, reviews, revisions, what the audit has of you, and what others did about you. It is written as it is read; one that breaks off is not valid JSON. Octavo extension.',
    reply: PersonExport,
    isDownload: true,
    sensitive: true,
    run: async ({ context }) => {
      const { user } = requireWholeAccount(context.principal)
      return new Download(`octavo-${user.id}.json`, writePerson(context, user))
    },
  }),
  callerOperation({
    ...own,
    id: 'eraseAccount',
    method: 'POST',
    path: '/user/erasure',
    summary: 'Delete your account',
    description:
      'Ends your access at once. Your account, memberships, sessions, tokens, notifications and watches are removed, and cannot be brought back. What you wrote stays, by "Deleted person". The only admin of an organization makes somebody else an admin first: 409. Octavo extension.',
    body: EraseAccount,
    failures: [409],
    sensitive: true,
    run: async ({ context, body }) => {
      const { user } = requireWholeAccount(context.principal)
      if (body.email.toLowerCase() !== user.email.toLowerCase())
        throw invalid('email_differs', 'body.email: this is not the email address of your account.')
      await beginErasing(context, user.id, user.id)
    },
  }),
]

function requireWholeAccount(principal: UserPrincipal): UserPrincipal {
  if (principal.onlyIn === null) return principal
  throw forbidden(
    'You are signed in to one organization only, and your account belongs to all of yours. Use a password, or a token that is not limited.',
  )
}
