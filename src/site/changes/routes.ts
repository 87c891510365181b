// Change requests in the reader, for members of the space: what is proposed, what differs, and every page as it would
// be. For everybody else, none of it exists.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readText } from '../../api/content/reads.ts'
import { addressBelow, addressesFrom, spaceHref } from '../../api/rendering/addresses.ts'
import { variablesOf } from '../../api/rendering/render.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageChange } from '../../engines/content/diff.ts'
import { equalRecords, type PageRecord } from '../../engines/content/records.ts'
import { navigationOf } from '../navigation.ts'
import { answerPath } from '../pages/page-answers.ts'
import { pathParameter, queryParameter, restOfPath } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import { toSpaceView } from '../views.ts'
import {
  answerMissing,
  answerVisit,
  type ChangeRequestVisit,
  findChangeRequestVisit,
  type Site,
  type Visit,
} from '../visits.ts'
import { toBlockViews, type Version } from './blocks.ts'
import { compare, differencesHref, findBase, toChangeRequestView, toHead } from './change-request.ts'
import { renderChangeRequest } from './change-request-page.ts'
import { renderDifferences } from './differences-page.ts'
import { listStateOfSpace, readState, renderChangeRequests } from './list.ts'
import { toFacts, toWords } from './metadata.ts'

type Answer = (visit: ChangeRequestVisit, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function serveChanges(pages: FastifyInstance, site: Site): void {
  const visited = (answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitorOf(site.services, request)
    const visit = await findChangeRequestVisit(site, request, visitor)
    if (visit === undefined) return answerMissing(site, request, reply, visitor, undefined)
    return answer(visit, request, reply)
  }
  pages.get('/s/:spaceId/~/changes', async (request, reply) => {
    const visitor = await visitorOf(site.services, request)
    return answerVisit(site, request, reply, visitor, async visit =>
      visit.isMember
        ? answerChangeRequests(site, visit, request, reply)
        : answerMissing(site, request, reply, visitor, visit),
    )
  })
  pages.get(
    '/s/:spaceId/~/changes/:number',
    visited((visit, request, reply) => answerChangeRequest(site, visit, request, reply)),
  )
  pages.get(
    '/s/:spaceId/~/changes/:number/~/page/:pageId',
    visited((visit, request, reply) => answerDifferences(site, visit, request, reply)),
  )
  pages.get(
    '/s/:spaceId/~/changes/:number/*',
    visited((visit, request, reply) => answerPreview(site, visit, request, reply)),
  )
}

async function answerChangeRequests(site: Site, visit: Visit, request: FastifyRequest, reply: FastifyReply) {
  const state = readState(queryParameter(request, 'status'))
  const list = await listStateOfSpace(site.services, visit.space.id, state, queryParameter(request, 'page'))
  return reply.send(renderChangeRequests({ ...(await aroundOf(site, visit, request)), list }))
}

const aroundOf = async (site: Site, { visitor, space, base, content }: Visit, request: FastifyRequest) => ({
  shell: shellOf(site, request, visitor),
  space: toSpaceView(space),
  tree: await navigationOf(base, content),
})

async function answerChangeRequest(
  site: Site,
  visit: ChangeRequestVisit,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const changeRequest = await toChangeRequestView(site.services, visit)
  return reply.send(renderChangeRequest({ ...(await aroundOf(site, visit, request)), changeRequest }))
}

async function answerPreview(
  site: Site,
  visit: ChangeRequestVisit,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const path = restOfPath(request)
  const before = await findBase(site.services, visit)
  return answerPath(site, request, reply, visit, path, id => ({
    ...toHead(visit),
    differencesHref: isChanged(before, visit.content, id) ? differencesHref(visit.base, id) : null,
  }))
}

/** Whether the page itself differs; its subpages are pages of their own. */
function isChanged(before: Content, after: Content, id: string): boolean {
  const [a, b] = [before.pages.get(id), after.pages.get(id)]
  return a === undefined || b === undefined || !equalRecords({ ...a, children: [] }, { ...b, children: [] })
}

async function answerDifferences(
  site: Site,
  visit: ChangeRequestVisit,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const pageId = pathParameter(request, 'pageId')
  const { content, base } = visit
  const compared = await compare(site.services, visit)
  const change = compared.difference.pages.find(({ id }) => id === pageId)
  const record = change?.after ?? change?.before ?? content.pages.get(pageId)
  if (record === undefined) return answerMissing(site, request, reply, visit.visitor, visit)
  const isThere = content.pages.get(pageId)?.type === 'document'
  const texts = await readBlocks(site, visit, compared.base, change)
  return reply.send(
    renderDifferences({
      ...(await aroundOf(site, visit, request)),
      changeRequest: toHead(visit),
      page: {
        id: pageId,
        title: record.title,
        kinds: change === undefined ? [] : toWords(change),
        href: isThere ? addressBelow(base, content)(pageId, '') : null,
      },
      facts:
        change === undefined
          ? []
          : toFacts(
              change,
              id => compared.base.pages.get(id),
              id => content.pages.get(id),
            ),
      ...texts,
    }),
  )
}

async function readBlocks(
  site: Site,
  { space, base, content }: ChangeRequestVisit,
  baseContent: Content,
  change: PageChange | undefined,
) {
  const hasText = change !== undefined && (change.kind !== 'changed' || change.isEdited)
  if (!hasText) return { blocks: [], more: 0, isTooMuch: false }
  const before = await readVersion(site, baseContent, spaceHref(space.id), change.before)
  const after = await readVersion(site, content, base, change.after)
  const told = await toBlockViews(site.services, space.id, { before, after })
  return told === undefined ? { blocks: [], more: 0, isTooMuch: true } : { ...told, isTooMuch: false }
}

async function readVersion(
  { services }: Site,
  content: Content,
  base: string,
  record: PageRecord | null,
): Promise<Version> {
  const document = record?.document ?? null
  const file = record?.file ?? ''
  return {
    markdown: document === null ? '' : await readText(services, document),
    variables: variablesOf(content, record ?? {}),
    find: addressesFrom(services, content, file, addressBelow(base, content)),
    given: [content, base, file],
  }
}
