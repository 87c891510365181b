// The input of a merge decision: the heads of both sides, the rules and their input. Read once to decide, and again
// under the locks to make sure that it is unchanged.
import type { RoleOn } from '../../access/policy.ts'
import { type Author, authorIdOf } from '../../access/principal.ts'
import { canonicalJson, type Json } from '../../base/canonical.ts'
import { orMissing } from '../../base/errors.ts'
import { isObject } from '../../base/objects.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { Context } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findAuthor } from '../accounts/programs.ts'
import { toUser } from '../accounts/wire.ts'
import { type ChangeRequestRow, findChangeRequest } from '../change-requests/rows.ts'
import { isOutdated } from '../change-requests/state.ts'
import { toWholeChangeRequest } from '../change-requests/wire.ts'
import { listReviews } from '../reviews/rows.ts'
import { toReview } from '../reviews/wire.ts'
import { countInSpaces, getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import { toSpace } from '../spaces/wire.ts'
import { listedUsers, type MergeRule, type RuleContext } from './rules.ts'

export type State = {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
  readonly rules: readonly MergeRule[]
  readonly ruleContext: RuleContext
}

type MergeContext = Pick<Context, 'urls'> & { readonly principal: Author }
type Where = {
  readonly space: { readonly id: string }
  readonly changeRequest: { readonly id: string }
  readonly role: RoleOn<'space'> | null
}

// Each reviewer has one current review; no rule waits for more than this.
const REVIEWS_MAX = 1_000

/**
 * Throws `missing` if the space or the change request was deleted. `before` is the space before this transaction moved
 * its head: the decision is about that head.
 */
export async function readState(
  db: Db | Trx,
  context: MergeContext,
  where: Where,
  before?: Pick<SpaceRow, 'revision_id' | 'root_hash' | 'updated_at'>,
): Promise<State> {
  const stored = await getUndeletedSpace(db, where.space.id)
  return readStateOf(db, context, where, before === undefined ? stored : { ...stored, ...headOf(before) })
}

/** As if the space had these rules. */
export async function readStateUnder(
  db: Db,
  context: MergeContext,
  where: Where,
  mergeRules: SpaceRow['merge_rules'],
): Promise<State> {
  const space = await getUndeletedSpace(db, where.space.id)
  return readStateOf(db, context, where, { ...space, merge_rules: mergeRules })
}

async function readStateOf(
  db: Db | Trx,
  context: MergeContext,
  where: Where,
  space: SpaceRow,
): Promise<State> {
  const { urls, principal } = context
  const found = orMissing(await findChangeRequest(db, where.changeRequest.id), 'change request')
  const changeRequest = { ...found, space_revision_id: space.revision_id }
  const rules = await findMergeRules(db, space)
  const reviews = rules.length === 0 ? [] : await currentReviews(db, changeRequest.id)
  const ruleContext: RuleContext = {
    actor: authorIdOf(principal),
    author: changeRequest.created_by,
    subject: changeRequest.subject,
    hasDescription: hasContent(changeRequest.description),
    isOutdated: isOutdated(changeRequest),
    reviews: reviews.map(({ id, reviewer, status }) => ({ id, reviewer: reviewer.id, status })),
    names: await findNames(db, listedUsers(rules)),
    // Shapes of the wire are JSON; their declared types have no index signature, which Json asks for.
    values: rules.some(rule => rule.rule === 'custom')
      ? ({
          space: toSpace(urls, where.role, space, (await countInSpaces(db, [space.id])).get(space.id)),
          // A rule decides alike for everybody.
          changeRequest: toWholeChangeRequest(urls, changeRequest),
          reviews: reviews.map(row => toReview(urls, space.id, row, undefined)),
          actor: toUser(urls, await findAuthor(db, principal)),
        } as unknown as RuleContext['values'])
      : null,
  }
  return { space, changeRequest, rules, ruleContext }
}

const headOf = ({
  revision_id,
  root_hash,
  updated_at,
}: Pick<SpaceRow, 'revision_id' | 'root_hash' | 'updated_at'>) => ({ revision_id, root_hash, updated_at })

const currentReviews = async (db: Db | Trx, changeRequestId: string) =>
  (await listReviews(db, changeRequestId, { outdated: false, limit: REVIEWS_MAX })).items

/** Equal for two states if every decision about a merge is the same for both. */
export const fingerprint = ({ space, changeRequest, rules, ruleContext }: State): string =>
  // Rules and their context are JSON, as above.
  canonicalJson({
    heads: [space.revision_id, changeRequest.revision_id],
    ancestor: changeRequest.revision_merged_ancestor_id,
    status: changeRequest.status,
    rules,
    ruleContext: { ...ruleContext, names: [...ruleContext.names] },
  } as unknown as Json)

/** Whether a document contains anything visible. */
export function hasContent(document: JSONDocument | null): boolean {
  const waiting: unknown[] = [document]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isObject(next)) continue
    const { text, isVoid, nodes, leaves, fragments } = next
    if (isVoid === true || (typeof text === 'string' && text.trim() !== '')) return true
    for (const inside of [nodes, leaves, fragments]) if (Array.isArray(inside)) waiting.push(...inside)
  }
  return false
}

/** The rules that apply to a space: its own, or those of its organization. */
async function findMergeRules(db: Db | Trx, space: SpaceRow): Promise<readonly MergeRule[]> {
  const own = space.merge_rules
  if (own.type !== 'inherit') return own.type === 'rules' ? own.rules : []
  const organization = await db
    .selectFrom('organizations')
    .select('merge_rules')
    .where('id', '=', space.organization_id)
    .executeTakeFirstOrThrow()
  const inherited = organization.merge_rules
  return inherited.type === 'rules' ? inherited.rules : []
}

/** Names of people, by id; unknown ids are absent. */
async function findNames(db: Db | Trx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'display_name', 'email'])
    .where('id', 'in', [...userIds])
    .execute()
  return new Map(rows.map(row => [row.id, row.display_name || row.email]))
}
