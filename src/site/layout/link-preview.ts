// What other sites show of a link to a page: Open Graph (https://ogp.me), and the size of the picture for X.
import { type Html, html } from '../../base/html.ts'
import type { LinkPreview } from './view.ts'

export const renderLinkPreview = (
  preview: LinkPreview,
): Html => html`<meta property="og:type" content="article">
<meta property="og:title" content="${preview.title}">
${preview.description && html`<meta property="og:description" content="${preview.description}">\n`}<meta property="og:url" content="${preview.href}">
<meta property="og:site_name" content="${preview.siteName}">
${preview.image !== null && html`<meta property="og:image" content="${preview.image}">\n`}${
  preview.changedAt !== null && html`<meta property="article:modified_time" content="${preview.changedAt}">\n`
}<meta name="twitter:card" content="${preview.image === null ? 'summary' : 'summary_large_image'}">
`
