// The page of a change request: its description and its changes.

import { changeRequestsHref } from '../../api/rendering/addresses.ts'
import { type Html, html, trusted } from '../../base/html.ts'
import { safeHref } from '../../engines/markdown/html/values.ts'
import { renderDay } from '../layout/dates.ts'
import { icon } from '../layout/icons.ts'
import { renderAround, renderFacts, renderStatus, renderWords } from './parts.ts'
import type { ChangeGroup, ChangeItem, ChangeRequestPage, ChangeRequestView } from './view.ts'

export function renderChangeRequest({ shell, space, tree, changeRequest }: ChangeRequestPage): string {
  return renderAround(
    { shell, space, tree },
    {
      title: `Change request #${changeRequest.number}: ${changeRequest.subject}`,
      main: html`<header class="page-head">
<p class="change-request-number"><a href="${changeRequestsHref(space.id)}">Change requests</a> / #${changeRequest.number} ${renderStatus(changeRequest.status)}</p>
<h1 dir="auto">${changeRequest.subject}</h1>
<p class="change-request-facts">${facts(changeRequest)}</p>
</header>
${changeRequest.previewHref !== null && html`<p class="change-request-actions"><a class="button button-primary" href="${changeRequest.previewHref}">${icon('eye')}Preview</a></p>`}
${changeRequest.publishes.map(
  slug => html`<p class="change-request-publishes">${icon('eye')}Merging this publishes the private specification <strong dir="auto">${slug}</strong> to all readers of the space.</p>
`,
)}${changeRequest.description !== null && html`<div class="content change-request-description" dir="auto">${trusted(changeRequest.description)}</div>`}
<section class="change-request-changes" aria-labelledby="reader:changes">
<h2 id="reader:changes">Changes</h2>
${changes(changeRequest)}
</section>`,
    },
  )
}

function facts(changeRequest: ChangeRequestView): Html {
  const { openComments } = changeRequest
  return html`<span>By <strong dir="auto">${changeRequest.author}</strong>, ${renderDay(changeRequest.createdAt)}</span>${
    changeRequest.mergedAt !== null &&
    html`<span>Merged ${renderDay(changeRequest.mergedAt)}${changeRequest.mergedBy !== null && html` by <strong dir="auto">${changeRequest.mergedBy}</strong>`}</span>`
  }${
    openComments > 0 &&
    html`<span>${icon('comment')}${openComments} open ${openComments === 1 ? 'comment' : 'comments'}</span>`
  }${
    changeRequest.isOutdated &&
    html`<span>${icon('clock-rotate-left')}The space has changed since; it can be brought up to date</span>`
  }`
}

function changes(changeRequest: ChangeRequestView): Html {
  const groups = [
    group('Pages', 'pages', changeRequest.pages),
    group('Files', 'files', changeRequest.files),
    group('Reusable contents', 'reusable contents', changeRequest.reusables),
    changeRequest.variables.length > 0 &&
      html`<h3>Variables</h3>
${renderFacts('Variables', changeRequest.variables)}${more(changeRequest.moreVariables, 'variables')}`,
  ]
  return groups.some(one => one !== false && one !== null)
    ? html`${groups}`
    : html`<p class="empty-note">No changes yet.</p>`
}

const group = (title: string, noun: string, { items, more: rest }: ChangeGroup): Html | null =>
  items.length === 0
    ? null
    : html`<h3>${title}</h3>
<ul class="changes" role="list">${items.map(change)}</ul>${more(rest, noun)}
`

const more = (count: number, noun: string): Html | null =>
  count === 0 ? null : html`<p class="empty-note">And ${count} more ${noun}.</p>`

function change(item: ChangeItem): Html {
  const href = item.href === null ? undefined : safeHref(item.href)
  const title = item.title === '' ? 'Untitled' : item.title
  return html`<li class="change">
<span class="change-words">${renderWords(item.kinds)}</span>
<span class="change-title" dir="auto">${href === undefined ? title : html`<a href="${href}">${title}</a>`}</span>
${item.path !== '' && html`<span class="change-path" dir="auto">${item.path}</span>`}
${item.differencesHref !== null && html`<a class="change-differences" href="${item.differencesHref}">What differs<span class="unseen"> in ${title}</span></a>`}
</li>
`
}
