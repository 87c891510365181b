// Pages as a change request would make them, for members of its space. For everybody else, none of them exists.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findBaseRoot } from '../../api/links/sources.ts'
import type { Content } from '../../engines/content/content.ts'
import { equalRecords } from '../../engines/content/records.ts'
import type { PreviewView } from '../layout/view.ts'
import { answerPath } from '../pages/page-answers.ts'
import { restOfPath } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { answerMissing, type ChangeRequestVisit, findChangeRequestVisit, type Site } from '../visits.ts'
import { workspaceChangeRequestHref, workspaceReviewHref } from '../workspace/addresses.ts'

export function servePreviews(pages: FastifyInstance, site: Site): void {
  pages.get('/s/:spaceId/~/changes/:number/*', async (request, reply) => {
    const visitor = await visitorOf(site.services, request)
    const visit = await findChangeRequestVisit(site, request, visitor)
    if (visit === undefined) return answerMissing(site, request, reply, visitor, undefined)
    return answerPreview(site, visit, request, reply)
  })
}

async function answerPreview(
  site: Site,
  visit: ChangeRequestVisit,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { services } = site
  const before = await services.contents.get(await findBaseRoot(services, visit.changeRequest))
  return answerPath(site, request, reply, visit, restOfPath(request), id =>
    toPreview(visit, id, isChanged(before, visit.content, id)),
  )
}

function toPreview({ space, changeRequest }: ChangeRequestVisit, id: string, differs: boolean): PreviewView {
  const { number, subject, status } = changeRequest
  return {
    number,
    subject: subject === '' ? 'No subject' : subject,
    status,
    href: workspaceChangeRequestHref(space.id, number),
    differencesHref: differs ? workspaceReviewHref(space.id, number, id) : null,
  }
}

/** Whether the page itself differs; its subpages are pages of their own. */
function isChanged(before: Content, after: Content, id: string): boolean {
  const [a, b] = [before.pages.get(id), after.pages.get(id)]
  return a === undefined || b === undefined || !equalRecords({ ...a, children: [] }, { ...b, children: [] })
}
