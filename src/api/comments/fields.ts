// Who may change which field of a comment or a reply. One request can edit, resolve and react, so admission lets in
// whoever may do the least of it, and each field that is sent is decided here, from the policy table.
import { type Action, allows, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { forbidden } from '../../base/errors.ts'
import { roleOnComment } from './place.ts'
import type { UpdateComment } from './schema.ts'

type Need = { readonly action: Action<'comment'>; readonly who: string }

/** A field without a line here does not compile. */
const NEEDS: Readonly<Record<keyof UpdateComment, Need>> = {
  body: { action: 'edit', who: 'whoever wrote it, or an admin of the space, may edit it' },
  resolved: {
    action: 'resolve',
    who: 'whoever wrote it, or somebody with the role review on the space, may resolve or reopen it',
  },
  addedReactions: { action: 'react', who: 'somebody with the role comment on the space may react' },
  removedReactions: { action: 'react', who: 'somebody with the role comment on the space may react' },
}

/** Throws `forbidden` for the first field that this caller may not change. */
export function requireFields(
  principal: Principal,
  roleOnSpace: RoleOn<'space'> | null,
  remark: { readonly posted_by: string },
  body: UpdateComment,
): void {
  const role = roleOnComment(principal, roleOnSpace, remark)
  for (const [field, { action, who }] of Object.entries(NEEDS)) {
    if (body[field as keyof UpdateComment] === undefined || allows('comment', action, role)) continue
    throw forbidden(`body.${field}: only ${who}.`)
  }
}
