// What somebody visits: a space as readers see it, or as a change request would make it, with what they may see.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import { fits, NO_PROOFS, type Proofs } from '../access/proofs.ts'
import { type SpecSight, specSightOf } from '../access/spec-sight.ts'
import { findCachedChangeRequest } from '../api/change-requests/place.ts'
import type { ChangeRequestRow } from '../api/change-requests/rows.ts'
import { previewHref, spaceHref } from '../api/rendering/addresses.ts'
import { findSpaceFor, type SpaceAt } from '../api/spaces/place.ts'
import type { SpaceRow } from '../api/spaces/rows.ts'
import type { Content } from '../engines/content/content.ts'
import type { CachedBodies } from '../http/cached-body.ts'
import type { Services } from '../http/context.ts'
import type { Assets } from './assets.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { navigationOf } from './navigation.ts'
import { renderMissing, renderNotice } from './notice-pages.ts'
import { pathParameter, queryParameter } from './parameters.ts'
import { cleanPath, keepProofs, proofsInAddress, proofsOf } from './proofs.ts'
import { settingsHref } from './second-factor-href.ts'
import { shellOf } from './shell.ts'
import { toSpaceView } from './views.ts'

/** What every answer of the reader needs. */
export type Site = {
  readonly services: Services
  readonly assets: Assets
  /** Documents of pages, by everything that they depend on. */
  readonly pageBodies: CachedBodies
  /** Whole spaces as Markdown and print views, by everything that they depend on. */
  readonly keptAnswers: KeptAnswers
}

/** Content that the visitor may read. */
export type Visit = {
  readonly visitor: Principal
  /** Whether the visitor is a signed-in member of the space, who may see change requests. */
  readonly isMember: boolean
  /** Whether they may propose changes. */
  readonly isWriter: boolean
  readonly space: SpaceRow
  readonly content: Content
  /** Which specifications its texts show. */
  readonly sight: SpecSight
  readonly root: string
  /** The address that the paths of its pages follow. */
  readonly base: string
}

/** The content of a change request. */
export type ChangeRequestVisit = Visit & { readonly changeRequest: ChangeRequestRow }

/**
 * Calls `answer` with the space of the address, if the visitor may read it. A visitor with a proof in the address is
 * redirected to the same address without it, and keeps it in a cookie. Other visitors learn nothing about the space,
 * unless it says itself where to send them.
 */
export async function answerVisit(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Principal,
  answer: (visit: Visit) => Promise<unknown>,
) {
  const { services } = site
  const spaceId = pathParameter(request, 'spaceId')
  const at = await findSpaceOf(services, visitor, spaceId, proofsOf(services.config, request, spaceId))
  if (at === undefined) return answerMissing(site, request, reply, visitor, undefined)
  const { space } = at
  const brought = proofsInAddress(request)
  const isFit = brought !== undefined && (await fits(services, brought, space))
  if (!isFit && !allows('space', 'view', at.role)) return answerStranger(site, request, reply, visitor, at)
  if (brought !== undefined) {
    if (isFit) keepProofs(services.config, reply, space.id, brought)
    return leadOn(reply, cleanPath(request))
  }
  if (space.visibility !== 'public') reply.header('x-robots-tag', 'noindex')
  const root = space.root_hash.toString('hex')
  const sight = 'published'
  const content = await services.contents.shown(space.id, root, sight)
  const isMember = visitor.kind === 'user' && allows('space', 'access', at.role)
  const isWriter = visitor.kind === 'user' && allows('space', 'edit', at.role)
  return answer({ visitor, isMember, isWriter, space, root, base: spaceHref(space.id), content, sight })
}

/** No Referer leaves the page, and no cache keeps the answer. */
const leadOn = (reply: FastifyReply, to: string) =>
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(to, 302)

/**
 * Redirects to the server that makes the tokens of visitors, if the space names one. A visitor with an invalid token
 * from it is not sent back: a mistake in its key would redirect the browser forever.
 */
function answerStranger(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Principal,
  { space }: SpaceAt,
) {
  const fallback = space.visibility === 'visitor-auth' ? space.visitor_fallback_url : null
  if (fallback === null || queryParameter(request, 'fragment') !== undefined)
    return answerMissing(site, request, reply, visitor, undefined)
  if (proofsInAddress(request) !== undefined)
    return reply.code(403).send(
      renderNotice(shellOf(site, request, visitor), {
        code: '403',
        title: 'This sign-in is not valid here',
        words: 'The token in the address has expired, or was issued for other documentation. Sign in again.',
      }),
    )
  const to = new URL(fallback)
  to.searchParams.set('location', cleanPath(request))
  return leadOn(reply, to.href)
}

const findSpaceOf = async (services: Services, visitor: Principal, spaceId: string, proofs: Proofs) =>
  spaceId.includes('\u0000') ? undefined : findSpaceFor({ ...services, principal: visitor, proofs }, spaceId)

// A number as in the API; only addresses of the API contain ids.
const NUMBER = /^[1-9]\d{0,8}$/

/** The space of the address, if the visitor belongs to it. */
export async function findSpaceOfMember(
  { services }: Site,
  request: FastifyRequest,
  visitor: Principal,
): Promise<SpaceAt | undefined> {
  const at = await findSpaceOf(services, visitor, pathParameter(request, 'spaceId'), NO_PROOFS)
  return at !== undefined && allows('space', 'access', at.role) ? at : undefined
}

/** The change request of the address, if the visitor belongs to its space. */
export async function findChangeRequestOfMember(
  site: Site,
  request: FastifyRequest,
  visitor: Principal,
): Promise<(SpaceAt & { readonly changeRequest: ChangeRequestRow }) | undefined> {
  const number = pathParameter(request, 'number')
  if (!NUMBER.test(number)) return undefined
  const at = await findSpaceOfMember(site, request, visitor)
  if (at === undefined) return undefined
  const changeRequest = await findCachedChangeRequest(site.services, at.space.id, number)
  return changeRequest && { ...at, changeRequest }
}

/** The content of the change request of the address, if the visitor belongs to its space. */
export async function findChangeRequestVisit(
  site: Site,
  request: FastifyRequest,
  visitor: Principal,
): Promise<ChangeRequestVisit | undefined> {
  const found = await findChangeRequestOfMember(site, request, visitor)
  if (found === undefined) return undefined
  const { space, role, changeRequest } = found
  const root = changeRequest.root_hash.toString('hex')
  const sight = specSightOf(visitor, space.organization_id)
  return {
    visitor,
    isMember: true,
    isWriter: allows('space', 'edit', role),
    space,
    changeRequest,
    root,
    base: previewHref(space.id, changeRequest.number),
    sight,
    content: await site.services.contents.shown(space.id, root, sight),
  }
}

/** 404, in the frame of the space if there is one. */
export const answerMissing = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Principal,
  visit: Visit | undefined,
) => {
  // It may be there for them once they have a second factor.
  if (visitor.kind === 'user' && visitor.session !== null && visitor.session.lacking.length > 0)
    return reply.redirect(settingsHref(request.url), 303)
  return reply.code(404).send(
    renderMissing({
      shell: shellOf(site, request, visitor),
      space: visit === undefined ? null : toSpaceView(visit.space),
      tree: visit === undefined ? [] : await navigationOf(visit.base, visit.content),
    }),
  )
}
