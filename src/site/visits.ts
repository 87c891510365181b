// What somebody visits: a space as readers see it, or a change request of it as it would be, with what they may see.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import { NO_PROOFS } from '../access/proofs.ts'
import { findFreshChangeRequest } from '../api/change-requests/place.ts'
import type { ChangeRequestRow } from '../api/change-requests/rows.ts'
import { findSpaceFor } from '../api/spaces/place.ts'
import type { SpaceRow } from '../api/spaces/rows.ts'
import type { Content } from '../engines/content/content.ts'
import type { Services } from '../http/context.ts'
import type { Assets } from './assets.ts'
import { renderMissing } from './missing.ts'
import type { PageRenderer } from './render.ts'
import { shellOf } from './shell.ts'
import { changeRequestHref, spaceHref, toSpaceView, toTree } from './views.ts'

/** What every answer of the reader is made with. */
export type Site = {
  readonly services: Services
  readonly assets: Assets
  readonly renderer: PageRenderer
}

/** Content that the visitor may read. */
export type Visit = {
  readonly visitor: Principal
  readonly space: SpaceRow
  readonly content: Content
  readonly root: string
  /** The address that the paths of its pages follow. */
  readonly base: string
}

/** The content of a change request. */
export type ProposalVisit = Visit & { readonly changeRequest: ChangeRequestRow }

/** The space of the address, if the visitor may read it. */
export async function findVisit(
  { services }: Site,
  request: FastifyRequest,
  visitor: Principal,
): Promise<Visit | undefined> {
  const { spaceId } = request.params as { spaceId: string }
  const at = await findSpaceOf(services, visitor, spaceId)
  if (at === undefined || !allows('space', 'view', at.role)) return undefined
  const { space } = at
  const root = space.root_hash.toString('hex')
  return { visitor, space, root, base: spaceHref(space.id), content: await services.contents.get(root) }
}

const findSpaceOf = async (services: Services, visitor: Principal, spaceId: string) =>
  spaceId.includes('\u0000')
    ? undefined
    : findSpaceFor({ ...services, principal: visitor, proofs: NO_PROOFS }, spaceId)

// A number as the API gives them; ids stand in addresses of the API alone.
const NUMBER = /^[1-9]\d{0,8}$/

/** The change request of the address, if the visitor belongs to its space. */
export async function findProposalVisit(
  { services }: Site,
  request: FastifyRequest,
  visitor: Principal,
): Promise<ProposalVisit | undefined> {
  const { spaceId, number } = request.params as { spaceId: string; number: string }
  if (!NUMBER.test(number)) return undefined
  const at = await findSpaceOf(services, visitor, spaceId)
  if (at === undefined || !allows('space', 'access', at.role)) return undefined
  const { space } = at
  const changeRequest = await findFreshChangeRequest(services, spaceId, number)
  if (changeRequest === undefined) return undefined
  const root = changeRequest.root_hash.toString('hex')
  const base = changeRequestHref(space.id, changeRequest.number)
  return { visitor, space, changeRequest, root, base, content: await services.contents.get(root) }
}

/** 404, in the space where the visitor stands in one. */
export const answerMissing = (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Principal,
  visit: Visit | undefined,
) =>
  reply.code(404).send(
    renderMissing({
      shell: shellOf(site, request, visitor),
      space: visit === undefined ? null : toSpaceView(visit.space),
      tree: visit === undefined ? [] : toTree(visit.base, visit.content),
    }),
  )
