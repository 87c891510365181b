// The routes of the reader, for every kind of page: what `urls.app`, `urls.published` and `urls.public` point to. It
// only reads.
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { indexOf } from '../../api/content/index-of-content.ts'
import { pageHref } from '../../api/rendering/addresses.ts'
import { type SearchRequest, searchSpace } from '../../api/search/search.ts'
import { toSearchPage } from '../../api/search/wire.ts'
import { Failure } from '../../base/errors.ts'
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { createCachedBodies } from '../../http/cached-body.ts'
import type { Services } from '../../http/context.ts'
import { statusOf } from '../../http/failures.ts'
import { serveFactorSettings } from '../account/factor-routes.ts'
import { serveAccount } from '../account/routes.ts'
import type { Assets } from '../assets.ts'
import { takeOwnForms } from '../forms.ts'
import { readerHeaders } from '../headers.ts'
import { createKeptAnswers } from '../kept-answers.ts'
import type { SearchHit, SearchView } from '../layout/view.ts'
import { navigationOf } from '../navigation.ts'
import { renderNotice } from '../notice-pages.ts'
import { serveConsent } from '../oauth/routes.ts'
import { answerPath } from '../pages/page-answers.ts'
import { queryParameter, restOfPath } from '../parameters.ts'
import { servePdf } from '../pdf/routes.ts'
import { servePreviews } from '../preview/routes.ts'
import { servePrint } from '../print/routes.ts'
import { HTML_TYPE, sendMarkup, sendPrivateMarkup } from '../send-page.ts'
import { serveAssets } from '../serve-assets.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import { serveSignIn } from '../sign-in/routes.ts'
import { hasOrganization, listReadableSpaces } from '../spaces.ts'
import { markMatches, toSpaceCard, toSpaceView } from '../views.ts'
import { answerVisit, type Site, type Visit } from '../visits.ts'
import { serveRedirects } from '../workspace/redirects.ts'
import { serveWorkspace } from '../workspace/routes.ts'
import { renderHome } from './home.ts'
import { serveInvitations } from './invitations.ts'
import { renderSearch, renderSearchFragment } from './search.ts'

const PAGES_BYTES_MAX = 24 * 1024 * 1024
const SEARCH_HITS = 20
const WORKSPACE = '/w'
// `/?reader` shows members the spaces as visitors see them.
const READER = 'reader'

export function serveReader(app: FastifyInstance, services: Services, assets: Assets): void {
  serveAssets(app, assets)
  serveWorkspace(app, services, assets)
  const pageBodies = createCachedBodies(PAGES_BYTES_MAX, HTML_TYPE, services.signingKey)
  const keptAnswers = createKeptAnswers(join(services.config.home, 'answers'))
  app.addHook('preClose', () => keptAnswers.close())
  const site: Site = { services, assets, pageBodies, keptAnswers }
  const reader = new Reader(site)
  app.register(async pages => {
    pages.addHook('onRequest', async (request, reply) => {
      reply
        .headers(readerHeaders(services.config, request))
        .header('cache-control', 'private, no-cache')
        .type(HTML_TYPE)
    })
    takeOwnForms(pages, services)
    pages.setErrorHandler((error, request, reply) => answerRefused(site, error, request, reply))
    serveSignIn(pages, site)
    serveAccount(pages, site)
    serveFactorSettings(pages, site)
    serveConsent(pages, site)
    serveInvitations(pages, site)
    pages.get('/', (request, reply) => reader.home(request, reply))
    pages.get('/s/:spaceId/~/search', (request, reply) => reader.search(request, reply))
    servePreviews(pages, site)
    serveRedirects(pages, site)
    servePrint(pages, site)
    servePdf(pages, site)
    pages.get('/s/:spaceId', (request, reply) => reader.page(request, reply))
    pages.get('/s/:spaceId/*', (request, reply) => reader.page(request, reply))
  })
}

