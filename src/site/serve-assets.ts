// The reader's own files and the icons that content chose, over HTTP. Addresses name their bytes; those of icons can be
// written without, and are asked for again then.
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/errors.ts'
import { isIconName } from '../engines/markdown/html/values.ts'
import { acceptsEncoding } from '../http/encodings.ts'
import { createImmutableCache } from '../platform/cache/cache.ts'
import { ASSET_CACHE_CONTROL, ASSETS_PATH, type Assets, isPacked } from './assets.ts'
import {
  ICON_SHEET_PATH,
  ICON_SHEET_VERSION,
  ICONS_PER_SHEET_MAX,
  renderIconRules,
} from './layout/chosen-icons.ts'
import { queryParameter } from './parameters.ts'

/** The size of icon sheets, compressed and plain together. */
const SHEETS_BYTES_MAX = 8 * 1024 * 1024

export function serveAssets(app: FastifyInstance, assets: Assets): void {
  app.get<{ Params: { '*': string } }>(`${ASSETS_PATH}*`, async (request, reply) => {
    const asset = assets.find(`${ASSETS_PATH}${request.params['*']}`)
    if (asset === undefined)
      throw new Failure('missing', 'asset_missing', 'There is no such file of the reader.')
    reply.headers({
      'cache-control': ASSET_CACHE_CONTROL,
      'content-type': asset.contentType,
      vary: 'Accept-Encoding',
    })
    if (isPacked(asset)) return reply.send(asset.body)
    const accepted = request.headers['accept-encoding']
    if (acceptsEncoding(accepted, 'br'))
      return reply.header('content-encoding', 'br').send(await asset.brotli)
    if (acceptsEncoding(accepted, 'gzip'))
      return reply.header('content-encoding', 'gzip').send(await asset.gzip)
    return reply.send(asset.body)
  })
  app.get('/favicon.ico', async (_request, reply) => reply.redirect(assets.paths.icon, 302))
  serveIconSheets(app)
}

type Sheet = { readonly body: Buffer; readonly brotli: Buffer }

function serveIconSheets(app: FastifyInstance): void {
  const cache = createImmutableCache<Sheet>({
    maxSize: SHEETS_BYTES_MAX,
    sizeCalculation: ({ body, brotli }, key) => body.length + brotli.length + key.length + 100,
  })
  app.get(ICON_SHEET_PATH, async (request, reply) => {
    const icons = queryParameter(request, 'icons') ?? ''
    const key = icons.split(',', ICONS_PER_SHEET_MAX).filter(isIconName).join(',')
    const { body, brotli } = await cache.get(key, () => makeSheet(key.split(',')))
    const isOfNow = queryParameter(request, 'v') === ICON_SHEET_VERSION
    reply.headers({
      'cache-control': isOfNow ? ASSET_CACHE_CONTROL : 'no-cache',
      'content-type': 'text/css; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    if (!acceptsEncoding(request.headers['accept-encoding'], 'br')) return reply.send(body)
    return reply.header('content-encoding', 'br').send(brotli)
  })
}

/** Compressed off the event loop, and less than the reader's own files: a browser requests it once. */
async function makeSheet(names: readonly string[]): Promise<Sheet> {
  const body = Buffer.from(await renderIconRules(names))
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return { body, brotli: await promisify(brotliCompress)(body, options) }
}
