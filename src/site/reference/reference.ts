// The API reference as pages: an introduction, one for each operation and each named schema, and a search. They depend
// only on the OpenAPI document, so each is made on first request and kept.

import { methodBadge, renderPath } from '../../api/rendering/openapi/badges.ts'
import { renderJson } from '../../api/rendering/openapi/code.ts'
import { type ApiDocument, type Operation, readDocument } from '../../api/rendering/openapi/document.ts'
import { exampleReply } from '../../api/rendering/openapi/example.ts'
import { renderShape, schemaHref } from '../../api/rendering/openapi/fields.ts'
import { renderProse } from '../../api/rendering/openapi/prose.ts'
import { shapeOf } from '../../api/rendering/openapi/shape.ts'
import { type Html, html } from '../../base/html.ts'
import { CONTENT_ID, TREE_ID } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import { DRAWER_HEAD } from '../layout/tree.ts'
import { conventionsOf, groupId, renderIntroduction } from './introduction.ts'
import { operationHref, renderOperation, titleOf } from './operation.ts'
import { renderSearch, renderSearchFragment } from './search.ts'

export interface ReferencePage {
  /** For the browser's tab. */
  readonly title: string
  readonly description: string
  readonly body: Html
}

export interface Reference {
  /** Changes with the document. */
  readonly hash: string
  /** The page at a path such as `/docs/operations/getSpaceById`; undefined for a path without a page. */
  find(path: string): ReferencePage | undefined
  search(query: string): ReferencePage
  /** Only the results, for search while typing. */
  searchFragment(query: string): Html
}

const kept = new WeakMap<object, Reference>()

/** The reference of a document, made once per document object. Any JSON value is read as far as it makes sense. */
export function renderReference(openApiDocument: object): Reference {
  const found = kept.get(openApiDocument)
  if (found !== undefined) return found
  const reference = createReference(readDocument(openApiDocument))
  kept.set(openApiDocument, reference)
  return reference
}

function createReference(document: ApiDocument): Reference {
  const writers = listPages(document)
  const pages = new Map<string, ReferencePage>()
  return {
    hash: document.hash,
    find(path) {
      const made = pages.get(path)
      if (made !== undefined) return made
      const page = writers.get(path)?.()
      if (page !== undefined) pages.set(path, page)
      return page
    },
    search: query => ({
      title: query.trim() === '' ? 'Search' : `${query} – Search`,
      description: '',
      body: frame(document, null, renderSearch(document, query)),
    }),
    searchFragment: query => renderSearchFragment(document, query),
  }
}

/** A function for each path that writes its page. */
function listPages(document: ApiDocument): Map<string, () => ReferencePage> {
  const pages = new Map<string, () => ReferencePage>()
  const add = (href: string, title: string, description: string, write: () => Html): void => {
    pages.set(href, () => ({ title, description, body: frame(document, href, write()) }))
  }
  add('/docs', 'API reference', `The HTTP interface of ${document.title}.`, () =>
    renderIntroduction(document),
  )
  add('/docs/schemas', 'Schemas', '', () => renderSchemas(document))
  for (const [index, operation] of document.operations.entries()) {
    const neighbours = { previous: document.operations[index - 1], next: document.operations[index + 1] }
    add(
      operationHref(operation),
      titleOf(operation),
      `${operation.method} ${operation.path}`,
      () => html`${renderOperation(document, operation)}${renderNeighbours(neighbours)}`,
    )
  }
  for (const [name, schema] of document.schemas)
    add(schemaHref(name), name, '', () => renderSchema(document, name, schema))
  return pages
}

const frame = (
  document: ApiDocument,
  current: string | null,
  content: Html,
): Html => html`<div class="frame without-outline ref-frame">
${renderSidebar(document, current)}
<main class="page" id="${CONTENT_ID}" tabindex="-1">
${content}
</main>
</div>`

