// Setting and removing the repository that a space is synchronized with.

import { openSecrets, sealSecrets } from '../../access/sealed-secrets.ts'
import { now } from '../../base/clock.ts'
import { Failure, orMissing, unavailable } from '../../base/errors.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { readExportRequest } from '../git-sync/request.ts'
import { lockSpace } from '../spaces/rows.ts'
import { removeSyncs, replaceSync, type SyncRow } from './rows.ts'
import type { SetGitSync } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `url`: without user and password. */
    'space.git_sync_set': { url: string; ref: string; push: boolean }
    'space.git_sync_removed': Record<string, never>
  }
}

/** Stored encrypted: the address with user and password, and the secret that its host signs with. */
export type SyncSecrets = { readonly remote: string; readonly hook: string }

/** @throws Failure unavailable `credentials_unreadable` if the key of the installation has changed. */
export function readSecrets({ signingKey }: Pick<Services, 'signingKey'>, row: SyncRow): SyncSecrets {
  try {
    const { remote = '', hook = '' } = openSecrets(signingKey, row.secrets)
    return { remote, hook }
  } catch (error) {
    const message =
      'The credentials of this repository were encrypted with another key of the installation. Set it up again.'
    throw unavailable('credentials_unreadable', message, error)
  }
}

/**
 * Returns the row, and the secret of its hook.
 *
 * @throws Failure invalid: those of an export, and `address_refused`.
 */
export async function setSync(
  context: SignedInContext,
  spaceId: string,
  body: SetGitSync,
): Promise<{ row: SyncRow; secret: string }> {
  const request = readExportRequest({ ...body, commitMessage: '' })
  await refusePrivate(context, request.remote.host)
  const secret = newSecret()
  const secrets: SyncSecrets = { remote: body.url, hook: secret }
  const row = await context.transaction(async trx => {
    const space = orMissing(await lockSpace(trx, spaceId), 'space')
    const written = await replaceSync(trx, {
      space_id: spaceId,
      url: request.remote.url,
      ref: request.ref,
      project_directory: request.projectDirectory,
      secrets: sealSecrets(context.signingKey, secrets),
      owner_id: context.principal.user.id,
      pull_every_minutes: body.pullEveryMinutes ?? null,
      pushes: body.push ?? false,
      push_due_at: body.push === true ? now() : null,
    })
    await context.events.append(trx, {
      type: 'space.git_sync_set',
      organizationId: space.organization_id,
      spaceId,
      actorId: context.principal.user.id,
      payload: { url: written.url, ref: written.ref, push: written.pushes },
    })
    return written
  })
  return { row, secret }
}

/** A name that does not resolve now is accepted: every import and export checks again. */
async function refusePrivate({ guard }: Pick<Services, 'guard'>, host: string): Promise<void> {
  try {
    await guard.check(host)
  } catch (reason) {
    if (!(reason instanceof Failure) || reason.kind !== 'unavailable') throw reason
  }
}

/** Idempotent: succeeds if there is none. */
export const removeSync = (context: SignedInContext, spaceId: string): Promise<void> =>
  context.transaction(async trx => {
    const space = orMissing(await lockSpace(trx, spaceId), 'space')
    if (!(await removeSyncs(trx, [spaceId]))) return
    await context.events.append(trx, {
      type: 'space.git_sync_removed',
      organizationId: space.organization_id,
      spaceId,
      actorId: context.principal.user.id,
      payload: {},
    })
  })
