// The method, the path and the statuses of an operation, as they are shown wherever it is.

import { type Html, html } from '../../../base/html.ts'
import { STATUS_CODES } from '../../../base/node-http.ts'

export const methodBadge = (method: string): Html =>
  html`<span class="ref-method ref-method-${method.toLowerCase()}">${method}</span>`

/** `/spaces/{spaceId}` with its parameters marked, and places where a narrow screen may break the line. */
export const renderPath = (path: string): Html =>
  html`<code class="ref-path">${path.split(/(\{[^{}]*\})/).map(part => (part.startsWith('{') ? html`<span>${part}</span>` : part.split(/(?<=\/)/).map((piece, index) => html`${index > 0 && html`<wbr>`}${piece}`)))}</code>`

export const reasonOf = (status: string): string =>
  status === 'default' ? 'Anything else' : (/^\d+$/.test(status) && STATUS_CODES[status]) || ''

export const statusBadge = (status: string): Html =>
  html`<span class="ref-status ref-status-${/^[1-5]/.exec(status)?.[0] ?? 'other'}">${status}</span>`
