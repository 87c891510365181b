// How a part of an API description looks on a page: the same fields, examples and words as in the API reference, in one
// column, without links to the reference's own pages. It works without a script.

import { type Html, html } from '../../../base/html.ts'
import { isObject, textOf } from '../../../base/objects.ts'
import { methodBadge, reasonOf, renderPath, statusBadge } from '../openapi/badges.ts'
import { renderCode, renderJson } from '../openapi/code.ts'
import { renderExamples, renderNamed, renderOthers, typeIfSeveral } from '../openapi/contents.ts'
import { type ApiDocument, type Operation, type Reply, readDocument } from '../openapi/document.ts'
import { exampleReply, exampleRequest } from '../openapi/example.ts'
import { renderParameters, renderShape, WHERES } from '../openapi/fields.ts'
import { renderInline, renderProse } from '../openapi/prose.ts'
import { type Shape, shapeOf } from '../openapi/shape.ts'
import { samplesOf, schemesOf } from './samples.ts'
import { originsOf, type Trial, trialOf } from './trial.ts'

export type PartStyle = {
  readonly kind: 'operation' | 'webhook' | 'schemas'
  /** Whether collapsed parts start open. */
  readonly isExpanded: boolean
  /** Whether schemas are a list of names that open. */
  readonly isGrouped: boolean
  /** Whether the page shows the title and description itself. */
  readonly isHeadless: boolean
  /** The level of its heading, 2 to 6. */
  readonly level: number
  /** A prefix for the names and ids of radio buttons; unique on the page. */
  readonly group: string
}

/** @param parts one for an operation or a webhook, one for each schema */
export function drawPart(parts: readonly unknown[], look: PartStyle): Html {
  if (look.kind === 'schemas') return html`${parts.map(part => drawSchema(part, look))}`
  const root = rootOf(parts[0], look.kind)
  const document = readDocument(root)
  const [operation] = document.operations
  return operation === undefined ? html`` : drawOperation(root, document, operation, look)
}

/** A webhook is read as an operation. */
export const rootOf = (part: unknown, kind: PartStyle['kind']): unknown =>
  kind === 'webhook' && isObject(part) ? { ...part, paths: part.webhooks } : part

function drawOperation(root: unknown, document: ApiDocument, operation: Operation, look: PartStyle): Html {
  const toShape = (schema: unknown): Shape => onItsOwn(shapeOf(document, schema))
  const { body, parameters, replies, summary, description } = operation
  const title = summary || (look.kind === 'webhook' ? operation.path : '')
  return html`<section class="api-part" aria-label="${look.kind === 'webhook' ? 'Webhook' : 'API operation'} ${title || `${operation.method} ${operation.path}`}">
${title !== '' && !look.isHeadless && heading(look.level, title)}
<p class="ref-address">${methodBadge(operation.method)}${look.kind === 'webhook' ? html`<code class="ref-path">${operation.path}</code>` : renderPath(operation.path)}</p>
${operation.isDeprecated && html`<p class="ref-deprecated">Deprecated</p>`}
${description !== '' && !look.isHeadless && html`<div class="ref-prose">${renderProse(description)}</div>`}
${look.kind === 'operation' && drawAccess(root, document)}
${look.kind === 'operation' && drawSamples(root, document, operation, look)}
${look.kind === 'operation' && drawTrial(trialOf(root, document, operation))}
${WHERES.map(([where, name]) => {
  const found = parameters.filter(parameter => parameter.where === where)
  return found.length > 0 && piece(name, renderParameters(found, toShape))
})}
${
  body !== undefined &&
  piece(
    body.isRequired ? 'Request body' : html`Request body <small>optional</small>`,
    html`${body.description !== '' && html`<div class="ref-prose">${renderProse(body.description)}</div>`}${typeIfSeveral(body)}${
      body.schema !== undefined && renderShape(toShape(body.schema), 'request')
    }${
      look.kind === 'webhook' && (body.schema !== undefined || body.example !== undefined)
        ? renderExamples(body, () => exampleRequest(document, body.schema))
        : renderNamed(body)
    }${renderOthers(body, toShape, 'request')}`,
  )
}
${replies.length > 0 && piece('Responses', html`${replies.map((reply, index) => drawReply(document, reply, toShape, look.isExpanded || index === firstSuccess(replies)))}`)}
${isObject(root) && root['x-cut'] === true && html`<p class="api-part-cut">This refers to more than can be shown here: some of its schemas are named without what they hold.</p>`}
</section>`
}

function drawSchema(part: unknown, { level, isGrouped, isHeadless }: PartStyle): Html {
  const document = readDocument(part)
  const name = isObject(part) ? textOf(part['x-schema']) : ''
  const schema = document.schemas.get(name)
  const shape = onItsOwn(shapeOf(document, schema, name))
  const inside = html`${shape.description !== '' && html`<div class="ref-prose">${renderProse(shape.description)}</div>`}
${renderShape({ ...shape, description: '' }, 'reply')}
${renderJson('Example', exampleReply(document, schema))}`
  return html`<section class="api-part" aria-label="API schema ${name}">
${
  isGrouped
    ? html`<details class="expandable"><summary>${name}</summary><div class="flow">${inside}</div></details>`
    : html`${!isHeadless && heading(level, name)}
${inside}`
}
</section>`
}

