// Edits of comments and replies: which fields the caller may change, and what changes.
import { type Action, allows, type RoleOn } from '../../access/policy.ts'
import { type Author, authorIdOf } from '../../access/principal.ts'
import { forbidden } from '../../base/errors.ts'
import { keysOf } from '../../base/objects.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { readBody } from './body.ts'
import { type Discussion, roleOnComment } from './place.ts'
import { changeReactions, type Reactions, type ReactionTarget, readReactions } from './reactions.ts'
import type { CommentRow, ReplyRow } from './rows.ts'
import type { UpdateComment } from './schema.ts'

/** `text`: undefined where the body stays. */
export type Edits = { readonly text: string | undefined; readonly reactions: Reactions }

/**
 * The edits that a request asks for. One request can edit, resolve and react: admission requires the least of the
 * roles, and each field is checked here. Throws `forbidden` for the first field that the caller may not change.
 */
export async function readEdits(
  context: ActionContext<Author>,
  { space, role }: Discussion,
  row: CommentRow | ReplyRow,
  body: UpdateComment,
): Promise<Edits> {
  requireFields(roleOnComment(context.principal, role, row), body)
  return {
    text: body.body && (await readBody(context, space.id, 'body.body', body.body)),
    reactions: readReactions(body),
  }
}

type Need = { readonly action: Action<'comment'>; readonly who: string }

/** TypeScript requires an entry for each field. */
const NEEDS: { readonly [Field in keyof UpdateComment]-?: Need } = {
  body: { action: 'edit', who: 'its author, or an admin of the space, may edit it' },
  resolved: {
    action: 'resolve',
    who: 'its author, or somebody with the role review on the space, may resolve or reopen it',
  },
  addedReactions: { action: 'react', who: 'somebody with the role comment on the space may react' },
  removedReactions: { action: 'react', who: 'somebody with the role comment on the space may react' },
}

function requireFields(role: RoleOn<'comment'> | null, body: UpdateComment): void {
  for (const field of keysOf(NEEDS)) {
    const { action, who } = NEEDS[field]
    if (body[field] === undefined || allows('comment', action, role)) continue
    throw forbidden(`body.${field}: only ${who}.`)
  }
}

/** Writes the reactions; answers the text to write, if it differs, and which fields change. The row is locked. */
export async function applyEdits(
  trx: Trx,
  author: Author,
  target: ReactionTarget,
  row: CommentRow | ReplyRow,
  { text, reactions }: Edits,
): Promise<{ readonly text: string | undefined; readonly fields: string[] }> {
  await requireAuthor(trx, author)
  const isReacted = await changeReactions(trx, target, row.id, authorIdOf(author), reactions)
  const isEdited = text !== undefined && text !== row.body
  return {
    text: isEdited ? text : undefined,
    fields: [...(isEdited ? ['body'] : []), ...(isReacted ? ['reactions'] : [])],
  }
}
