// What the head of a space publishes of the private objects that its texts name. A text stays as it is written. A name
// that a write adds is published if its author may see what it names, or if the head publishes it already; so nobody
// shows to readers through a text what they may not see themselves.
import { type RawBuilder, sql } from 'kysely'
import { seesAllSpecs } from '../../access/spec-sight.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Services } from '../../http/context.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { findRevision } from '../spaces/revisions.ts'
import { lockSpace } from '../spaces/rows.ts'
import { type NamedReference, type NamedReferences, specOfSource } from './named-references.ts'

const ROWS_INSERTED_MAX = 1000

/** Whose write makes what head. */
export type Publisher = {
  readonly spaceId: string
  readonly organizationId: string
  readonly authorId: string | null
}

/** The additions come first: what the head publishes already may move to another page. */
export function* referenceWrites(
  { spaceId, organizationId, authorId }: Publisher,
  { sources, named, added }: NamedReferences,
): Generator<RawBuilder<unknown>> {
  const maySee = sql`(${seesAllSpecs(authorId, sql`${organizationId}`)} or exists (
    select from published_references as known
    where known.space_id = ${spaceId} and known.kind = 'openapi' and known.name = added.name))`
  for (const batch of batchesOf(added, ROWS_INSERTED_MAX))
    yield sql`insert into published_references (space_id, source_id, kind, name)
      select ${spaceId}, source_id, 'openapi', name from ${rowsOf(batch)} as added (source_id, name) where ${maySee}
      on conflict do nothing`
  if (sources.length > 0)
    yield sql`delete from published_references
      where space_id = ${spaceId} and source_id = any(${[...sources]}::text[])
        and (source_id, name) not in (select source_id, name from ${rowsOf(named)} as named (source_id, name))`
}

const rowsOf = (references: readonly NamedReference[]) =>
  sql`unnest(${references.map(row => row.source_id)}::text[], ${references.map(row => row.name)}::text[])`

/** A private specification that a text names and the head of the space does not publish yet. */
export type UnpublishedSpec = { readonly id: string; readonly slug: string }

/** By slug. */
export async function listUnpublished(
  db: Db,
  space: { readonly id: string; readonly organization_id: string },
  names: readonly string[],
): Promise<UnpublishedSpec[]> {
  const { rows } = await sql<UnpublishedSpec>`
    select id, slug from openapi_specs
    where organization_id = ${space.organization_id} and visibility <> 'public'
      and (slug = any(${[...names]}::text[]) or source_url = any(${[...names]}::text[]))
      and not exists (select from published_references where space_id = ${space.id} and kind = 'openapi'
        and name in (openapi_specs.slug, openapi_specs.source_url))
    order by slug`.execute(db)
  return rows
}

/** A copy publishes what its author may see, and so does a space in the organization that it is transferred to. */
export function listenAsPublishedReferences(events: Events): void {
  events.within('space.duplicated', async (trx, { organizationId, spaceId, actorId = null, payload }) => {
    await sql`insert into published_references (space_id, source_id, kind, name)
      select ${spaceId}, source_id, kind, name from published_references
      where space_id = ${payload.from} and ${seesAllSpecs(actorId, sql`${organizationId}`)}`.execute(trx)
  })
  events.within('space.transferred', (trx, { organizationId, spaceId, actorId = null }) =>
    removeUnseen(trx, spaceId ? [spaceId] : [], actorId, organizationId),
  )
  events.within('collection.transferred', (trx, { organizationId, actorId = null, payload }) =>
    removeUnseen(trx, payload.spaces, actorId, organizationId),
  )
}

async function removeUnseen(
  trx: Trx,
  spaceIds: readonly string[],
  actorId: string | null,
  organizationId: string | null | undefined,
): Promise<void> {
  await sql`delete from published_references where space_id = any(${[...spaceIds]}::text[])
    and not ${seesAllSpecs(actorId, sql`${organizationId}`)}`.execute(trx)
}

/**
 * Publishes what the computed pages of a space name that were at its head under `root`, as far as they still are.
 * Idempotent.
 */
export async function publishComputed(
  { contents, transaction }: Pick<Services, 'contents' | 'transaction'>,
  spaceId: string,
  root: string,
): Promise<void> {
  const before = computedIn(await contents.get(root))
  await transaction(async trx => {
    const space = await lockSpace(trx, spaceId)
    const head = space && (await findRevision(trx, spaceId, space.revision_id))
    if (head === undefined) return
    const now = computedIn(await contents.get(head.root_hash.toString('hex')))
    const kept = [...now].filter(([id, name]) => before.get(id) === name)
    for (const batch of batchesOf(kept, ROWS_INSERTED_MAX))
      await sql`insert into published_references (space_id, source_id, kind, name)
        select ${spaceId}, source_id, 'openapi', name
        from ${rowsOf(batch.map(([id, name]) => ({ source_id: id, name })))} as kept (source_id, name)
        on conflict do nothing`.execute(trx)
  })
}

function computedIn({ pages }: Content): Map<string, string> {
  const names = new Map<string, string>()
  for (const [id, { computed }] of pages) {
    const name = computed && specOfSource(computed)
    if (name !== undefined) names.set(id, name)
  }
  return names
}