/** A form is refused with a page, because it was sent from one. */
async function answerRefused(site: Site, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== 'POST' || !(error instanceof Failure)) throw error
  const code = String(statusOf(error.kind))
  const shell = shellOf(site, request, await visitorOf(site.services, request))
  const notice = { code, title: 'That did not work', words: error.message }
  return reply
    .code(Number(code))
    .type(HTML_TYPE)
    .send(renderNotice({ ...shell, signInHref: '/sign-in' }, notice))
}

class Reader {
  readonly #site: Site
  readonly #services: Services

  constructor(site: Site) {
    this.#site = site
    this.#services = site.services
  }

  async home(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    if (queryParameter(request, READER) === undefined && (await hasOrganization(this.#services.db, visitor)))
      return reply.header('vary', 'Cookie').redirect(WORKSPACE, 302)
    const spaces = await listReadableSpaces(this.#services.db, visitor)
    const shell = shellOf(this.#site, request, visitor)
    return sendMarkup(reply, request, renderHome({ shell, spaces: spaces.map(toSpaceCard) }))
  }

  async page(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    return answerVisit(this.#site, request, reply, visitor, visit =>
      answerPath(this.#site, request, reply, visit, restOfPath(request)),
    )
  }

  async search(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    return answerVisit(this.#site, request, reply, visitor, visit =>
      this.#answerSearch(visit, request, reply),
    )
  }

  async #answerSearch(visit: Visit, request: FastifyRequest, reply: FastifyReply) {
    const query = queryParameter(request, 'q')?.slice(0, 256) ?? ''
    const isTyped = queryParameter(request, 'fragment') === '1'
    const view = await this.#find(visit, {
      query,
      page: queryParameter(request, 'page'),
      // Searching while typing does not call a model for each key. Other searches end soon by themselves.
      meaning: isTyped ? undefined : new AbortController().signal,
    })
    const { space, content, base, visitor } = visit
    const shell = shellOf(this.#site, request, visitor)
    const markup = isTyped
      ? String(renderSearchFragment(view))
      : renderSearch({
          shell,
          space: toSpaceView(space),
          tree: await navigationOf(base, content),
          search: view,
        })
    return space.visibility === 'public'
      ? sendMarkup(reply, request, markup)
      : sendPrivateMarkup(reply, request, markup)
  }

  async #find(
    { space, content, base }: Visit,
    { query, page, meaning }: Pick<SearchRequest, 'query' | 'page' | 'meaning'>,
  ): Promise<SearchView> {
    if (query.trim() === '') return { query: '', hits: [], count: 0, corrections: [], nextHref: null }
    const found = await searchSpace(this.#services, space, { query, page, meaning, limit: SEARCH_HITS })
    const index = indexOf(content)
    const hits = found.items.map((one): SearchHit => {
      const hit = toSearchPage(this.#services.urls, one)
      const record = content.pages.get(hit.id)
      const href = pageHref(base, index.paths.get(hit.id) ?? hit.path)
      return {
        title: markMatches(hit.title, one.highlight),
        href,
        emoji: record?.emoji ?? null,
        icon: record?.icon ?? null,
        breadcrumbs: trailOf(content, record),
        snippet: markMatches(record?.description ?? '', one.highlight),
        sections: (hit.sections ?? []).map(section => ({
          title: markMatches(section.title, one.highlight),
          href: `${href}${section.path.slice(hit.path.length)}`,
          snippet: markMatches(section.body, one.highlight),
        })),
      }
    })
    const next = found.next === undefined ? null : new URLSearchParams({ q: query, page: found.next })
    return {
      query,
      hits,
      count: found.count,
      corrections: found.corrections.flatMap(({ read }) => read.slice(0, 1)),
      nextHref: next === null ? null : `${base}/~/search?${next}`,
    }
  }
}

/** Titles of the ancestors, outermost first. */
function trailOf(content: Content, record: PageRecord | undefined): string[] {
  const trail: string[] = []
  for (let id = record?.parent ?? null; id !== null; ) {
    const parent = content.pages.get(id)
    if (parent === undefined) break
    trail.unshift(parent.title)
    id = parent.parent
  }
  return trail
}
