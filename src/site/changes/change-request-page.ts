// The page of a change request: what it is about, and what it changes.
import { safeHref } from '../../engines/markdown/html/values.ts'
import { renderDay } from '../layout/dates.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { type Html, html, trusted } from '../layout/html.ts'
import { icon } from '../layout/icons.ts'
import { renderTree } from '../layout/tree.ts'
import { changeRequestsHref } from '../views.ts'
import { renderFacts, renderStatus, renderWords } from './parts.ts'
import type { ChangeGroup, ChangeItem, ChangeRequestPage, ChangeRequestView } from './view.ts'

export function renderProposal({ shell, space, tree, proposal }: ChangeRequestPage): string {
  return renderDocument({
    shell,
    space,
    title: `Change request #${proposal.number}: ${proposal.subject}`,
    isUnlisted: true,
    hasTree: true,
    tree,
    body: html`<div class="frame without-outline">
${renderTree(tree, null)}
<main class="page proposal" id="${CONTENT_ID}" tabindex="-1">
<header class="page-head">
<p class="proposal-number"><a href="${changeRequestsHref(space.id)}">Change requests</a> / #${proposal.number} ${renderStatus(proposal.status)}</p>
<h1 dir="auto">${proposal.subject}</h1>
<p class="proposal-facts">${facts(proposal)}</p>
</header>
${proposal.previewHref !== null && html`<p class="proposal-actions"><a class="button button-primary" href="${proposal.previewHref}">${icon('eye')}Read it as it would be</a></p>`}
${proposal.description !== null && html`<div class="content proposal-description" dir="auto">${trusted(proposal.description)}</div>`}
<section class="proposal-changes" aria-labelledby="reader:changes">
<h2 id="reader:changes">What it changes</h2>
${changes(proposal)}
</section>
</main>
</div>`,
  })
}

function facts(proposal: ChangeRequestView): Html {
  const { openComments } = proposal
  return html`<span>By <strong dir="auto">${proposal.author}</strong>, ${renderDay(proposal.createdAt)}</span>${
    proposal.mergedAt !== null &&
    html`<span>Merged ${renderDay(proposal.mergedAt)}${proposal.mergedBy !== null && html` by <strong dir="auto">${proposal.mergedBy}</strong>`}</span>`
  }${
    openComments > 0 &&
    html`<span>${icon('comment')}${openComments} open ${openComments === 1 ? 'comment' : 'comments'}</span>`
  }${
    proposal.isOutdated &&
    html`<span>${icon('clock-rotate-left')}The space has changed since; it can be brought up to date</span>`
  }`
}

function changes(proposal: ChangeRequestView): Html {
  const groups = [
    group('Pages', 'pages', proposal.pages),
    group('Files', 'files', proposal.files),
    group('Reusable contents', 'reusable contents', proposal.reusables),
    proposal.variables.length > 0 &&
      html`<h3>Variables</h3>
${renderFacts('Variables', proposal.variables)}${more(proposal.moreVariables, 'variables')}`,
  ]
  return groups.some(one => one !== false && one !== null)
    ? html`${groups}`
    : html`<p class="empty-note">Nothing yet.</p>`
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
  const title = item.title === '' ? 'Without a title' : item.title
  return html`<li class="change">
<span class="change-words">${renderWords(item.kinds)}</span>
<span class="change-title" dir="auto">${href === undefined ? title : html`<a href="${href}">${title}</a>`}</span>
${item.path !== '' && html`<span class="change-path" dir="auto">${item.path}</span>`}
${item.differencesHref !== null && html`<a class="change-differences" href="${item.differencesHref}">What differs<span class="unseen"> in ${title}</span></a>`}
</li>
`
}
