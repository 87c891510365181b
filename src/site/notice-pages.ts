// Pages for what cannot be shown: an unknown address, a space without content, an expired address.

import { html } from '../base/html.ts'
import { safeHref } from '../engines/markdown/html/values.ts'
import type { Language } from './languages.ts'
import { CONTENT_ID, renderDocument } from './layout/document.ts'
import { icon } from './layout/icons.ts'
import { renderTree } from './layout/tree.ts'
import type { EmptySpacePage, MissingPage, Shell } from './layout/view.ts'

/** The body of a 404. It is the same for what does not exist and for what is hidden from the visitor. */
export function renderMissing({ shell, space, tree }: MissingPage): string {
  const hasTree = space !== null && tree.length > 0
  return renderDocument({
    shell,
    space,
    title: 'Page not found',
    isUnlisted: true,
    hasTree,
    tree,
    body: html`<div class="frame without-outline${!hasTree && ' without-tree'}">
${hasTree && renderTree(tree, null)}
<main class="page" id="${CONTENT_ID}" tabindex="-1">
<div class="notice">
<p class="notice-code" aria-hidden="true">404</p>
<h1>Page not found</h1>
<p>There is no page at this address, or you do not have access to it.${shell.visitor === null && ' Signing in may help.'}</p>
<p class="actions">
${space === null ? html`<a class="button button-primary" href="/">All spaces</a>` : html`<a class="button button-primary" href="${space.href}">Go to ${space.title}</a>`}
${space !== null && html`<a class="button" href="${space.searchAction}">${icon('magnifying-glass')}Search</a>`}
${shell.visitor === null && html`<a class="button" href="${shell.signInHref}">${icon('key')}Sign in</a>`}
</p>
</div>
</main>
</div>`,
  })
}

export interface Notice {
  /** The status. */
  readonly code: string
  readonly title: string
  readonly words: string
  /** Of the words; English if absent. */
  readonly language?: Language
  /** Identifies this refusal in the log; null if it is not logged. */
  readonly requestId?: string | null
  /** Repeats the request, if loading the page again may help. */
  readonly againHref?: string | null
  /** True if the visitor was not identified. */
  readonly hidesVisitor?: boolean
}

/** A page that says one thing, for an address that has nothing to show now, and leads home or to signing in. */
export function renderNotice(shell: Shell, notice: Notice): string {
  const { againHref = null, requestId = null, hidesVisitor = false, language = 'en' } = notice
  const words = WORDS[language]
  return renderDocument({
    shell,
    space: null,
    title: notice.title,
    isUnlisted: true,
    hasTree: false,
    hidesVisitor,
    body: html`<main class="home" id="${CONTENT_ID}" tabindex="-1" lang="${language}">
<div class="notice">
<p class="notice-code" aria-hidden="true">${notice.code}</p>
<h1>${notice.title}</h1>
<p>${notice.words}</p>
${requestId !== null && html`<p class="notice-request">${words.request} <code>${requestId}</code></p>`}
<p class="actions">
${againHref !== null && html`<a class="button button-primary" href="${safeHref(againHref) ?? '/'}">${words.again}</a>`}
<a class="button${againHref === null && ' button-primary'}" href="/">${words.spaces}</a>
${shell.visitor === null && !hidesVisitor && html`<a class="button" href="${shell.signInHref}">${icon('key')}${words.signIn}</a>`}
</p>
</div>
</main>`,
  })
}

const WORDS = {
  en: { request: 'Request', again: 'Try again', spaces: 'All spaces', signIn: 'Sign in' },
  de: { request: 'Anfrage', again: 'Noch einmal versuchen', spaces: 'Alle Spaces', signIn: 'Anmelden' },
} as const satisfies Record<Language, unknown>

export function renderEmptySpace({ shell, space }: EmptySpacePage): string {
  return renderDocument({
    shell,
    space,
    title: space.title,
    hasTree: false,
    hidesSearch: true,
    body: html`<main class="home" id="${CONTENT_ID}" tabindex="-1">
<div class="empty">${icon('book-open')}<h1>Nothing here yet</h1>
<p>“${space.title}” has no pages. Import a Git repository, or write its first page over the API.</p></div>
</main>`,
  })
}