/** Levels are ours, not the description's. */
const heading = (level: number, words: string): Html => {
  const inner = html` class="api-part-title">${words}`
  if (level <= 2) return html`<h2${inner}</h2>`
  if (level === 3) return html`<h3${inner}</h3>`
  if (level === 4) return html`<h4${inner}</h4>`
  return level === 5 ? html`<h5${inner}</h5>` : html`<h6${inner}</h6>`
}

const piece = (title: Html | string, inner: Html): Html =>
  html`<div class="api-part-piece"><p class="api-part-name">${title}</p>${inner}</div>`

const firstSuccess = (replies: readonly Reply[]): number =>
  replies.findIndex(({ status }) => /^[23]/.test(status))

/** How to sign in, as a sentence; undefined if nobody has to. */
export function accessOf(root: unknown, document: ApiDocument): string | undefined {
  const schemes = schemesOf(root)
  const words = schemes.map(({ name, scheme }) => {
    if (scheme.type === 'apiKey') return `an API key, as ${textOf(scheme.in)} ${textOf(scheme.name)}`
    if (scheme.type === 'http' && /^basic$/i.test(textOf(scheme.scheme))) return 'a name and a password'
    if (scheme.type === 'oauth2') return `OAuth 2 (${name})`
    return 'a token'
  })
  if (words.length === 0) return undefined
  const isOptional = document.operations[0]?.signIn === 'optional'
  return `${isOptional ? 'May be called with' : 'Needs'} ${words.join(' and ')}.`
}

function drawAccess(root: unknown, document: ApiDocument): Html | false {
  const sentence = accessOf(root, document)
  return (
    sentence !== undefined &&
    html`<p class="ref-access"><span class="icon icon-key" aria-hidden="true"></span><span>${sentence}</span></p>`
  )
}

/** A radio button and a label before each, like the tabs of a page. */
function drawSamples(root: unknown, document: ApiDocument, operation: Operation, { group }: PartStyle): Html {
  return html`<div class="tabs api-part-samples" role="group" aria-label="Request in several languages">${samplesOf(
    root,
    document,
    operation,
  ).map(({ name, text }, index) => {
    const id = `${group}.${index}`
    return html`<input type="radio" class="unseen" name="${group}" id="${id}"${index === 0 && html` checked`}><label for="${id}" id="${id}.label">${name}</label><div class="tab-panel is-code" role="group" aria-labelledby="${id}.label">${renderCode('Request', name === 'curl' ? 'shell' : 'program', text)}</div>`
  })}</div>`
}

function drawReply(
  document: ApiDocument,
  reply: Reply,
  toShape: (schema: unknown) => Shape,
  isOpen: boolean,
): Html {
  const { status, description, headers, schema, example, contentType } = reply
  const hasBody = schema !== undefined || example !== undefined
  return html`<details class="api-part-reply"${isOpen && html` open`}><summary>${statusBadge(status)}<span>${renderInline(description.split('\n', 1)[0] || reasonOf(status))}</span></summary>
<div class="api-part-reply-body">${headers.length > 0 && html`<ul class="ref-fields" role="list">${headers.map(header => html`<li class="ref-field"><p class="ref-field-head"><code class="ref-name">${header.name}</code><span class="ref-type">header</span></p>${header.description !== '' && html`<div class="ref-prose">${renderProse(header.description)}</div>`}</li>`)}</ul>`}${typeIfSeveral(reply)}${
    schema === undefined
      ? html`<p class="ref-whole">${contentType ?? 'No body.'}</p>`
      : renderShape(toShape(schema), 'reply')
  }${hasBody && renderExamples(reply, () => exampleReply(document, schema))}${renderOthers(reply, toShape, 'reply')}</div></details>
`
}

/** Where scripts run, it becomes a form; elsewhere it shows nothing. */
const drawTrial = (trial: Trial | undefined): Html | false =>
  trial !== undefined &&
  html`<details class="api-try" data-try="${JSON.stringify(trial)}" hidden><summary>Try it</summary></details>`

/** Where the requests go that readers of the part may send. */
export function originsIn(parts: readonly unknown[], look: Pick<PartStyle, 'kind'>): string[] {
  const [part] = parts
  if (look.kind !== 'operation') return []
  const document = readDocument(part)
  const [operation] = document.operations
  const trial = operation && trialOf(part, document, operation)
  return trial === undefined ? [] : originsOf(trial)
}

/** Removes links to the pages of models, which only the API reference has, and states omissions. */
const onItsOwn = (shape: Shape): Shape => ({
  ...shape,
  model: undefined,
  facts: shape.isCut && shape.fields.length === 0 ? [...shape.facts, 'not unfolded again'] : shape.facts,
  fields: shape.fields.map(field => ({ ...field, shape: onItsOwn(field.shape) })),
  options: shape.options.map(onItsOwn),
})
