// Applying a suggestion: the text that it suggests takes the place of the one that it was made on, and the comment is
// resolved, in one transaction.
import { allows } from '../../access/policy.ts'
import { authorIdOf } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import { conflict, Failure, invalid, missing, orMissing, tooLarge } from '../../base/errors.ts'
import { pageKey } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { AuthorContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findCachedChangeRequest } from '../change-requests/place.ts'
import { readText } from '../content/reads.ts'
import { editChangeRequest, editSpace } from '../edits/actions.ts'
import { findCachedSpace } from '../spaces/place.ts'
import { about, by } from './actions.ts'
import { type CommentAt, discussionId } from './place.ts'
import { type CommentRow, findComment, lockComment, updateToApplied } from './rows.ts'

// Writers of other processes may move the head in between.
const ATTEMPTS_MAX = 5

/**
 * Throws `forbidden` for those who may not edit, `invalid` for a comment without a suggestion, and `conflict` if it was
 * applied already or the text that it was made on is another now.
 */
export async function applySuggestion(context: AuthorContext, at: CommentAt): Promise<CommentRow> {
  if (!allows('space', 'edit', at.role))
    throw new Failure(
      'forbidden',
      'role_too_weak',
      'Only somebody with the role edit on the space may apply a suggestion.',
    ).withValues({ role: String(at.role), needed: 'edit' })
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyAtHead(context, at)
      return orMissing(await findComment(context.db, discussionId(at), at.comment.id), 'comment')
    } catch (error) {
      const isOvertaken = error instanceof Failure && error.code === 'head_moved'
      if (!isOvertaken || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function applyAtHead(context: AuthorContext, at: CommentAt): Promise<void> {
  const { space, changeRequest } = at
  const head = orMissing(
    changeRequest === null
      ? await findCachedSpace(context, space.id)
      : await findCachedChangeRequest(context, space.id, changeRequest.id),
    changeRequest === null ? 'space' : 'change request',
  )
  const comment = orMissing(await findComment(context.db, discussionId(at), at.comment.id), 'comment')
  const page = comment.page_id
  const markdown = await readSuggested(context, head.root_hash.toString('hex'), comment)
  assert(page !== null, 'a suggestion is on a page')
  const changes = [{ operation: 'update_page' as const, page, document: { markdown } }]
  const alongside = (trx: Trx) => resolveApplied(trx, context, at)
  // The text was made of this head, so that it is written over no other.
  const caller = { ...context, ifMatch: [head.revision_id] }
  if (changeRequest === null) await editSpace(caller, space, changes, { alongside })
  else await editChangeRequest(caller, changeRequest, changes, { alongside })
}

/** The text of the page with the suggestion in it. */
async function readSuggested(context: AuthorContext, root: string, comment: CommentRow): Promise<string> {
  const { page_id, node, suggestion_before: before, suggestion_after: after } = comment
  if (page_id === null || node === null || before === null || after === null)
    throw invalid('suggestion_missing', 'This comment suggests nothing.')
  if (comment.applied_at !== null) throw alreadyApplied()
  const key = pageKey(page_id)
  const record = (await readEntries(context.objects, root, [key])).get(key)
  if (record === undefined || comment.outdated || record.document === null) throw overtaken()
  const markdown = await readText(context, record.document)
  const outcome = await context.compute.run('appliedSuggestion', comment.space_id, {
    markdown,
    node,
    before,
    after,
  })
  if (outcome.kind === 'beyond')
    throw tooLarge('page_too_large', 'This page is too much to apply a suggestion to. Edit its text.')
  if (outcome.value === null) throw overtaken()
  return outcome.value
}

async function resolveApplied(trx: Trx, context: AuthorContext, at: CommentAt): Promise<void> {
  const { principal, events } = context
  const row = await lockComment(trx, at.comment.id)
  if (row === undefined) throw missing('comment')
  if (row.applied_at !== null) throw alreadyApplied()
  await updateToApplied(trx, row.id, authorIdOf(principal))
  if (row.resolved_at !== null) return
  await events.append(trx, { ...by(principal, at), type: 'comment.resolved', payload: about(row) })
}

const alreadyApplied = () => conflict('suggestion_applied', 'This suggestion was applied already.')

const overtaken = () =>
  conflict(
    'suggestion_overtaken',
    'The text that this suggestion was made on has changed meanwhile. Read it again, and suggest or edit it anew.',
  )
