// The reader: what `urls.app`, `urls.published` and `urls.public` point to. It reads, and nothing else.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import { roleOnSpace } from '../access/roles.ts'
import { indexOf } from '../api/content/index-of-content.ts'
import { readText } from '../api/content/reads.ts'
import { search } from '../api/search/search.ts'
import { findFreshSpace } from '../api/spaces/place.ts'
import type { SpaceRow } from '../api/spaces/rows.ts'
import { Failure } from '../base/errors.ts'
import type { Content } from '../engines/content/content.ts'
import type { PageRecord } from '../engines/content/records.ts'
import { queryTerms } from '../engines/search/terms.ts'
import type { Services } from '../http/context.ts'
import { ASSET_CACHE_CONTROL, ASSETS_PATH, type Assets } from './assets.ts'
import { READER_HEADERS } from './headers.ts'
import { createHighlighter } from './highlight.ts'
import { renderHome } from './home.ts'
import { renderEmptySpace, renderMissing } from './missing.ts'
import { renderPage } from './page.ts'
import { findRedirect } from './redirects.ts'
import { createPageRenderer, type PageRenderer } from './render.ts'
import { renderSearch, renderSearchFragment } from './search.ts'
import { findReader, readNext, signIn, signOut, visitorOf } from './session.ts'
import { shellOf } from './shell.ts'
import { renderSignIn } from './sign-in.ts'
import { listReadableSpaces } from './spaces.ts'
import type { SearchHit, SearchView } from './view.ts'
import {
  listed,
  markMatches,
  pageHref,
  spaceHref,
  toPageView,
  toSpaceCard,
  toSpaceView,
  toTree,
} from './views.ts'

const RENDERED_BYTES_MAX = 64 * 1024 * 1024
const FORM_BYTES_MAX = 4096
const SEARCH_HITS = 20

/** A space the visitor may read, with its content. */
type Visit = {
  readonly visitor: Principal
  readonly space: SpaceRow
  readonly content: Content
  readonly root: string
}

export function serveReader(app: FastifyInstance, services: Services, assets: Assets): void {
  const highlighter = createHighlighter()
  const renderer = createPageRenderer(services, highlighter, RENDERED_BYTES_MAX)
  app.addHook('onClose', () => highlighter.close())
  serveAssets(app, assets)
  const reader = new Reader(services, assets, renderer)
  app.register(async site => {
    site.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    site.addHook('onRequest', async (_request, reply) => {
      reply
        .headers(READER_HEADERS)
        .header('cache-control', 'private, no-cache')
        .type('text/html; charset=utf-8')
    })
    site.get('/', (request, reply) => reader.home(request, reply))
    site.get('/sign-in', (request, reply) => reader.signInForm(request, reply, null))
    site.post('/sign-in', (request, reply) => reader.signIn(request, reply))
    site.post('/sign-out', (request, reply) => reader.signOut(request, reply))
    site.get('/s/:spaceId/~/search', (request, reply) => reader.search(request, reply))
    site.get('/s/:spaceId', (request, reply) => reader.page(request, reply))
    site.get('/s/:spaceId/*', (request, reply) => reader.page(request, reply))
  })
}

function serveAssets(app: FastifyInstance, assets: Assets): void {
  app.get<{ Params: { '*': string } }>(`${ASSETS_PATH}*`, async (request, reply) => {
    const asset = assets.find(`${ASSETS_PATH}${request.params['*']}`)
    if (asset === undefined)
      throw new Failure('missing', 'asset_missing', 'There is no such file of the reader.')
    reply.headers({
      'cache-control': ASSET_CACHE_CONTROL,
      'content-type': asset.contentType,
      vary: 'Accept-Encoding',
    })
    const accepted = String(request.headers['accept-encoding'] ?? '')
    if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(asset.brotli)
    if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzip)
    return reply.send(asset.body)
  })
  app.get('/favicon.ico', async (_request, reply) => reply.redirect(assets.paths.icon, 302))
}

class Reader {
  readonly #services: Services
  readonly #assets: Assets
  readonly #renderer: PageRenderer

  constructor(services: Services, assets: Assets, renderer: PageRenderer) {
    this.#services = services
    this.#assets = assets
    this.#renderer = renderer
  }

