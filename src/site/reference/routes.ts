// `/docs`: the reference in the browser. Pages are the same for everyone except for the masthead, so for visitors who
// are not signed in the whole answer is cached.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { html } from '../../base/html.ts'
import { CachedBody, sendCachedBody } from '../../http/cached-body.ts'
import { ASSET_CACHE_CONTROL } from '../assets.ts'
import { renderDocument } from '../layout/document.ts'
import type { Shell } from '../layout/view.ts'
import { type ReferenceAssets, readReferenceAssets } from './assets.ts'
import { type Reference, type ReferencePage, renderReference } from './reference.ts'

const HTML_TYPE = 'text/html; charset=utf-8'
const KEPT_BYTES_MAX = 24 * 1024 * 1024

export interface ReferenceSource {
  /** The OpenAPI document; the same object as long as nothing changes, because its pages are cached with it. */
  readonly openApi: () => object
  /** The frame around every page of the reader, for this visitor. */
  readonly shell: (request: FastifyRequest) => Shell | Promise<Shell>
  readonly headers: (request: FastifyRequest) => Readonly<Record<string, string>>
}

/** Adds `GET /docs` and everything below it. */
export function serveReference(app: FastifyInstance, { openApi, shell, headers }: ReferenceSource): void {
  const assets = readReferenceAssets()
  const kept = new LRUCache<string, CachedBody>({
    maxSize: KEPT_BYTES_MAX,
    // compressed copies are a fraction of the body
    sizeCalculation: body => Math.ceil(body.bytes.length * 1.5) + 512,
  })

  const sendBody = async (request: FastifyRequest, reply: FastifyReply, body: CachedBody) => {
    reply.headers({ ...headers(request), vary: 'Accept-Encoding, Cookie' })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    return sendCachedBody(reply, request, body)
  }

  const showPage = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const around = await shell(request)
    const reference = renderReference(openApi())
    // The sign-in link in the masthead contains the address, so only the plain address of a page is cached.
    const isKept = around.visitor === null && request.url === path
    const key = [reference.hash, path, around.theme].join(' ')
    const found = isKept ? kept.get(key) : undefined
    if (found !== undefined) return sendBody(request, reply, found)
    const page = reference.find(path)
    if (page === undefined) return sendBody(request, reply.code(404), toBody(NOT_FOUND, around, assets))
    const body = toBody(page, around, assets)
    if (isKept) kept.set(key, body)
    return sendBody(request, reply, body)
  }

  app.get<{ Querystring: { q?: unknown; fragment?: unknown } }>('/docs', async (request, reply) => {
    const { q, fragment } = request.query
    if (typeof q !== 'string') return showPage(request, reply, '/docs')
    return showSearch(renderReference(openApi()), q, fragment === '1', request, reply)
  })

  const showSearch = async (
    reference: Reference,
    query: string,
    isFragment: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const body = isFragment
      ? new CachedBody(Buffer.from(reference.searchFragment(query).markup), HTML_TYPE)
      : toBody(reference.search(query), await shell(request), assets)
    return sendBody(request, reply, body)
  }

  app.get('/docs/assets/*', async (request, reply) => {
    const asset = assets.find(pathOf(request))
    if (asset === undefined) return showPage(request, reply, '')
    return sendBody(request, reply.header('cache-control', ASSET_CACHE_CONTROL), asset)
  })

  app.get('/docs/*', (request, reply) => showPage(request, reply, pathOf(request).replace(/(?<!\/)\/+$/, '')))
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

const NOT_FOUND: ReferencePage = {
  title: 'Page not found',
  description: '',
  body: html`<main class="home"><div class="notice"><p class="notice-code" aria-hidden="true">404</p><h1>Page not found</h1>
<p>There is no such operation or schema in this version.</p><p class="actions"><a class="button button-primary" href="/docs">API reference</a></p></div></main>`,
}

/** The masthead shows the reference as if it were a space, with its name and its own search. */
const toBody = (page: ReferencePage, shell: Shell, assets: ReferenceAssets): CachedBody =>
  new CachedBody(
    Buffer.from(
      renderDocument({
        shell,
        space: {
          id: 'docs',
          title: 'API reference',
          href: '/docs',
          emoji: null,
          language: 'en',
          searchAction: '/docs',
        },
        title: page.title,
        description: page.description,
        hasTree: true,
        body: html`<link rel="stylesheet" href="${assets.stylesheet}"><script src="${assets.script}" defer></script>
${page.body}`,
      }),
    ),
    HTML_TYPE,
  )
