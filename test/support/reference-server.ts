// A server of nothing but the API reference, of any OpenAPI document.
import Fastify, { type FastifyInstance } from 'fastify'
import { readAssets } from '../../src/site/assets.ts'
import { readerHeaders } from '../../src/site/headers.ts'
import type { Shell } from '../../src/site/layout/view.ts'
import { serveReference } from '../../src/site/reference/routes.ts'

export function referenceServer(document: object, theme: Shell['theme']): FastifyInstance {
  const assets = readAssets()
  const app = Fastify()
  serveReference(app, {
    openApi: () => document,
    shell: () => ({
      siteTitle: 'Octavo',
      homeHref: '/',
      theme,
      visitor: null,
      signInHref: '/sign-in',
      signOutAction: '/sign-out',
      assets: assets.paths,
    }),
    headers: request => readerHeaders({ publicUrl: '', isPublicUrlSet: false }, request),
  })
  app.get('/assets/*', (request, reply) => {
    const asset = assets.find(request.url)
    return asset === undefined ? reply.code(404).send() : reply.type(asset.contentType).send(asset.body)
  })
  return app
}
