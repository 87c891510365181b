// The changes of one page in a change request: its fields, and its text block by block.
import { type Html, html, trusted } from '../../base/html.ts'
import { icon } from '../layout/icons.ts'
import { renderAround, renderFacts, renderStatus, renderWords } from './parts.ts'
import type { BlockView, DifferencesPage, WordRunView } from './view.ts'

export function renderDifferences(view: DifferencesPage): string {
  const { shell, space, tree, changeRequest, page, facts, blocks, more, isTooMuch } = view
  const hasChanges = isTooMuch || facts.length > 0 || blocks.some(({ kind }) => kind !== 'equal')
  return renderAround(
    { shell, space, tree },
    {
      title: `Changes to ${page.title} – change request #${changeRequest.number}`,
      pageId: page.id,
      main: html`<header class="page-head">
<p class="change-request-number"><a href="${changeRequest.href}">Change request #${changeRequest.number}: <bdi>${changeRequest.subject}</bdi></a> ${renderStatus(changeRequest.status)}</p>
<h1 dir="auto">${page.title}</h1>
<p class="change-request-facts">${renderWords(page.kinds)}</p>
</header>
${page.href !== null && html`<p class="change-request-actions"><a class="button" href="${page.href}">${icon('eye')}Preview this page</a></p>`}
${facts.length > 0 && html`<h2>Fields</h2>${renderFacts('Changed fields of the page', facts)}`}
${blocks.length > 0 && html`<h2>Text</h2>\n${blocks.map(block)}`}
${more > 0 && html`<p class="empty-note">And ${more} more changes, which the page itself shows.</p>`}
${isTooMuch && html`<p class="empty-note">The two texts are too long to compare here. Read the current page and the preview instead.</p>`}
${!hasChanges && html`<p class="empty-note">Nothing differs in this page.</p>`}`,
    },
  )
}

const LABELS = {
  inserted: ['Added', 'plus'],
  removed: ['Removed', 'minus'],
  moved: ['Moved here, unchanged', 'right-left'],
  modified: ['Changed', 'pen'],
} as const

function block(view: BlockView): Html {
  if (view.kind === 'equal')
    return html`<details class="difference-equal"><summary>${view.count} unchanged ${view.count === 1 ? 'block' : 'blocks'}</summary>
<div class="content" dir="auto">${trusted(view.html)}</div></details>
`
  const [word, sign] = LABELS[view.kind]
  const label = view.kind === 'modified' && view.isMoved ? 'Changed and moved here' : word
  return html`<div class="difference difference-${view.kind}" role="group" aria-label="${label}">
<p class="difference-label">${icon(sign)}${label}</p>
${
  view.kind === 'modified'
    ? html`<p class="difference-words" dir="auto">${view.runs.map(run)}</p>`
    : html`<div class="content" dir="auto">${trusted(view.html)}</div>`
}
</div>
`
}

/** Underlined and struck through, with a word for screen readers. */
function run({ kind, text }: WordRunView): Html {
  if (kind === 'equal') return html`${text}`
  return kind === 'inserted'
    ? html`<ins><span class="unseen"> [added: </span>${text}<span class="unseen">] </span></ins>`
    : html`<del><span class="unseen"> [removed: </span>${text}<span class="unseen">] </span></del>`
}
