// The door of html/: a page as safe HTML.

export type { ApiPart, ShownPart, ShowParts } from './api-parts.ts'
export type {
  HtmlOptions,
  HtmlOutlineEntry,
  HtmlProblem,
  ImageSource,
  LinkTarget,
  RenderedHtml,
} from './options.ts'
export { partOf } from './parts.ts'
export { INCLUDE_DEPTH_MAX, INCLUDES_MAX } from './scope.ts'
export type { ShownBlock, WordRange } from './shown-block.ts'
export { toHtml, toHtmlBlocks, toHtmlTree } from './to-html.ts'