  async home(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    const spaces = await listReadableSpaces(this.#services.db, visitor)
    return reply.send(
      renderHome({ shell: shellOf(this.#assets, request, visitor), spaces: spaces.map(toSpaceCard) }),
    )
  }

  async page(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    const visit = await this.#visit(request, visitor)
    if (visit === undefined) return this.#missing(request, reply, visitor, undefined)
    const { space, content } = visit
    const path = (request.params as { '*'?: string })['*']?.replace(/^\/+|\/+$/g, '') ?? ''
    const index = indexOf(content)
    const first = listed(content, index)[0]
    if (path === '' && first === undefined) {
      return reply.send(
        renderEmptySpace({ shell: shellOf(this.#assets, request, visitor), space: toSpaceView(space) }),
      )
    }
    const id = path === '' ? first : index.byPath.get(path)
    const record = id === undefined ? undefined : content.pages.get(id)
    if (id === undefined || record === undefined) return this.#elsewhere(request, reply, visit, path)
    if (record.type === 'group') return this.#toFirstPage(request, reply, visit, record)
    const rendered = await this.#renderer.render({ id: space.id, root: visit.root }, content, id, record)
    return reply.send(
      renderPage({
        shell: shellOf(this.#assets, request, visitor),
        space: toSpaceView(space),
        tree: toTree(space.id, content),
        page: toPageView(this.#services, space, content, id, record, rendered),
      }),
    )
  }

  async search(request: FastifyRequest, reply: FastifyReply) {
    const visitor = await visitorOf(this.#services, request)
    const visit = await this.#visit(request, visitor)
    if (visit === undefined) return this.#missing(request, reply, visitor, undefined)
    const { q, page, fragment } = request.query as { q?: unknown; page?: unknown; fragment?: unknown }
    const query = typeof q === 'string' ? q.slice(0, 256) : ''
    const view = await this.#find(visit, query, typeof page === 'string' ? page : undefined)
    if (fragment === '1') return reply.send(String(renderSearchFragment(view)))
    const { space, content } = visit
    return reply.send(
      renderSearch({
        shell: shellOf(this.#assets, request, visitor),
        space: toSpaceView(space),
        tree: toTree(space.id, content),
        search: view,
      }),
    )
  }

  async signInForm(request: FastifyRequest, reply: FastifyReply, problem: string | null, given?: string) {
    const visitor = await visitorOf(this.#services, request)
    const next = readNext(given ?? (request.query as { next?: unknown }).next)
    return reply.send(
      renderSignIn({ shell: shellOf(this.#assets, request, visitor), action: '/sign-in', next, problem }),
    )
  }

  async signIn(request: FastifyRequest, reply: FastifyReply) {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const token = form.get('token')?.trim() ?? ''
    const next = readNext(form.get('next'))
    if ((await findReader(this.#services, token)) === undefined) {
      reply.code(403)
      return this.signInForm(
        request,
        reply,
        'This token is unknown, expired, revoked, or may not read spaces.',
        next,
      )
    }
    signIn(reply, token, this.#isSecure)
    return reply.redirect(next, 303)
  }

  async signOut(_request: FastifyRequest, reply: FastifyReply) {
    signOut(reply, this.#isSecure)
    return reply.redirect('/', 303)
  }

  get #isSecure(): boolean {
    return this.#services.config.publicUrl.startsWith('https:')
  }

  /** The space of the address, if the visitor may read it. */
  async #visit(request: FastifyRequest, visitor: Principal): Promise<Visit | undefined> {
    const { spaceId } = request.params as { spaceId: string }
    const space = spaceId.includes('\u0000') ? undefined : await findFreshSpace(this.#services, spaceId)
    if (space === undefined || space.deleted_at !== null) return undefined
    if (!allows('space', 'view', roleOnSpace(visitor, space))) return undefined
    const root = space.root_hash.toString('hex')
    return { visitor, space, root, content: await this.#services.contents.get(root) }
  }

  /** A path without a page: a page as Markdown, a redirect of the repository's configuration, or nothing. */
  async #elsewhere(request: FastifyRequest, reply: FastifyReply, visit: Visit, path: string) {
    const { content, space } = visit
    const index = indexOf(content)
    const asMarkdown = path.endsWith('.md') ? index.byPath.get(path.slice(0, -3)) : undefined
    const document = asMarkdown === undefined ? null : (content.pages.get(asMarkdown)?.document ?? null)
    if (document !== null) {
      return reply.type('text/markdown; charset=utf-8').send(await readText(this.#services, document))
    }
    const target = await findRedirect(this.#services, content, path)
    if (target !== undefined) return reply.redirect(pageHref(space.id, target), 301)
    return this.#missing(request, reply, visit.visitor, visit)
  }

  /** A group has no text of its own: its address leads to the first page in it. */
  async #toFirstPage(request: FastifyRequest, reply: FastifyReply, visit: Visit, group: PageRecord) {
    const { content, space } = visit
    const index = indexOf(content)
    const first = group.children.find(id => content.pages.get(id)?.type === 'document')
    if (first === undefined) return this.#missing(request, reply, visit.visitor, visit)
    return reply.redirect(pageHref(space.id, index.paths.get(first) ?? ''), 302)
  }

  async #missing(request: FastifyRequest, reply: FastifyReply, visitor: Principal, visit: Visit | undefined) {
    return reply.code(404).send(
      renderMissing({
        shell: shellOf(this.#assets, request, visitor),
        space: visit === undefined ? null : toSpaceView(visit.space),
        tree: visit === undefined ? [] : toTree(visit.space.id, visit.content),
      }),
    )
  }

  async #find({ space, content }: Visit, query: string, page: string | undefined): Promise<SearchView> {
    if (query.trim() === '') return { query: '', hits: [], nextHref: null }
    const found = await search(this.#services, space, { query, page, limit: SEARCH_HITS })
    const terms = queryTerms(query)
    const index = indexOf(content)
    const hits = found.items.map((hit): SearchHit => {
      const record = content.pages.get(hit.id)
      const href = pageHref(space.id, index.paths.get(hit.id) ?? hit.path)
      return {
        title: markMatches(hit.title, terms),
        href,
        emoji: record?.emoji ?? null,
        icon: record?.icon ?? null,
        breadcrumbs: trailOf(content, record),
        snippet: markMatches(record?.description ?? '', terms),
        sections: (hit.sections ?? []).map(section => ({
          title: markMatches(section.title, terms),
          href: `${href}${section.path.slice(hit.path.length)}`,
          snippet: markMatches(section.body, terms),
        })),
      }
    })
    const next = found.next === undefined ? null : new URLSearchParams({ q: query, page: found.next })
    return { query, hits, nextHref: next === null ? null : `${spaceHref(space.id)}/~/search?${next}` }
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
