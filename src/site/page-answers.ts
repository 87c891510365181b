// What stands at a path of a space, or of a change request of it: a page, its Markdown, or the way to one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { indexOf } from '../api/content/index-of-content.ts'
import { readText } from '../api/content/reads.ts'
import { pause } from '../base/slices.ts'
import type { PageRecord } from '../engines/content/records.ts'
import { withPlayers } from './headers.ts'
import { renderEmptySpace } from './missing.ts'
import { navigationOf } from './navigation.ts'
import { renderPage } from './page.ts'
import { findRedirect } from './redirects.ts'
import { shellOf } from './shell.ts'
import type { PreviewView } from './view.ts'
import { changeRequestsHref, listed, pageHref, printHref, toPageView, toSpaceView } from './views.ts'
import { answerMissing, type Site, type Visit } from './visits.ts'

/** `path` without slashes around it; '' is the first page. `previewOf` says of a page that it is only proposed. */
export async function answerPath(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  path: string,
  previewOf?: (id: string) => PreviewView,
) {
  const { space, content, base, root, visitor } = visit
  const shell = shellOf(site, request, visitor)
  const index = indexOf(content)
  const first = listed(content, index)[0]
  if (path === '' && first === undefined)
    return reply.send(renderEmptySpace({ shell, space: toSpaceView(space) }))
  const id = path === '' ? first : index.byPath.get(path)
  const record = id === undefined ? undefined : content.pages.get(id)
  if (id === undefined || record === undefined) return answerElsewhere(site, request, reply, visit, path)
  if (record.type === 'group') return answerGroup(site, request, reply, visit, record)
  const rendered = await site.renderer.render({ spaceId: space.id, base, root }, content, id, record)
  const tree = await navigationOf(base, content)
  await pause()
  reply.header('content-security-policy', withPlayers(rendered.html))
  return reply.send(
    renderPage({
      shell,
      space: toSpaceView(space),
      tree,
      page: toPageView(site.services, space, base, content, id, record, rendered),
      preview: previewOf?.(id) ?? null,
      member:
        visit.isMember && previewOf === undefined
          ? {
              changeRequestsHref: changeRequestsHref(space.id),
              printPageHref: printHref(space.id, id),
              printSpaceHref: printHref(space.id),
            }
          : null,
    }),
  )
}

/** A path without a page: a page as Markdown, a redirect of the repository's configuration, or nothing. */
async function answerElsewhere(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  path: string,
) {
  const { content, base } = visit
  const asMarkdown = path.endsWith('.md') ? indexOf(content).byPath.get(path.slice(0, -3)) : undefined
  const document = asMarkdown === undefined ? null : (content.pages.get(asMarkdown)?.document ?? null)
  if (document !== null) {
    return reply.type('text/markdown; charset=utf-8').send(await readText(site.services, document))
  }
  const target = await findRedirect(site.services, visit.space.id, content, path)
  if (target !== undefined) return reply.redirect(pageHref(base, target), 301)
  return answerMissing(site, request, reply, visit.visitor, visit)
}

/** A group has no text of its own: its address leads to the first page in it. */
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
