// Opens a print address, as long as the person who asked for it may read its content.
import { allows } from '../../access/policy.ts'
import { NO_PROOFS } from '../../access/proofs.ts'
import { type SpecSight, specSightOf } from '../../access/spec-sight.ts'
import type { Context, Services } from '../../http/context.ts'
import { NO_PRECONDITIONS } from '../../http/preconditions.ts'
import { onChangeRequest } from '../change-requests/place.ts'
import type { ChangeRequestRow } from '../change-requests/rows.ts'
import { findCachedRevision, onRevision } from '../content/place.ts'
import type { RevisionRow } from '../spaces/revisions.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import type { PrintAddress } from './address.ts'

type Opened = {
  readonly space: SpaceRow
  readonly revision: RevisionRow
  readonly changeRequest: ChangeRequestRow | null
  readonly sight: SpecSight
}

/** Undefined if it was deleted, or if the person who asked for the address may not read it any more. */
export async function openPrinted(services: Services, address: PrintAddress): Promise<Opened | undefined> {
  const { spaceId, revisionId } = address
  const principal = await services.principals.findPerson(address.makerId)
  const revision = await findCachedRevision(services, spaceId, revisionId)
  if (principal === undefined || revision === undefined) return undefined
  const context: Context = { ...services, ...NO_PRECONDITIONS, principal, proofs: NO_PROOFS, requestId: '' }
  const changeRequestId = revision.change_request_id
  if (changeRequestId === null) {
    const at = await onRevision.find(context, { spaceId, revisionId })
    if (at === undefined || !allows('space', 'view', onRevision.role(principal, at))) return undefined
    return { space: at.space, revision, changeRequest: null, sight: at.sight }
  }
  const at = await onChangeRequest.find(context, { spaceId, changeRequestId })
  if (at === undefined || !allows('space', 'view', onChangeRequest.role(principal, at))) return undefined
  const sight = specSightOf(principal, at.space.organization_id)
  return { space: at.space, revision, changeRequest: at.changeRequest, sight }
}
