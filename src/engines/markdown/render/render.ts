// The door of render/: rich documents as Markdown, over the text that they were read from.
export { escapeLabel, labelText, markdownLink, plainWords, wordsCell } from './markdown-line.ts'
export type { Unwritten } from './page-order.ts'
export { htmlText, htmlValue, markdownDestination } from './quoting.ts'
export { renderDocument } from './render-document.ts'
export { renderOver, type WrittenText, writeOver } from './render-over.ts'
export { type WriteReference, writeById } from './rendering.ts'
