// What the pages about a change request have in common. Nothing is shown by colour alone: each has its word or sign.
import { type Html, html } from '../layout/html.ts'
import { icon } from '../layout/icons.ts'
import type { PreviewView } from '../layout/view.ts'
import type { ChangeWord, MetadataView } from './view.ts'

const STATUS_ICONS = { draft: 'pen', open: 'code-branch', archived: 'folder', merged: 'check' } as const

export const renderStatus = (status: PreviewView['status']): Html =>
  html`<span class="badge status-${status}">${icon(STATUS_ICONS[status])}${status}</span>`

const WORD_ICONS: Readonly<Record<ChangeWord, string>> = {
  Added: 'plus',
  Removed: 'minus',
  Edited: 'pen',
  Renamed: 'tag',
  Moved: 'right-left',
  Reordered: 'list',
  'Settings changed': 'sliders',
}

export const renderWords = (words: readonly ChangeWord[]): Html[] =>
  words.map(
    word =>
      html`<span class="badge change-${word.toLowerCase().replaceAll(' ', '-')}">${icon(WORD_ICONS[word])}${word}</span>`,
  )

/** Fields with both values, as a table. */
export const renderFacts = (caption: string, facts: readonly MetadataView[]): Html =>
  html`<div class="table-scroll" role="region" tabindex="0" aria-label="${caption}"><table class="facts">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${facts.map(
    ({ name, before, after }) => html`<tr><th scope="row" dir="auto">${name}</th>
<td dir="auto">${before === null ? nothing() : html`<del>${before}</del>`}</td>
<td dir="auto">${after === null ? nothing() : html`<ins>${after}</ins>`}</td></tr>
`,
  )}</tbody></table></div>`

const nothing = (): Html => html`<span class="nothing">nothing</span>`
