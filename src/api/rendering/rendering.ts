// What makes HTML of texts: colours for code, parts of API descriptions, and pages.
import type { Services } from '../../http/context.ts'
import type { PartAssets, Rendering } from '../../http/rendering.ts'
import { createApiParts } from './api-parts/parts.ts'
import { createHighlighter } from './highlight.ts'
import { createPageRenderer } from './page-renderer.ts'
import type { RenderServices } from './render.ts'
import { createTextRenderer } from './texts.ts'

const PAGES_BYTES_MAX = 40 * 1024 * 1024

export function createRendering(
  services: RenderServices & Pick<Services, 'db' | 'blobs'>,
  assets: PartAssets,
): Rendering {
  const highlighter = createHighlighter()
  const apiParts = createApiParts(services, assets)
  return {
    highlighter,
    apiParts,
    pages: createPageRenderer(services, highlighter, apiParts, PAGES_BYTES_MAX),
    texts: createTextRenderer(services, highlighter),
    async close() {
      await Promise.all([highlighter.close(), apiParts.close()])
    },
  }
}
