// The document around every page of the reader: head, masthead with search, skip link.

import { type Html, html, trusted } from '../../base/html.ts'
import { chosenIconsIn, chosenIconsOf, iconSheetHrefs } from './chosen-icons.ts'
import { icon } from './icons.ts'
import { renderLinkPreview } from './link-preview.ts'
import { titleIcon } from './title-icon.ts'
import type { LinkPreview, Shell, SpaceView, TreeItem } from './view.ts'

export interface DocumentParts {
  readonly shell: Shell
  readonly space: SpaceView | null
  /** Shown in the browser's tab, before the space's and the site's name. */
  readonly title: string
  readonly description?: string | null
  readonly canonicalHref?: string | null
  /** Null for pages that nobody links to. */
  readonly linkPreview?: LinkPreview | null
  /** The same as Markdown. */
  readonly markdownHref?: string | null
  readonly isUnlisted?: boolean
  /** Whether the page has a tree, which the menu button opens on a phone. */
  readonly hasTree: boolean
  /** The navigation of the space, whose icons are one stylesheet for all its pages. */
  readonly tree?: readonly TreeItem[]
  /** Leaves out the search box of the masthead, if the page has its own. */
  readonly hidesSearch?: boolean
  /** Leaves out the sign-in link, on the sign-in page itself. */
  readonly hidesVisitor?: boolean
  readonly body: Html
}

/**
 * Ids of our own hold a colon, which no heading id does: whatever a page calls its headings, the reader's labels,
 * skip link and script find their own elements.
 */
export const CONTENT_ID = 'reader:content'
export const TREE_ID = 'reader:pages'

export function renderDocument(parts: DocumentParts): string {
  const { shell, space } = parts
  const titles = [parts.title, space?.title, 'Octavo'].filter(
    (title, index, all) => title !== undefined && title !== '' && all.indexOf(title) === index,
  )
  const inside = html`${masthead(parts)}
${parts.body}`
  return html`<!doctype html>
<html lang="${space?.language ?? 'en'}"${isRightToLeft(space?.language) && html` dir="rtl"`}${shell.theme !== 'system' && html` data-theme="${shell.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titles.join(' · ')}</title>
${parts.description && html`<meta name="description" content="${parts.description}">\n`}${
  parts.canonicalHref && html`<link rel="canonical" href="${parts.canonicalHref}">\n`
}${
  parts.markdownHref && html`<link rel="alternate" type="text/markdown" href="${parts.markdownHref}">\n`
}${parts.isUnlisted && trusted('<meta name="robots" content="noindex">\n')}${parts.linkPreview && renderLinkPreview(parts.linkPreview)}<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${shell.assets.stylesheet}">
${iconSheets(parts.tree ?? [], inside)}<link rel="icon" type="image/svg+xml" href="${shell.assets.icon}">
<script type="module" src="${shell.assets.script}"></script>
</head>
<body>
<a class="skip-link" href="#${CONTENT_ID}">Skip to content</a>
${inside}
</body>
</html>
`.markup
}

/** First those of the navigation, which the browser has from the previous page, then those that this page adds. */
function iconSheets(tree: readonly TreeItem[], inside: Html): Html[] {
  const inTree = chosenIconsOf(tree)
  const others = [...chosenIconsIn(inside.markup)].filter(name => !inTree.has(name))
  return [...iconSheetHrefs(inTree), ...iconSheetHrefs(others)].map(
    href => html`<link rel="stylesheet" href="${href}">\n`,
  )
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set([
  'ar',
  'dv',
  'fa',
  'he',
  'ks',
  'ps',
  'sd',
  'ug',
  'ur',
  'yi',
])

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string | null | undefined): boolean =>
  RIGHT_TO_LEFT.has(language?.split('-')[0]?.toLowerCase() ?? '')

function masthead({ shell, space, hasTree, hidesSearch, hidesVisitor }: DocumentParts): Html {
  return html`<header class="masthead">
<div class="masthead-row">
${
  hasTree &&
  html`<button class="masthead-button menu-button" type="button" popovertarget="${TREE_ID}" aria-label="Pages">${icon('bars')}</button>`
}
<div class="brand">
<a class="brand-home" href="/"${space !== null && html` aria-label="Octavo: all spaces"`}><img class="brand-mark" src="${shell.assets.icon}" alt="" width="28" height="28">${space === null && html`<span class="brand-title">Octavo</span>`}</a>
${
  space !== null &&
  html`<span class="brand-divider" aria-hidden="true"></span><a class="brand-space" href="${space.href}" dir="auto">${titleIcon(space)}<span>${space.title}</span></a>`
}
</div>
${space !== null && hidesSearch !== true && searchBox(space)}
<div class="masthead-end">
${space !== null && html`<a class="masthead-button search-link" href="${space.searchAction}" aria-label="Search">${icon('magnifying-glass')}</a>`}
<button class="masthead-button theme-button" type="button" hidden data-theme-toggle aria-label="Change theme"><span class="icon" aria-hidden="true"></span></button>
${hidesVisitor !== true && visitorMenu(shell)}
</div>
</div>
</header>`
}

function searchBox(space: SpaceView): Html {
  return html`<form class="search-box" role="search" action="${space.searchAction}" method="get" data-search>
${icon('magnifying-glass')}
<input type="search" name="q" placeholder="Search" aria-label="Search ${space.title}" autocomplete="off" spellcheck="false" maxlength="256" data-search-input>
<kbd class="search-key" aria-hidden="true">/</kbd>
</form>`
}

function visitorMenu(shell: Shell): Html {
  if (shell.visitor === null)
    return html`<a class="sign-in-link" href="${shell.signInHref}">${icon('key')}<span>Sign in</span></a>`
  return html`<details class="visitor">
<summary class="masthead-button" aria-label="Signed in as ${shell.visitor.name}">${icon('user')}</summary>
<form class="visitor-menu" action="/sign-out" method="post">
<input type="hidden" name="person" value="${shell.visitor.id}">
<p>Signed in as <strong dir="auto">${shell.visitor.name}</strong></p>
<a href="/w/me">Your account</a>
<button class="button" type="submit">Sign out</button>
</form>
</details>`
}
