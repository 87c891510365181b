// Addresses below a space at which the reader once showed change requests: they lead to the workspace, which shows them.
// Anyone who is not signed in signs in first, whether anything is there or not; to who is, and does not belong to the
// space, nothing is there.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathParameter, queryParameter } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { signInHref } from '../shell.ts'
import { answerMissing, findChangeRequestOfMember, findSpaceOfMember, type Site } from '../visits.ts'
import { workspaceChangeRequestHref, workspaceChangesHref, workspaceReviewHref } from './addresses.ts'

export function serveRedirects(pages: FastifyInstance, site: Site): void {
  const lead =
    (find: typeof findSpaceOfMember, hrefOf: (request: FastifyRequest) => string) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('vary', 'Cookie')
      const visitor = await visitorOf(site.services, request)
      if (visitor.kind !== 'user') return reply.redirect(signInHref(hrefOf(request)), 302)
      const found = await find(site, request, visitor)
      if (found === undefined) return answerMissing(site, request, reply, visitor, undefined)
      return reply.redirect(hrefOf(request), 301)
    }
  pages.get('/s/:spaceId/~/changes', lead(findSpaceOfMember, listHref))
  pages.get('/s/:spaceId/~/changes/:number', lead(findChangeRequestOfMember, changeRequestHref))
  pages.get('/s/:spaceId/~/changes/:number/~/page/:pageId', lead(findChangeRequestOfMember, reviewHref))
}

// The states that the list of the workspace has by the same name.
const STATES: readonly (string | undefined)[] = ['draft', 'merged', 'archived']

function listHref(request: FastifyRequest): string {
  const href = workspaceChangesHref(pathParameter(request, 'spaceId'))
  const state = queryParameter(request, 'status')
  return STATES.includes(state) ? `${href}?filter=${state}` : href
}

const changeRequestHref = (request: FastifyRequest): string =>
  workspaceChangeRequestHref(pathParameter(request, 'spaceId'), pathParameter(request, 'number'))

const reviewHref = (request: FastifyRequest): string =>
  workspaceReviewHref(
    pathParameter(request, 'spaceId'),
    pathParameter(request, 'number'),
    pathParameter(request, 'pageId'),
  )