/** The sidebar. The filter shows only where scripts run; the search box of the masthead works without them. */
function renderSidebar(document: ApiDocument, current: string | null): Html {
  const link = (href: string, words: Html | string): Html =>
    html`<li><a class="tree-link" href="${href}"${href === current && html` aria-current="page"`}>${words}</a></li>
`
  return html`<nav class="sidebar" id="${TREE_ID}" popover aria-label="API reference" data-tree>
${DRAWER_HEAD}
<p class="ref-filter" hidden data-filter>${icon('filter')}<input type="search" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false"></p>
<p class="ref-filter-none" hidden role="status" data-filter-none>No operation matches.</p>
<ul class="tree" role="list">
<li class="tree-group"><p class="tree-heading">Introduction</p><ul role="list">
${link('/docs', 'Overview')}${conventionsOf(document).map(({ id, title }) => link(`/docs#${id}`, title))}${document.schemas.size > 0 && link('/docs/schemas', 'Schemas')}</ul></li>
${document.groups.map(group => {
  const addresses = addressesOfTwins(group.operations)
  return html`<li class="tree-group" data-filter-group><p class="tree-heading"><a href="/docs#${groupId(group.name)}">${group.name}</a></p><ul role="list">
${group.operations.map(operation => renderEntry(operation, operationHref(operation) === current, addresses.get(operation)))}</ul></li>
`
})}</ul>
</nav>`
}

const renderEntry = (operation: Operation, isCurrent: boolean, address: string | undefined): Html =>
  html`<li data-filter-words="${operation.method} ${operation.path} ${operation.id}"><a class="tree-link ref-entry" href="${operationHref(operation)}"${
    isCurrent && html` aria-current="page"`
  }><span>${titleOf(operation)}${address !== undefined && html`<code>${address}</code>`}</span>${methodBadge(operation.method)}</a></li>
`

/**
 * Operations with the same title are distinguished by the parts of their paths that differ: `content/…` and
 * `revisions/{revisionId}/…` for the pages of the head and of a revision.
 */
function addressesOfTwins(operations: readonly Operation[]): Map<Operation, string> {
  const addresses = new Map<Operation, string>()
  for (const twins of Map.groupBy(operations, titleOf).values()) {
    if (twins.length === 1) continue
    const paths = twins.map(({ path }) => path.split('/'))
    const length = Math.min(...paths.map(path => path.length))
    const areAlike = (at: (path: readonly string[]) => string | undefined): boolean =>
      new Set(paths.map(at)).size === 1
    let head = 0
    while (head < length && areAlike(path => path[head])) head++
    let tail = 0
    while (tail < length - head && areAlike(path => path.at(-1 - tail))) tail++
    for (const [index, twin] of twins.entries()) {
      const own = paths[index]?.slice(head, paths[index].length - tail).join('/') ?? ''
      if (own !== '') addresses.set(twin, tail === 0 ? own : `${own}/…`)
    }
  }
  return addresses
}

function renderNeighbours({
  previous,
  next,
}: {
  previous: Operation | undefined
  next: Operation | undefined
}): Html {
  const neighbour = (operation: Operation | undefined, rel: 'prev' | 'next'): Html | false =>
    operation !== undefined &&
    html`<a class="neighbour neighbour-${rel === 'prev' ? 'previous' : 'next'}" href="${operationHref(operation)}" rel="${rel}">${icon(
      rel === 'prev' ? 'arrow-left' : 'arrow-right',
    )}<span class="neighbour-words"><span class="neighbour-label">${rel === 'prev' ? 'Previous' : 'Next'}</span><span class="neighbour-title">${titleOf(operation)}</span></span></a>`
  return html`<footer class="page-foot"><nav class="neighbours" aria-label="Previous and next operation">${neighbour(previous, 'prev')}${neighbour(next, 'next')}</nav></footer>`
}

function renderSchemas(document: ApiDocument): Html {
  return html`<header class="page-head"><p class="ref-trail"><a href="/docs">${document.name}</a></p><h1>Schemas</h1>
<p class="lead">The named shapes of requests and responses.</p></header>
<ul class="ref-schemas" role="list">${[...document.schemas].map(([name, schema]) => {
    const { description, fields, options, type } = shapeOf(document, schema, name)
    const parts = options.length > 0 ? `one of ${options.length} alternatives` : type
    const words = description || fields.map(field => field.name).join(', ') || parts
    return html`<li><a href="${schemaHref(name)}">${name}</a><span>${words}</span></li>
`
  })}</ul>`
}

function renderSchema(document: ApiDocument, name: string, schema: unknown): Html {
  const shape = shapeOf(document, schema, name)
  const users = document.operations.filter(operation => usesModel(operation, name))
  return html`<header class="page-head"><p class="ref-trail"><a href="/docs">${document.name}</a><span aria-hidden="true">/</span><a href="/docs/schemas">Schemas</a></p>
<h1>${name}</h1></header>
<div class="ref-columns">
<div class="ref-words">${shape.description !== '' && html`<div class="ref-prose ref-about">${renderProse(shape.description)}</div>`}
${renderShape({ ...shape, description: '', model: undefined }, 'request')}</div>
<aside class="ref-examples" aria-label="Example">${renderJson('Example', exampleReply(document, schema))}</aside>
</div>
${
  users.length > 0 &&
  html`<section class="ref-catalogue" aria-labelledby="used-by"><h2 id="used-by">Used by</h2><ul class="ref-lines" role="list">${users.map(
    operation => html`<li><a href="${operationHref(operation)}">${methodBadge(operation.method)}${renderPath(operation.path)}<span class="ref-line-title">${titleOf(operation)}</span></a></li>
`,
  )}</ul></section>`
}`
}

/** Whether an operation names the model itself, in its body or a reply, not through another model. */
function usesModel(operation: Operation, name: string): boolean {
  const reference = JSON.stringify(`#/components/schemas/${name}`)
  const successes = operation.replies.filter(reply => /^2/.test(reply.status))
  const schemas = [operation.body?.schema, ...successes.map(reply => reply.schema)]
  return schemas.some(schema => schema !== undefined && JSON.stringify(schema).includes(reference))
}
