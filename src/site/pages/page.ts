// A page of a space: tree, breadcrumbs, title, body, neighbours, outline.

import { type Html, html, trusted } from '../../base/html.ts'
import { safeHref, safeSource } from '../../engines/markdown/html/values.ts'
import { renderDay } from '../layout/dates.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import { titleIcon } from '../layout/title-icon.ts'
import { renderTree } from '../layout/tree.ts'
import type {
  CoverView,
  Crumb,
  LinkPreview,
  MemberLinks,
  OutlineEntry,
  PageView,
  PreviewView,
  ReaderPage,
  SpaceView,
} from '../layout/view.ts'

/** An outline of one entry adds nothing to the page. */
const OUTLINE_ENTRIES_MIN = 2

export function renderPage({ shell, space, tree, page, preview, member }: ReaderPage): string {
  const { layout } = page
  const cover = layout.cover ? page.cover : null
  const entries = layout.outline && page.outline.length >= OUTLINE_ENTRIES_MIN ? page.outline : []
  const classes = [
    'frame',
    layout.width === 'wide' && 'frame-wide',
    !layout.tableOfContents && 'without-tree',
    entries.length === 0 && 'without-outline',
    (member != null || preview != null) && 'marks-broken',
  ].filter(Boolean)
  return renderDocument({
    shell,
    space,
    title: page.title,
    description: page.description,
    canonicalHref: page.canonicalHref,
    linkPreview: linkPreviewOf(space, page),
    markdownHref: page.markdownHref,
    isUnlisted: page.isUnlisted,
    hasTree: layout.tableOfContents,
    tree: layout.tableOfContents ? tree : [],
    body: html`${cover?.size === 'full' && renderCover(cover)}<div class="${classes.join(' ')}">
${layout.tableOfContents && renderTree(tree, page.id)}
<main class="page" id="${CONTENT_ID}" tabindex="-1">
${preview != null && previewBanner(preview)}
${member != null && memberLinks(member)}
<article>
${cover?.size === 'hero' && renderCover(cover)}
${pageHead(page)}
${entries.length > 0 && outlineDrawer(entries)}
${page.html === '' ? emptyBody() : html`<div class="content" dir="auto" data-content>${trusted(page.html)}</div>`}
</article>
${pageFoot(page)}
</main>
${entries.length > 0 && outlineAside(entries)}
</div>`,
  })
}

/** Of a published page; a change request has no address for others. */
const linkPreviewOf = (space: SpaceView, { canonicalHref, ...page }: PageView): LinkPreview | null =>
  canonicalHref === null
    ? null
    : {
        href: canonicalHref,
        title: page.title,
        description: page.description,
        siteName: space.title,
        image: absoluteSource(page.cover?.src, canonicalHref),
        changedAt: page.updatedAt,
      }

