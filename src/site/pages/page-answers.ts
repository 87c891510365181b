// Answers to a path of a space or a change request: a page, its Markdown, or a redirect.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { indexOf } from '../../api/content/index-of-content.ts'
import { findRedirect } from '../../api/content/redirects.ts'
import { pageHref, spaceHref } from '../../api/rendering/addresses.ts'
import { digestOf } from '../../api/rendering/render.ts'
import { pause } from '../../base/slices.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { sendCachedBody } from '../../http/cached-body.ts'
import { widenPolicy } from '../headers.ts'
import type { MemberLinks, PreviewView } from '../layout/view.ts'
import { prefersMarkdown } from '../markdown/accept.ts'
import { answerList, answerMarkdown, LISTS, type ListName } from '../markdown/answers.ts'
import { navigationOf } from '../navigation.ts'
import { renderEmptySpace } from '../notice-pages.ts'
import { shellOf, signInHref } from '../shell.ts'
import { listed, markdownHrefOf, pdfHref, printHref, toPageView, toSpaceView } from '../views.ts'
import { answerMissing, type Site, type Visit } from '../visits.ts'
import { workspaceChangesHref, workspaceHistoryHref, workspacePageHref } from '../workspace/addresses.ts'
import { renderPage } from './page.ts'

/**
 * A page with exactly this path comes first: `notes.md` may be its own name.
 *
 * `path` without slashes around it; '' is the first page. `previewOf` says of a page that it is only proposed. */
export async function answerPath(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  path: string,
  previewOf?: (id: string) => PreviewView,
) {
  const { space, content, base, root, visitor, sight } = visit
  reply.header('vary', 'Accept')
  const shell = shellOf(site, request, visitor)
  const index = indexOf(content)
  const first = listed(content, index)[0]
  if (path === '' && first === undefined)
    return reply.send(renderEmptySpace({ shell, space: toSpaceView(space) }))
  const id = path === '' ? first : index.byPath.get(path)
  const record = id === undefined ? undefined : content.pages.get(id)
  if (id === undefined || record === undefined) return answerElsewhere(site, request, reply, visit, path)
  if (record.type === 'group') return answerGroup(site, request, reply, visit, record)
  if (prefersMarkdown(request.headers.accept)) return answerMarkdown(site, request, reply, visit, id, record)
  const rendered = await site.services.rendering.pages.render(
    { spaceId: space.id, base, root, sight },
    content,
    id,
    record,
  )
  const markdownHref = markdownHrefOf(base, content, id)
  reply
    .header('vary', 'Accept, Accept-Encoding, Cookie')
    .header(
      'content-security-policy',
      widenPolicy(String(reply.getHeader('content-security-policy')), rendered),
    )
  if (markdownHref !== null) reply.header('link', `<${markdownHref}>; rel="alternate"; type="text/markdown"`)
  const preview = previewOf?.(id) ?? null
  const around = { ...shell, signInHref: signInHref(pageHref(base, path)) }
  const view = { shell: around, space: toSpaceView(space), preview, member: memberLinks(visit, id, preview) }
  const key = [root, content.expansion?.digest, base, id, space.visibility, digestOf(rendered), view]
  const body = await site.pageBodies.get(JSON.stringify(key), async () => {
    const tree = await navigationOf(base, content)
    await pause()
    const page = toPageView(site.services, space, base, content, id, record, rendered)
    return Buffer.from(renderPage({ ...view, tree, page }))
  })
  return sendCachedBody(reply, request, body)
}

/** Links on a published page, for members of its space. */
function memberLinks(
  { space, isMember, isWriter }: Visit,
  id: string,
  preview: PreviewView | null,
): MemberLinks | null {
  if (!isMember || preview !== null) return null
  return {
    editHref: isWriter ? workspacePageHref(space.id, id) : null,
    changeRequestsHref: workspaceChangesHref(space.id),
    historyHref: workspaceHistoryHref(space.id),
    pdfPageHref: pdfHref(space.id, id),
    pdfSpaceHref: pdfHref(space.id),
    printPageHref: printHref(space.id, id),
    printSpaceHref: printHref(space.id),
  }
}

/** A path without a page: Markdown for programs, a redirect of the repository's configuration, or nothing. */
async function answerElsewhere(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  path: string,
) {
  const { content, base } = visit
  if (base === spaceHref(visit.space.id) && isList(path)) return answerList(site, request, reply, visit, path)
  const id = path.endsWith('.md') ? indexOf(content).byPath.get(path.slice(0, -3)) : undefined
  const record = id === undefined ? undefined : content.pages.get(id)
  if (id !== undefined && record?.type === 'document')
    return answerMarkdown(site, request, reply, visit, id, record)
  const target = await findRedirect(site.services, visit.space.id, content, path)
  if (target !== undefined) return reply.redirect(pageHref(base, target), 301)
  return answerMissing(site, request, reply, visit.visitor, visit)
}

const isList = (path: string): path is ListName => LISTS.some(name => name === path)

/** A group has no text: its address redirects to its first page. */
async function answerGroup(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  group: PageRecord,
) {
  const { content, base } = visit
  const first = group.children.find(id => content.pages.get(id)?.type === 'document')
  if (first === undefined) return answerMissing(site, request, reply, visit.visitor, visit)
  return reply.redirect(pageHref(base, indexOf(content).paths.get(first) ?? ''), 302)
}
