// The page of one operation: description, input, output, and a working example request.

import { methodBadge, reasonOf, renderPath, statusBadge } from '../../api/rendering/openapi/badges.ts'
import { renderCode, renderJson } from '../../api/rendering/openapi/code.ts'
import { renderNamed, renderOthers, typeIfSeveral } from '../../api/rendering/openapi/contents.ts'
import type { ApiDocument, Operation, Reply } from '../../api/rendering/openapi/document.ts'
import { exampleReply } from '../../api/rendering/openapi/example.ts'
import { renderParameters, renderShape, schemaHref, WHERES } from '../../api/rendering/openapi/fields.ts'
import { renderInline, renderProse } from '../../api/rendering/openapi/prose.ts'
import { type Shape, shapeOf } from '../../api/rendering/openapi/shape.ts'
import { type Html, html } from '../../base/html.ts'
import { curlOf } from './curl.ts'

export const operationHref = (operation: Operation): string => `/docs/operations/${operation.id}`

export const titleOf = (operation: Operation): string => operation.summary || operation.id

export function renderOperation(document: ApiDocument, operation: Operation): Html {
  const toShape = (schema: unknown): Shape => shapeOf(document, schema)
  const { body, replies } = operation
  const successes = replies.filter(isSuccess)
  return html`<article class="ref-operation">
<header class="page-head">
<p class="ref-trail"><a href="/docs">${document.name}</a><span aria-hidden="true">/</span>${operation.tag}</p>
<h1>${titleOf(operation)}</h1>
${operation.isDeprecated && html`<p class="ref-deprecated">Deprecated</p>`}
<p class="ref-address">${methodBadge(operation.method)}${renderPath(operation.path)}<code class="ref-id" title="operationId">${operation.id}</code></p>
</header>
<div class="ref-columns">
<div class="ref-words">
${renderAbout(operation)}
${WHERES.map(([where, title]) =>
  section(
    where,
    title,
    operation.parameters.filter(parameter => parameter.where === where),
    found => renderParameters(found, toShape),
  ),
)}
${
  body !== undefined &&
  html`<section aria-labelledby="body"><h2 id="body">Request body${!body.isRequired && html` <small>optional</small>`}</h2>
${body.description !== '' && html`<div class="ref-prose">${renderProse(body.description)}</div>`}${typeIfSeveral(body)}${body.schema !== undefined && renderShape(toShape(body.schema), 'request')}${renderNamed(body)}${renderOthers(body, toShape, 'request')}</section>`
}
<section aria-labelledby="replies"><h2 id="replies">Responses</h2>
${successes.map(reply => renderReply(reply, toShape))}
${renderFailures(
  replies.filter(reply => !isSuccess(reply)),
  toShape,
)}
</section>
</div>
<aside class="ref-examples" aria-label="Examples">
${renderCode('Request', 'shell', curlOf(document, operation))}
${successes.slice(0, 1).map(reply => renderExample(document, reply))}
</aside>
</div>
</article>`
}

const section = <T>(
  id: string,
  title: string,
  items: readonly T[],
  render: (items: readonly T[]) => Html,
): Html | false =>
  items.length > 0 &&
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${render(items)}</section>`

/** The framework says who may call an operation in a paragraph that begins with `Needs`. */
function renderAbout({ description, signIn }: Operation): Html {
  const paragraphs = description.split(/\n[^\S\n]*\n\s*/)
  const needs = paragraphs.filter(paragraph => paragraph.startsWith('Needs '))
  const rest = paragraphs.filter(paragraph => !paragraph.startsWith('Needs ')).join('\n\n')
  const access = [
    ...(signIn === 'optional'
      ? ['Can be called without a token.']
      : signIn === 'required' && needs.length === 0
        ? ['Needs a token.']
        : []),
    ...needs,
  ]
  return html`${rest !== '' && html`<div class="ref-prose ref-about">${renderProse(rest)}</div>`}${
    access.length > 0 &&
    html`<p class="ref-access"><span class="icon icon-key" aria-hidden="true"></span><span>${renderInline(access.join(' '))}</span></p>`
  }`
}

const isSuccess = (reply: Reply): boolean => /^[23]/.test(reply.status)

function renderReply(reply: Reply, toShape: (schema: unknown) => Shape): Html {
  const words = /^(?:Success|Done)\.?$/.test(reply.description) ? reasonOf(reply.status) : reply.description
  return html`<section class="ref-reply"><h3>${statusBadge(reply.status)}<span>${renderInline(words)}</span></h3>
${
  reply.headers.length > 0 &&
  html`<ul class="ref-fields" role="list">${reply.headers.map(header => html`<li class="ref-field"><p class="ref-field-head"><code class="ref-name">${header.name}</code><span class="ref-type">header</span></p>${header.description !== '' && html`<div class="ref-prose">${renderProse(header.description)}</div>`}</li>`)}</ul>`
}${typeIfSeveral(reply)}${reply.schema === undefined ? html`<p class="ref-whole">${reply.contentType ?? 'No body.'}</p>` : renderShape(toShape(reply.schema), 'reply')}${renderNamed(reply)}${renderOthers(reply, toShape, 'reply')}</section>`
}

/** Failures share one body, which is named once; each is a line. */
function renderFailures(failures: readonly Reply[], toShape: (schema: unknown) => Shape): Html | false {
  if (failures.length === 0) return false
  const models = failures.map(({ schema }) => (schema === undefined ? undefined : toShape(schema).model))
  const link = (model: string): Html => html`<a href="${schemaHref(model)}">${model}</a>`
  const [first] = models
  const common = first !== undefined && models.every(model => model === first) ? first : undefined
  const lines = failures.map(({ status, description }, index) => {
    const model = common === undefined ? models[index] : undefined
    return html`<div><dt>${statusBadge(status)}</dt><dd><strong>${reasonOf(status)}</strong> ${renderInline(description)}${
      model !== undefined && html` ${link(model)}`
    }</dd></div>
`
  })
  return html`<div class="ref-failures"><h3>Errors${common !== undefined && html` <span class="ref-type">${link(common)}</span>`}</h3><dl>${lines}</dl></div>`
}

function renderExample(document: ApiDocument, reply: Reply): Html | null {
  if (reply.schema === undefined && reply.example === undefined) return null
  const value = reply.example ?? exampleReply(document, reply.schema)
  return renderJson(html`Response ${statusBadge(reply.status)}`, value)
}