/** Null for what only a browser on the page can load. */
function absoluteSource(source: string | undefined, base: string): string | null {
  const safe = source === undefined ? undefined : safeSource(source)
  const url = safe === undefined ? null : URL.parse(safe, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Comes before anything of the page, so that nobody takes a change request for published content. */
const previewBanner = ({ number, subject, status, href, differencesHref }: PreviewView): Html =>
  html`<aside class="preview" aria-label="Preview">
${icon('code-branch')}<p><strong>${status === 'merged' ? 'Preview of a change that was merged.' : 'Preview of an unmerged change.'}</strong> This page as it ${status === 'merged' ? 'was proposed in' : 'would be with'} <a href="${href}">change request #${number}: <bdi>${subject}</bdi></a>.${
    differencesHref !== null && html` <a href="${differencesHref}">What differs on this page</a>`
  }</p>
</aside>`

function pageHead(page: PageView): Html {
  const { layout } = page
  return html`<header class="page-head">
${page.breadcrumbs.length > 0 && renderBreadcrumbs(page.breadcrumbs)}
<h1${!layout.title && html` class="unseen"`} dir="auto">${titleIcon(page)}${page.title}</h1>
${layout.description && page.description && html`<p class="lead" dir="auto">${page.description}</p>`}
</header>`
}

const renderBreadcrumbs = (crumbs: readonly Crumb[]): Html =>
  html`<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol role="list">${crumbs.map(crumb => {
    const href = crumb.href === null ? undefined : safeHref(crumb.href)
    return html`<li dir="auto">${href === undefined ? crumb.title : html`<a href="${href}">${crumb.title}</a>`}</li>`
  })}</ol></nav>`

const emptyBody = (): Html => html`<p class="empty-note">This page has no content yet.</p>`

/** `yPos` moves the picture: 0 is its middle, positive values show more of its top. Classes go by steps of 5 %. */
function renderCover(cover: CoverView): Html | null {
  const src = safeSource(cover.src)
  const dark = cover.srcDark === null ? undefined : safeSource(cover.srcDark)
  if (src === undefined) return null
  const percent = Math.min(100, Math.max(0, 50 - (Number.isFinite(cover.yPos) ? cover.yPos : 0) / 5))
  const focus = `focus-${Math.round(percent / 5) * 5}`
  const picture = (address: string, variant: string) =>
    html`<img class="${focus}${variant}" src="${address}" alt="" fetchpriority="high"${cover.height !== null && html` height="${cover.height}"`}>`
  return html`<div class="cover cover-${cover.size}${cover.height !== null && ' cover-sized'}">${
    dark === undefined ? picture(src, '') : [picture(src, ' only-light'), picture(dark, ' only-dark')]
  }</div>`
}

function pageFoot(page: PageView): Html | null {
  const { layout } = page
  const day = layout.metadata && page.updatedAt !== null ? renderDay(page.updatedAt) : null
  const source = layout.metadata ? page.markdownHref : null
  const neighbours = layout.pagination && (page.previous !== null || page.next !== null)
  if (day === null && source === null && !neighbours) return null
  return html`<footer class="page-foot">
${
  (day !== null || source !== null) &&
  html`<p class="page-facts">${day !== null && html`<span>Last updated ${day}</span>`}${source !== null && html`<a href="${source}">View as Markdown</a>`}</p>`
}
${
  neighbours &&
  html`<nav class="neighbours" aria-label="Previous and next page">${neighbour(page.previous, 'previous')}${neighbour(page.next, 'next')}</nav>`
}
</footer>`
}

/** At the top of a page, for those who may do more than read it. */
const memberLinks = (links: MemberLinks): Html =>
  html`<nav class="member-links" aria-label="For members"><ul role="list">
${links.editHref !== null && html`<li><a href="${links.editHref}">${icon('pen')}Edit</a></li>`}
<li><a href="${links.changeRequestsHref}">${icon('code-branch')}Change requests</a></li>
<li><a href="${links.historyHref}">${icon('clock-rotate-left')}History</a></li>
<li><details class="print-menu"><summary>${icon('print')}Print</summary><ul role="list">
<li><a href="${links.printPageHref}">Print this page</a></li>
<li><a href="${links.printSpaceHref}">Print the space</a></li>
<li><a href="${links.pdfPageHref}">Save this page as PDF</a></li>
<li><a href="${links.pdfSpaceHref}">Save the space as PDF</a></li>
</ul></details></li>
</ul></nav>`

function neighbour(crumb: Crumb | null, rel: 'previous' | 'next'): Html | null {
  const href = crumb?.href == null ? undefined : safeHref(crumb.href)
  if (crumb === null || href === undefined) return null
  return html`<a class="neighbour neighbour-${rel}" href="${href}" rel="${rel === 'previous' ? 'prev' : 'next'}">
${icon(rel === 'previous' ? 'arrow-left' : 'arrow-right')}<span class="neighbour-words"><span class="neighbour-label">${
    rel === 'previous' ? 'Previous' : 'Next'
  }</span><span class="neighbour-title" dir="auto">${crumb.title}</span></span></a>`
}

const outlineList = (entries: readonly OutlineEntry[]): Html => {
  const top = Math.min(...entries.map(entry => entry.level))
  return html`<ul role="list">${entries.map(
    entry =>
      html`<li class="outline-${Math.min(entry.level - top, 2)}"><a href="#${encodeURIComponent(entry.id)}"><bdi>${entry.text}</bdi></a></li>\n`,
  )}</ul>`
}

const outlineAside = (entries: readonly OutlineEntry[]): Html =>
  html`<nav class="outline" aria-labelledby="reader:outline" data-outline>
<p class="outline-heading" id="reader:outline">On this page</p>
${outlineList(entries)}
</nav>`

/** The same outline for narrow screens, where there is no room beside the page. */
const outlineDrawer = (entries: readonly OutlineEntry[]): Html =>
  html`<details class="outline-drawer"><summary>On this page</summary>${outlineList(entries)}</details>`
