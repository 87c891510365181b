// The first page: every space that the visitor may read, as cards.

import { type Html, html } from '../../base/html.ts'
import { safeHref } from '../../engines/markdown/html/values.ts'
import { renderDay } from '../layout/dates.ts'
import { CONTENT_ID, renderDocument } from '../layout/document.ts'
import { icon } from '../layout/icons.ts'
import { titleIcon } from '../layout/title-icon.ts'
import type { HomePage, SpaceCard, Visibility } from '../layout/view.ts'

export function renderHome({ shell, spaces }: HomePage): string {
  return renderDocument({
    shell,
    space: null,
    title: '',
    hasTree: false,
    body: html`<main class="home" id="${CONTENT_ID}" tabindex="-1">
<h1>Octavo</h1>
<p class="lead">${lead(spaces.length)}</p>
${
  spaces.length === 0
    ? html`<div class="empty">${icon('book-open')}<h2>Nothing to read yet</h2>
<p>${
        shell.visitor === null
          ? html`No space is public. <a href="${shell.signInHref}">Sign in</a> to see the spaces you have access to.`
          : 'You do not have access to any space yet. Ask an administrator.'
      }</p></div>`
    : html`<ul class="space-cards" role="list">${spaces.map(card)}</ul>`
}
</main>`,
  })
}

const lead = (count: number): string =>
  count === 0
    ? 'Documentation lives here.'
    : count === 1
      ? 'Documentation to read.'
      : 'Choose a space to read.'

const OPEN_TO: Readonly<Record<Exclude<Visibility, 'public'>, string>> = {
  unlisted: 'unlisted',
  'share-link': 'by share link',
  'visitor-auth': 'by sign-in',
  'in-collection': 'for the collection',
  private: 'private',
}

function card(space: SpaceCard): Html {
  const facts = [
    space.updatedAt !== null && html`<span>Updated ${renderDay(space.updatedAt)}</span>`,
    space.visibility !== 'public' &&
      html`<span class="badge">${icon(space.visibility === 'private' ? 'lock' : 'link')}${OPEN_TO[space.visibility]}</span>`,
  ]
  return html`<li class="space-card">
<span class="space-mark" aria-hidden="true">${titleIcon(space) ?? [...space.title.trim()][0]?.toUpperCase()}</span>
<h2 dir="auto"><a href="${safeHref(space.href) ?? '/'}">${space.title}</a></h2>
<p class="space-facts">${facts}</p>
</li>`
}
