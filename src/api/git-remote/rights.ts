// The right to push is checked before the pack is read, which may take an hour, and again when it is applied.
import { sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import { Failure } from '../../base/errors.ts'
import type { Context, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'

/** The current rights of the person who pushes. */
export type Rights = {
  readonly context: Context
  /** Throws RightsMoved if anything that decides them has changed since. */
  readonly makeSure: (trx: Trx) => Promise<void>
}

class RightsMoved extends Error {
  override readonly name = 'RightsMoved'
}

/** @throws Failure: that of `admit`. */
async function readRights(
  { db }: Pick<Services, 'db'>,
  spaceId: string,
  admit: () => Promise<Context>,
): Promise<Rights> {
  const before = await findVersion(db, spaceId)
  const context = await admit()
  const { principal } = context
  assert(principal.kind === 'user', 'nobody else is admitted')
  const { tokenId } = principal
  return {
    context,
    async makeSure(trx) {
      const isMoved = (await findVersion(trx, spaceId)) !== before
      if (isMoved || (tokenId !== null && !(await isThere(trx, tokenId)))) throw new RightsMoved()
    },
  }
}

// After this many lost races, rights are most likely changed continuously.
const ATTEMPTS_MAX = 5

/**
 * Runs a write with the rights of the person who pushes; runs it again if the rights have changed.
 *
 * @throws Failure: that of `admit`.
 */
export async function whileRightsHold<T>(
  services: Pick<Services, 'db'>,
  spaceId: string,
  admit: () => Promise<Context>,
  write: (rights: Rights) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(await readRights(services, spaceId, admit))
    } catch (error) {
      if (!(error instanceof RightsMoved)) throw error
      if (attempt < ATTEMPTS_MAX) continue
      const message = 'Permissions kept changing in the meantime. Push again.'
      throw new Failure('conflict', 'rights_moved', message, error)
    }
  }
}

/** Changes with everything that decides roles in the organization of the space: see access_versions. */
async function findVersion(db: Services['db'] | Trx, spaceId: string): Promise<string> {
  const row = await db
    .selectFrom('spaces')
    .leftJoin('access_versions', 'access_versions.organization_id', 'spaces.organization_id')
    .select(sql<string | null>`access_versions.version::text`.as('version'))
    .where('spaces.id', '=', spaceId)
    .executeTakeFirst()
  return row?.version ?? ''
}

async function isThere(trx: Trx, tokenId: string): Promise<boolean> {
  const row = await trx.selectFrom('tokens').select('id').where('id', '=', tokenId).executeTakeFirst()
  return row !== undefined
}
