// Searches the reference: every word of the query has to occur in the names of an operation or a schema. The results
// use the reader's list, on a page and while typing.

import { methodBadge, renderPath } from '../../api/rendering/openapi/badges.ts'
import type { ApiDocument, Operation } from '../../api/rendering/openapi/document.ts'
import { schemaHref } from '../../api/rendering/openapi/fields.ts'
import { type Html, html } from '../../base/html.ts'
import { icon } from '../layout/icons.ts'
import { operationHref, titleOf } from './operation.ts'

const QUERY_CHARACTERS_MAX = 200
const HITS_MAX = 60

export const renderSearch = (
  document: ApiDocument,
  query: string,
): Html => html`<h1 class="search-heading">Search the API</h1>
<form class="search-box search-box-large" role="search" action="/docs" method="get" data-search="page">
${icon('magnifying-glass')}
<input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search the API" autocomplete="off" spellcheck="false" maxlength="${QUERY_CHARACTERS_MAX}" data-search-input>
<button class="button button-primary" type="submit">Search</button>
</form>
<div class="search-list" data-search-list>${renderSearchFragment(document, query)}</div>`

export function renderSearchFragment(document: ApiDocument, query: string): Html {
  const words = query
    .slice(0, QUERY_CHARACTERS_MAX)
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(word => word !== '')
  if (words.length === 0)
    return html`<p class="search-count" role="status">Type a method, a part of a path or a word.</p>`
  const operations = document.operations
    .map(operation => ({ operation, rank: rankOf(operation, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, HITS_MAX)
  const schemas = [...document.schemas.keys()]
    .filter(name => words.every(word => name.toLowerCase().includes(word)))
    .slice(0, HITS_MAX)
  const count = operations.length + schemas.length
  if (count === 0)
    return html`<div class="empty" role="status">${icon('magnifying-glass')}<p class="empty-title">Nothing found for “${query}”</p></div>`
  return html`<p class="search-count" role="status">${count} found for “${query}”</p>
<ul class="hits" role="list">${operations.map(({ operation }) => renderOperationHit(operation))}${schemas.map(
    name => html`<li class="hit"><a class="hit-page" href="${schemaHref(name)}"><span class="hit-trail">Schema</span><span class="hit-title">${icon('cube')}<span>${name}</span></span></a></li>
`,
  )}</ul>`
}

const renderOperationHit = (
  operation: Operation,
): Html => html`<li class="hit"><a class="hit-page" href="${operationHref(operation)}">
<span class="hit-trail">${operation.tag}</span><span class="hit-title"><span>${titleOf(operation)}</span></span>
<span class="hit-snippet">${methodBadge(operation.method)} ${renderPath(operation.path)}</span></a></li>
`

/** 0 if a word is found nowhere; words of the name weigh more than those of the text. */
function rankOf(operation: Operation, words: readonly string[]): number {
  const name = `${titleOf(operation)} ${operation.id}`.toLowerCase()
  const address = `${operation.method} ${operation.path} ${operation.tag}`.toLowerCase()
  const text = operation.description.toLowerCase()
  let rank = 0
  for (const word of words) {
    const weight = name.includes(word) ? 4 : address.includes(word) ? 2 : text.includes(word) ? 1 : 0
    if (weight === 0) return 0
    rank += weight
  }
  return rank
}
