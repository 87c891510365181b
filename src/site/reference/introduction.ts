// The first page of Octavo's own reference: what holds for every operation, each with a command to try.

import { methodBadge, renderPath, statusBadge } from '../../api/rendering/openapi/badges.ts'
import { renderCode, renderJson } from '../../api/rendering/openapi/code.ts'
import type { ApiDocument, Operation } from '../../api/rendering/openapi/document.ts'
import { exampleReply } from '../../api/rendering/openapi/example.ts'
import { renderInline, renderProse } from '../../api/rendering/openapi/prose.ts'
import { type Html, html } from '../../base/html.ts'
import { LIMIT_ITEMS_DEFAULT, LIMIT_ITEMS_MAX } from '../../base/list-limits.ts'
import { BODY_BYTES_MAX } from '../../http/app.ts'
import { curlOf, TOKEN_VARIABLE } from './curl.ts'
import { operationHref, titleOf } from './operation.ts'

interface Convention {
  readonly id: string
  readonly title: string
  readonly words: Html
  readonly code: Html | false
}

/** The conventions in the sidebar, with their words. */
export const conventionsOf = (document: ApiDocument): readonly Convention[] =>
  [authentication, errors, pagination, conditionalReads, requests].map(write => write(document))

export function renderIntroduction(document: ApiDocument): Html {
  return html`<div class="ref-introduction">
<header class="page-head">
<h1>${document.name}</h1>
<p class="lead">Everything ${document.title} does is available over HTTP and JSON: read and write content without loss, import from Git, search. Every program uses the same operations, including yours.</p>
<dl class="ref-facts">
<div><dt>Base URL</dt><dd><code>${document.baseUrl}</code></dd></div>
<div><dt>Version</dt><dd>${document.version}</dd></div>
<div><dt>Operations</dt><dd>${document.operations.length}</dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="/v1/openapi.json">openapi.json</a></dd></div>
</dl>
</header>
${conventionsOf(document).map(
  ({ id, title, words, code }) => html`<section class="ref-convention" aria-labelledby="${id}">
<div class="ref-prose"><h2 id="${id}">${title}</h2>${words}</div>
${code !== false && html`<div class="ref-examples">${code}</div>`}
</section>`,
)}
${renderCatalogue(document)}
</div>`
}

/** Every operation as a line, by group. */
function renderCatalogue(document: ApiDocument): Html {
  return html`<section class="ref-catalogue" aria-labelledby="operations"><h2 id="operations">Operations</h2>
${document.groups.map(
  group => html`<section aria-labelledby="${groupId(group.name)}"><h3 id="${groupId(group.name)}">${group.name}</h3>
${group.description !== '' && html`<div class="ref-prose">${renderProse(group.description)}</div>`}
<ul class="ref-lines" role="list">${group.operations.map(
    operation => html`<li><a href="${operationHref(operation)}">${methodBadge(operation.method)}${renderPath(operation.path)}<span class="ref-line-title">${titleOf(operation)}</span></a></li>
`,
  )}</ul></section>`,
)}</section>`
}

export const groupId = (name: string): string => `group-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

const find = (document: ApiDocument, isIt: (operation: Operation) => boolean): Operation | undefined =>
  document.operations.find(operation => operation.method === 'GET' && isIt(operation))

const hasQuery = (operation: Operation, name: string): boolean =>
  operation.parameters.some(parameter => parameter.where === 'query' && parameter.name === name)

function authentication(document: ApiDocument): Convention {
  const whoAmI = find(document, ({ path }) => path === '/user')
  const reply = whoAmI?.replies.find(({ status }) => status === '200')
  return {
    id: 'authentication',
    title: 'Authentication',
    words: html`<p>Send a token with every request, in the header <code>Authorization: Bearer …</code>. It can do what its owner can do, limited by its scopes if it has any, until it expires or is revoked.</p>
<p>Make one on the machine that runs the server: <code>octavo token you@example.com</code> prints it, and nothing else. Each operation names the role and the scope it needs.</p>`,
    code:
      whoAmI !== undefined &&
      html`${renderCode('Try it', 'shell', `export ${TOKEN_VARIABLE}=$(./octavo token you@example.com)\n\n${curlOf(document, whoAmI)}`)}${
        reply?.schema !== undefined &&
        renderJson(html`Response ${statusBadge('200')}`, exampleReply(document, reply.schema))
      }`,
  }
}

function errors({ sharedReplies }: ApiDocument): Convention {
  const message = 'body.title: must not have more than 50 characters.'
  return {
    id: 'errors',
    title: 'Errors',
    words: html`<p>Every error has the same body: the status, and a message that says what is wrong and what to do. A message about your input names the field.</p>
<dl class="ref-statuses">${sharedReplies.map(reply => html`<div><dt>${statusBadge(reply.status)}</dt><dd>${renderInline(reply.description)}</dd></div>`)}</dl>
<p>A request is judged in this order: token, place, permission, then input. So what you may not see is always 404, whatever the body.</p>`,
    code: renderJson(html`Response ${statusBadge('400')}`, { error: { code: 400, message } }),
  }
}

function pagination(document: ApiDocument): Convention {
  const list = find(document, operation => hasQuery(operation, 'page') && hasQuery(operation, 'limit'))
  const envelope = { items: ['…'], count: 240, next: { page: 'WzEsIjRrVDhyUSJd' } }
  return {
    id: 'pagination',
    title: 'Pagination',
    words: html`<p>A list answers <code>items</code>, the <code>count</code> of the whole list, and <code>next.page</code> unless it is the last page. Put that token into <code>page</code> of the same query to go on; it belongs to this list, its filters and its order.</p>
<p><code>limit</code> is ${LIMIT_ITEMS_DEFAULT} when absent and ${LIMIT_ITEMS_MAX.toLocaleString('en')} at most. Pages are found by key, not by offset: what is added while you read shifts nothing.</p>`,
    code:
      list !== undefined &&
      html`${renderCode('The next page', 'shell', curlOf(document, list, { query: ['limit=50', 'page=$NEXT_PAGE'] }))}${renderJson(html`Response ${statusBadge('200')}`, envelope)}`,
  }
}

function conditionalReads(document: ApiDocument): Convention {
  const content =
    find(document, ({ path }) => /\/content\/pages$/.test(path)) ??
    find(document, ({ path }) => path.includes('/content'))
  return {
    id: 'conditional-reads',
    title: 'Conditional reads',
    words: html`<p>Reads of content carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>: a response that has not changed is a ${statusBadge('304')} without a body. The tag is a hash of the response, so commits that do not affect it leave it unchanged.</p>`,
    code:
      content !== undefined &&
      renderCode(
        'Only if it changed',
        'shell',
        curlOf(document, content, { options: ['-H "If-None-Match: $ETAG"', '-i'] }),
      ),
  }
}

function requests(): Convention {
  return {
    id: 'requests',
    title: 'Requests and replies',
    words: html`<ul>
<li>Bodies are JSON of at most ${(BODY_BYTES_MAX / 1024 / 1024).toLocaleString('en')} MB unless an operation says otherwise.</li>
<li>Fields and parameters that an operation does not know are ignored, so a client may be newer than the server.</li>
<li>Times are ISO 8601 in UTC. Ids are opaque: compare them, do not read them.</li>
<li>Deleting what is already gone succeeds, so a request that got no answer may be sent again.</li>
<li>Every answer carries an <code>X-Request-Id</code>, yours if you sent one; it finds the request in the server’s log.</li>
</ul>`,
    code: false,
  }
}
