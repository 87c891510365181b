// Creating, changing, duplicating, deleting and restoring spaces. Each verb is one transaction.
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid, missing, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { defined } from '../../base/objects.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import type { ActionContext, EventContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { type Difference, differenceOf } from '../../platform/events/difference.ts'
import { checkDestination, mayCreateIn } from '../collections/destination.ts'
import { choosePosition, lockTrees } from '../collections/tree.ts'
import { checkMergeRules } from '../organizations/merge-rules.ts'
import { EMOJI_DEFAULT, readEmoji } from './emoji.ts'
import { findPositionBehind } from './order.ts'
import { insertProjection } from './projections.ts'
import { insertRevision } from './revisions.ts'
import { findSpace, insertSpace, lockAnySpace, lockSpace, type SpaceRow, updateSpace } from './rows.ts'
import { type ChangeSpace, type CreateSpace, TITLE_CHARACTERS_MAX } from './schema.ts'

export const RESTORE_WINDOW_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

type SpaceAccessSettings = { visibility: string; defaultLevel: string | null }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.created': { title: string }
    /** `before` and `after`: the settings that decide who may see it, if they changed. */
    'space.changed': { fields: string[] } & Difference<SpaceAccessSettings>
    'space.duplicated': { from: string; projection: string }
    'space.deleted': { title: string }
    'space.restored': Record<string, never>
    'space.purged': Record<string, never>
  }
}

/** An empty space: one revision without content. */
export const createSpace = (
  context: ActionContext,
  organizationId: string,
  body: CreateSpace,
): Promise<SpaceRow> => context.transaction(trx => createSpaceWithin(trx, context, organizationId, body))

/** The same within a transaction, with ids for the space and its first revision chosen by the caller. */
export async function createSpaceWithin(
  trx: Trx,
  context: EventContext,
  organizationId: string,
  body: CreateSpace,
  ids: FirstIds = newIds(),
): Promise<SpaceRow> {
  await lockTrees(trx, [organizationId])
  const parent = { organizationId, parentId: body.parent ?? null }
  await checkDestination(trx, context.principal, parent, 'body.parent')
  return beginSpace(trx, context, context.principal.user.id, organizationId, body, ids)
}

export type FirstIds = { readonly space: string; readonly revision: string }
export const newIds = (): FirstIds => ({ space: newId(), revision: newId() })

/** The space becomes the last in `body.parent`, which the caller has checked. */
export async function beginSpace(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  creatorId: string,
  organizationId: string,
  body: CreateSpace,
  ids: FirstIds = newIds(),
): Promise<SpaceRow> {
  const parentId = body.parent ?? null
  checkVisibility(body.visibility, parentId)
  await lockTrees(trx, [organizationId])
  const projection = newId()
  await insertProjection(trx, projection)
  const space = await insertWithRevision(trx, {
    ids,
    organizationId,
    creatorId,
    projection,
    root: EMPTY_ROOT,
    columns: {
      title: body.title ?? '',
      emoji: readEmoji(body.emoji ?? EMOJI_DEFAULT),
      visibility: body.visibility ?? 'private',
      edit_mode: body.editMode ?? 'live',
      language: body.language ?? null,
      search_scope: body.searchScope ?? 'organization',
      parent_id: parentId,
      position: await choosePosition(trx, { organizationId, parentId }),
    },
  })
  await events.append(trx, {
    type: 'space.created',
    organizationId,
    spaceId: space.id,
    actorId: creatorId,
    payload: { title: space.title },
  })
  return space
}

/**
 * The same content under a new id, for the price of a few rows: the new head has the same root hash and, until one of
 * the two is written to, the same set of live rows. The copy is private, without history, comments or repository, and
 * comes right after the original. Roles granted on the original are copied (the module `grants` listens). Throws
 * `forbidden` if the caller may not create spaces there: a role on the original does not suffice.
 */
export async function duplicateSpace(context: ActionContext, from: SpaceRow): Promise<SpaceRow> {
  return context.transaction(async trx => {
    await lockTrees(trx, [from.organization_id])
    // Under the lock, so that root and projection belong together.
    const origin = await lockSpace(trx, from.id)
    const current = origin === undefined ? undefined : await findSpace(trx, from.id)
    if (current?.organization_id !== from.organization_id) throw missing('space')
    const parent = { organizationId: current.organization_id, parentId: current.parent_id }
    if (!(await mayCreateIn(trx, context.principal, parent)))
      throw forbidden(
        'The duplicate is created next to this space. You need the role create there: on its collection or, without one, in the organization.',
      )
    const space = await insertWithRevision(trx, {
      organizationId: current.organization_id,
      creatorId: context.principal.user.id,
      projection: current.projection_id,
      root: current.root_hash.toString('hex'),
      columns: {
        title: toCopyTitle(current.title),
        emoji: current.emoji,
        icon_url: current.icon_url,
        visibility: 'private',
        edit_mode: current.edit_mode,
        language: current.language,
        search_scope: current.search_scope,
        parent_id: current.parent_id,
        position: await findPositionBehind(trx, current),
        default_level: current.default_level,
        merge_rules: JSON.stringify(current.merge_rules),
      },
    })
    await context.events.append(trx, {
      type: 'space.duplicated',
      organizationId: space.organization_id,
      spaceId: space.id,
      actorId: context.principal.user.id,
      payload: { from: from.id, projection: current.projection_id },
    })
    return space
  })
}

const COPY_SUFFIX = ' (copy)'

