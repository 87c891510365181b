// Search results: a page, and the same list as a fragment for search while typing.

import { type Html, html } from '../../base/html.ts'
import { safeHref } from '../../engines/markdown/html/values.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import { titleIcon } from '../layout/title-icon.ts'
import { renderTree } from '../layout/tree.ts'
import type { SearchHit, SearchPage, SearchView, SnippetRun } from '../layout/view.ts'

export function renderSearch({ shell, space, tree, search }: SearchPage): string {
  return renderDocument({
    shell,
    space,
    title: search.query === '' ? 'Search' : `${search.query} – Search`,
    isUnlisted: true,
    hasTree: true,
    tree,
    hidesSearch: true,
    body: html`<div class="frame without-outline">
${renderTree(tree, null)}
<main class="page" id="${CONTENT_ID}" tabindex="-1">
<h1 class="search-heading">Search ${space.title}</h1>
<form class="search-box search-box-large" role="search" action="${space.searchAction}" method="get" data-search="page">
${icon('magnifying-glass')}
<input type="search" name="q" value="${search.query}" placeholder="Search" aria-label="Search ${space.title}" autocomplete="off" spellcheck="false" maxlength="256" data-search-input>
<button class="button button-primary" type="submit">Search</button>
</form>
<div class="search-list" data-search-list>${renderSearchFragment(search)}</div>
</main>
</div>`,
  })
}

/** The answer to `GET <searchAction>?q=…&fragment=1` as text/html: only the list. */
export function renderSearchFragment(search: SearchView): Html {
  if (search.query.trim() === '')
    return html`<p class="search-count" role="status">Type a word or two to search titles, headings and text.</p>`
  if (search.hits.length === 0)
    return html`<div class="empty" role="status">${icon('magnifying-glass')}<p class="empty-title">Nothing found for “${search.query}”</p>
<p>Try fewer or other words. Small spelling mistakes are forgiven.</p></div>`
  const { count, corrections } = search
  return html`<p class="search-count" role="status">${count} ${count === 1 ? 'page' : 'pages'} for “${search.query}”${corrections.length > 0 && html`, also for <em>${corrections.join(' ')}</em>`}</p>
<ul class="hits" role="list">${search.hits.map(hit)}</ul>${
    search.nextHref !== null &&
    html`<p class="more"><a class="button" href="${search.nextHref}">More results</a></p>`
  }`
}

const hit = (found: SearchHit): Html =>
  html`<li class="hit"><a class="hit-page" href="${safeHref(found.href) ?? '#'}">
${found.breadcrumbs.length > 0 && html`<span class="hit-trail" dir="auto">${found.breadcrumbs.join(' › ')}</span>`}
<span class="hit-title" dir="auto">${titleIcon(found) ?? icon('file-lines')}<span>${runs(found.title)}</span></span>
${found.snippet.length > 0 && html`<span class="hit-snippet" dir="auto">${runs(found.snippet)}</span>`}</a>
${found.sections.map(
  section => html`<a class="hit-section" href="${safeHref(section.href) ?? '#'}">
<span class="hit-title" dir="auto"><span class="hit-hash" aria-hidden="true">#</span><span>${runs(section.title)}</span></span>
${section.snippet.length > 0 && html`<span class="hit-snippet" dir="auto">${runs(section.snippet)}</span>`}</a>`,
)}</li>\n`

const runs = (snippet: readonly SnippetRun[]): Html[] =>
  snippet.map(run => (run.isMatch ? html`<mark>${run.text}</mark>` : html`${run.text}`))
