// Parts shared by the pages about a change request. Nothing is shown by colour alone: everything has a word or an icon.

import { type Html, html } from '../../base/html.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import { renderTree } from '../layout/tree.ts'
import type { PreviewView, Shell, SpaceView, TreeItem } from '../layout/view.ts'
import type { ChangeWord, MetadataView } from './view.ts'

type Around = { readonly shell: Shell; readonly space: SpaceView; readonly tree: readonly TreeItem[] }

/** A page below the tree of its space. `pageId`: the page that it is about. */
export const renderAround = (
  { shell, space, tree }: Around,
  { title, pageId = null, main }: { title: string; pageId?: string | null; main: Html },
): string =>
  renderDocument({
    shell,
    space,
    title,
    isUnlisted: true,
    hasTree: true,
    tree,
    body: html`<div class="frame without-outline">
${renderTree(tree, pageId)}
<main class="page change-request" id="${CONTENT_ID}" tabindex="-1">
${main}
</main>
</div>`,
  })

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