/** The title with " (copy)", cut between characters to fit the bound of titles. */
export function toCopyTitle(title: string): string {
  const kept = [...new Intl.Segmenter().segment(title)].map(part => part.segment)
  while (kept.join('').length > TITLE_CHARACTERS_MAX - COPY_SUFFIX.length) kept.pop()
  return kept.join('') + COPY_SUFFIX
}

async function insertWithRevision(
  trx: Trx,
  space: {
    ids?: FirstIds
    organizationId: string
    creatorId: string
    projection: string
    root: string
    columns: Omit<
      Parameters<typeof insertSpace>[1],
      'id' | 'organization_id' | 'revision_id' | 'projection_id'
    >
  },
): Promise<SpaceRow> {
  const { space: id, revision: revisionId } = space.ids ?? newIds()
  await insertSpace(trx, {
    ...space.columns,
    id,
    organization_id: space.organizationId,
    revision_id: revisionId,
    projection_id: space.projection,
  })
  await insertRevision(trx, {
    id: revisionId,
    spaceId: id,
    root: space.root,
    type: 'edits',
    parents: [],
    createdBy: space.creatorId,
  })
  const row = await findSpace(trx, id)
  assert(row !== undefined, 'a space that was just inserted exists')
  return row
}

export async function changeSpace(
  context: ActionContext,
  space: SpaceRow,
  body: ChangeSpace,
): Promise<SpaceRow> {
  const columns = toColumns(body)
  if (Object.keys(columns).length === 0) return space
  await checkMergeRules(context.db, space.organization_id, body.mergeRules)
  return context.transaction(async trx => {
    const current = await lockSpace(trx, space.id)
    if (current?.organization_id !== space.organization_id) throw missing('space')
    checkVisibility(body.visibility, current.parent_id)
    await updateSpace(trx, space.id, { ...columns, updated_at: now() })
    return afterwards(trx, context, space.id, 'space.changed', {
      fields: Object.keys(body).sort(),
      ...differenceOf(toAccessSettings(current), toAccessSettings({ ...current, ...columns })),
    })
  })
}

const toAccessSettings = ({
  visibility,
  default_level,
}: Pick<SpaceRow, 'visibility' | 'default_level'>): SpaceAccessSettings => ({
  visibility,
  defaultLevel: default_level === 'none' ? null : default_level,
})

/** `in-collection` needs a collection. */
function checkVisibility(visibility: SpaceRow['visibility'] | undefined, parentId: string | null): void {
  if (visibility === 'in-collection' && parentId === null)
    throw invalid(
      'visibility_without_collection',
      'body.visibility: in-collection is only for a space in a collection. Move it into one first.',
    )
}

/** `emoji` and `icon` exclude each other: one set clears the other, both null clear both. */
function toColumns(body: ChangeSpace) {
  if (typeof body.emoji === 'string' && typeof body.icon === 'string') {
    throw invalid('icon_ambiguous', 'body: send either emoji or icon, not both.')
  }
  return defined({
    title: body.title,
    language: body.language,
    search_scope: body.searchScope,
    edit_mode: body.editMode,
    visibility: body.visibility,
    default_level: body.defaultLevel === null ? ('none' as const) : body.defaultLevel,
    merge_rules: body.mergeRules === undefined ? undefined : JSON.stringify(body.mergeRules),
    emoji:
      typeof body.emoji === 'string'
        ? readEmoji(body.emoji)
        : body.emoji === null
          ? EMOJI_DEFAULT
          : undefined,
    icon_url: typeof body.emoji === 'string' ? null : body.icon,
  })
}

/** It stays for RESTORE_WINDOW_DAYS and is then removed by `spaces.purge`. Deleting twice keeps the first date. */
export async function deleteSpace(context: ActionContext, space: SpaceRow): Promise<void> {
  await context.transaction(async trx => {
    const current = await lockSpace(trx, space.id)
    if (current === undefined) return
    await updateSpace(trx, space.id, { deleted_at: now() })
    await afterwards(trx, context, space.id, 'space.deleted', { title: current.title })
  })
}

/** Returns a space that was not deleted unchanged; throws `missing` after the window. */
export async function restoreSpace(context: ActionContext, space: SpaceRow): Promise<SpaceRow> {
  return context.transaction(async trx => {
    // Under the lock, so that two restores are one, and no purge comes between reading and writing.
    await lockAnySpace(trx, space.id)
    const current = orMissing(await findSpace(trx, space.id), 'space')
    if (current.deleted_at === null) return current
    if (current.deleted_at <= purgeBefore()) throw missing('space')
    await updateSpace(trx, space.id, { deleted_at: null, updated_at: now() })
    return afterwards(trx, context, space.id, 'space.restored', {})
  })
}

/** Spaces deleted before this instant cannot come back. */
export const purgeBefore = (): Date => new Date(now().getTime() - RESTORE_WINDOW_DAYS * DAY_MS)

async function afterwards<T extends 'space.changed' | 'space.deleted' | 'space.restored'>(
  trx: Trx,
  { events, principal }: EventContext,
  spaceId: string,
  type: T,
  payload: import('../../platform/events/append.ts').EventPayloads[T],
): Promise<SpaceRow> {
  const row = await findSpace(trx, spaceId)
  if (row === undefined) throw conflict('space_purged', 'The space was removed for good in the meantime.')
  await events.append(trx, {
    type,
    organizationId: row.organization_id,
    spaceId,
    actorId: principal.user.id,
    payload,
  })
  return row
}
