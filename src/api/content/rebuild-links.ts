// Rebuilds live rows of an older version after an upgrade. Until then links to places that do not exist are reported as
// valid.
import type { Hash } from '../../engines/content/records.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { PROJECTION_VERSION, updateProjection } from '../spaces/projections.ts'
import { prepareLinks } from './projections.ts'
import { writeLinkChanges } from './written-links.ts'

type ReprojectionServices = Pick<Services, 'compute' | 'db' | 'log' | 'objects' | 'transaction'>

/** Returns how many sets of rows were rebuilt. Several processes may run it at once: each writes the same. */
export async function rebuildLinks(services: ReprojectionServices): Promise<number> {
  let made = 0
  // A set whose spaces are written to while it is rebuilt is left for the next time.
  const left: string[] = []
  for (let old = await findOld(services, left); old !== undefined; old = await findOld(services, left)) {
    const { id, space_id, root_hash } = old
    const root = root_hash.toString('hex')
    const changes = await prepareLinks(services, services.objects, space_id, EMPTY_ROOT, root)
    const isMade = await services.transaction(async trx => {
      if ((await findRoot(trx, id)) !== root) return false
      await writeLinkChanges(trx, id, changes)
      await updateProjection(trx, id, { making: PROJECTION_VERSION })
      return true
    })
    if (isMade) made += 1
    else left.push(id)
  }
  if (made > 0) services.log.info({ spaces: made }, 'rebuilt the links of spaces')
  return made
}

const findOld = ({ db }: ReprojectionServices, left: readonly string[]) => {
  const query = db
    .selectFrom('projections')
    .innerJoin('spaces', 'spaces.projection_id', 'projections.id')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select(['projections.id', 'spaces.id as space_id', 'revisions.root_hash'])
    .where('projections.making', '<', PROJECTION_VERSION)
    .orderBy('projections.id')
    .limit(1)
  return (left.length === 0 ? query : query.where('projections.id', 'not in', left)).executeTakeFirst()
}

/** The content of the rows: spaces that share them have the same content. Locks them until the transaction ends. */
export async function findRoot(trx: Trx, projectionId: string): Promise<Hash | undefined> {
  await trx.selectFrom('projections').select('id').where('id', '=', projectionId).forUpdate().execute()
  const row = await trx
    .selectFrom('spaces')
    .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
    .select('revisions.root_hash')
    .where('spaces.projection_id', '=', projectionId)
    .limit(1)
    .executeTakeFirst()
  return row?.root_hash.toString('hex')
}
