// Which private objects a merge of a change request publishes, because its texts name them.
import type { Principal } from '../../access/principal.ts'
import { specSightOf } from '../../access/spec-sight.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import { knownIn } from '../content/document-rows.ts'
import { prepareReferences } from '../content/projections.ts'
import { listUnpublished, type UnpublishedSpec } from '../content/published-references.ts'
import type { SpaceRow } from '../spaces/rows.ts'

type PublishingServices = Pick<Services, 'compute' | 'db' | 'objects'>

const KEPT_CHARACTERS_MAX = 1_000_000
const ENTRY_CHARACTERS = 200
const kept = createImmutableCache<readonly string[]>({
  maxSize: KEPT_CHARACTERS_MAX,
  sizeCalculation: names => names.reduce((sum, { length }) => sum + length, ENTRY_CHARACTERS),
})

/** For a merge by somebody: none of those that they may not see, since these are not published. */
export async function listPublishing(
  services: PublishingServices,
  principal: Principal,
  space: Pick<SpaceRow, 'id' | 'organization_id'>,
  { base, theirs }: { readonly base: Hash; readonly theirs: Hash },
): Promise<readonly UnpublishedSpec[]> {
  if (specSightOf(principal, space.organization_id) !== 'everything') return []
  const names = await kept.get(`${base} ${theirs}`, () => listAdded(services, space.id, base, theirs))
  return names.length === 0 ? [] : listUnpublished(services.db, space, names)
}

async function listAdded(
  services: PublishingServices,
  spaceId: string,
  base: Hash,
  theirs: Hash,
): Promise<readonly string[]> {
  const known = knownIn(services.db)
  const { added } = await prepareReferences(services, services.objects, spaceId, base, theirs, known)
  return [...new Set(added.map(({ name }) => name))]
}
