// The door of html/: a page as safe HTML.
export { partOf } from './operations.ts'
export type { HtmlOptions, HtmlOutlineEntry, ImageSource, LinkTarget, RenderedHtml } from './options.ts'
export type { Part, ShownPart, ShowParts } from './parts.ts'
export { toHtml, toHtmlTree } from './to-html.ts'
