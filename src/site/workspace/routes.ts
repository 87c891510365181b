// The workspace: one HTML shell for every address below /w, and the files that it loads. What it shows it reads from the
// API, so that nothing can be done in a browser that cannot be done with a token.
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../base/errors.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { acceptsEncoding } from '../../http/encodings.ts'
import { ASSET_CACHE_CONTROL, ASSETS_PATH, type Assets } from '../assets.ts'
import { workspaceHeaders } from '../headers.ts'
import { ICON_SHEET_HREF } from '../layout/chosen-icons.ts'
import { settingsHref } from '../second-factor-href.ts'
import { HTML_TYPE } from '../send-page.ts'
import { themeOf, visitorOf } from '../session.ts'
import { signInHref } from '../shell.ts'
import { type Manifest, readManifest, webFolder } from './bundle.ts'
import { renderWorkspace } from './page.ts'

const FILES_PATH = `${ASSETS_PATH}w/`

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

export function serveWorkspace(app: FastifyInstance, services: Services, assets: Assets): void {
  const folder = webFolder()
  const bundle = findBundle(folder)
  app.get<{ Params: { name: string } }>(`${FILES_PATH}:name`, (request, reply) =>
    sendFile(folder, bundle(), request.params.name, request, reply),
  )
  for (const path of ['/w', '/w/*'])
    app.get(path, async (request, reply) => {
      const visitor = await visitorOf(services, request)
      reply.header('cache-control', 'no-store')
      if (visitor.kind !== 'user') return reply.redirect(signInHref(request.url), 302)
      // Of the organizations that stay open the workspace shows what there is, and leads on when it meets another.
      if (visitor.memberships.size === 0 && (visitor.session?.lacking.length ?? 0) > 0)
        return reply.redirect(settingsHref(request.url), 303)
      const { script, stylesheet } = bundle()
      const nonce = newSecret()
      return reply
        .headers(workspaceHeaders(services.config, request, nonce))
        .type(HTML_TYPE)
        .send(
          renderWorkspace({
            nonce,
            theme: themeOf(request),
            icon: assets.paths.icon,
            iconSheet: ICON_SHEET_HREF,
            fileBytesMax: services.config.fileBytesMax,
            script: FILES_PATH + script,
            stylesheet: FILES_PATH + stylesheet,
          }),
        )
    })
}

/** While someone develops, the bundle of changed sources comes a moment after the server. */
function findBundle(folder: string): () => Manifest {
  let manifest: Manifest | undefined
  return () => {
    manifest ??= readManifest(folder)
    if (manifest === undefined)
      throw new Failure(
        'unavailable',
        'workspace_missing',
        'The workspace is not built from the sources of this server. Run npm ci where Octavo is installed.',
      )
    return manifest
  }
}

async function sendFile(
  folder: string,
  { files }: Manifest,
  name: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
) {
  const type = TYPES[extname(name)]
  if (type === undefined || !files.includes(name))
    throw new Failure('missing', 'asset_missing', 'There is no such file of the workspace.')
  reply.headers({ 'cache-control': ASSET_CACHE_CONTROL, 'content-type': type, vary: 'Accept-Encoding' })
  const path = join(folder, name)
  // Fonts are compressed by themselves.
  if (type === TYPES['.woff2']) return reply.send(await readFile(path))
  const accepted = headers['accept-encoding']
  if (acceptsEncoding(accepted, 'br'))
    return reply.header('content-encoding', 'br').send(await readFile(`${path}.br`))
  if (acceptsEncoding(accepted, 'gzip'))
    return reply.header('content-encoding', 'gzip').send(await readFile(`${path}.gz`))
  return reply.send(await readFile(path))
}
