// The first start: an administrator, an organization, and the product's own docs as a space to read at once.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createUser, issueToken } from '../api/accounts/actions.ts'
import { verifyEmail } from '../api/accounts/verify-email.ts'
import { importFolder } from '../api/git-sync/import.ts'
import { beginOrganization } from '../api/organizations/actions.ts'
import { createPasswordLink } from '../api/sessions/password-links.ts'
import { beginSpace } from '../api/spaces/actions.ts'
import { newSecret } from '../base/ids.ts'
import type { Services } from '../http/context.ts'
import { findSetting, insertSetting, removeSetting } from '../platform/db/settings.ts'

const DOCS_FOLDER = join(import.meta.dirname, '../../docs')
const ADMIN_TOKEN_LABEL = 'first administrator'

export type FirstStart = {
  readonly token: string
  /** Where the administrator chooses a password, once. */
  readonly passwordPath: string
  readonly spaceId: string
}

/**
 * Fills an empty database; undefined if an earlier start has done so. The token is written to its file before the
 * database knows it, so a start after a kill in between finds it again; a start killed before it prints the token
 * leaves that to the next one.
 */
export async function startFirst(services: Services): Promise<FirstStart | undefined> {
  const token = await begin(services)
  const pending = await findSetting<PendingDocs>(services.db, PENDING_DOCS)
  if (pending === undefined) return undefined
  await importDocs(services, pending)
  const kept = token ?? findKept(services.config.home)
  if (kept === undefined) return undefined
  const { spaceId, adminId } = pending
  const passwordPath = await services.transaction(trx =>
    createPasswordLink(trx, adminId, { isMailed: false }),
  )
  return { token: kept, passwordPath, spaceId }
}

type PendingDocs = { readonly spaceId: string; readonly adminId: string }

async function begin(services: Services): Promise<string | undefined> {
  const { config, transaction, events } = services
  return transaction(async trx => {
    // Two processes that start on one new database take turns; the second finds it filled.
    await sql`select pg_advisory_xact_lock(hashtext('octavo first start'))`.execute(trx)
    if ((await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined)
      return undefined
    const token = config.adminToken ?? keepToken(config.home)
    const admin = await createUser(trx, config.adminEmail)
    // the operator vouches for this address
    await verifyEmail(trx, events, admin.id)
    await issueToken(trx, { userId: admin.id, label: ADMIN_TOKEN_LABEL, secret: token })
    const organization = await beginOrganization(trx, events, admin.id, { title: 'My organization' })
    const space = await beginSpace(trx, services, admin.id, organization.id, {
      title: 'Octavo',
      emoji: '\u{1f4d8}',
      visibility: 'public',
      // What people look for is their own documentation; the guide is searched in its own space.
      searchScope: 'space',
    })
    const pending: PendingDocs = { spaceId: space.id, adminId: admin.id }
    await insertSetting(trx, PENDING_DOCS, pending)
    return token
  })
}

/** The token in `OCTAVO_HOME/admin-token`, made now unless an interrupted first start left one. */
function keepToken(home: string): string {
  const kept = findKept(home)
  if (kept !== undefined) return kept
  const token = `octv_${newSecret()}`
  writeFileSync(tokenPath(home), `${token}\n`, { mode: 0o600, flush: true })
  return token
}

const tokenPath = (home: string): string => join(home, 'admin-token')

function findKept(home: string): string | undefined {
  const path = tokenPath(home)
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  return text === '' ? undefined : text
}

const PENDING_DOCS = 'pending_docs'

async function importDocs(services: Services, { spaceId, adminId }: PendingDocs): Promise<void> {
  try {
    await importFolder(services, { spaceId, folder: DOCS_FOLDER, createdBy: adminId })
    await services.transaction(trx => removeSetting(trx, PENDING_DOCS))
  } catch (error) {
    services.log.warn(
      { err: error },
      "the product's own docs could not be imported; the next start tries again",
    )
  }
}
