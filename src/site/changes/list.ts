// The change requests of a space by state, for its members.
import { listChangeRequestsOfSpace } from '../../api/change-requests/lists.ts'
import type { ChangeRequestRow } from '../../api/change-requests/rows.ts'
import { isOutdated } from '../../api/change-requests/state.ts'
import { changeRequestHref, changeRequestsHref } from '../../api/rendering/addresses.ts'
import { type Html, html } from '../../base/html.ts'
import type { Services } from '../../http/context.ts'
import { renderDay } from '../layout/dates.ts'
import { icon } from '../layout/icons.ts'
import type { Shell, SpaceView, TreeItem } from '../layout/view.ts'
import { toHead } from './change-request.ts'
import { renderAround, renderStatus } from './parts.ts'

const STATES = ['open', 'draft', 'merged', 'archived', 'all'] as const
type State = (typeof STATES)[number]

const LISTED = 50

/** The query: `?status=merged&page=…`; an unknown state is `open`. */
export const readState = (status: unknown): State => STATES.find(state => state === status) ?? 'open'

export type ListView = {
  readonly state: State
  readonly count: number
  readonly rows: readonly ChangeRequestRow[]
  /** The cursor of the next page, as in the API; null on the last one. */
  readonly next: string | null
}

/** @throws Failure invalid for a `page` that is not one of the list's cursors */
export async function listStateOfSpace(
  { db }: Pick<Services, 'db'>,
  spaceId: string,
  state: State,
  page: string | undefined,
): Promise<ListView> {
  const query = { status: state, limit: LISTED, ...(page === undefined ? {} : { page }) }
  const { items, count, next } = await listChangeRequestsOfSpace(db, spaceId, false, query)
  return { state, count, rows: items, next: next ?? null }
}

export function renderChangeRequests(page: {
  readonly shell: Shell
  readonly space: SpaceView
  readonly tree: readonly TreeItem[]
  readonly list: ListView
}): string {
  const { shell, space, tree, list } = page
  const hrefOf = (state: State, next?: string) => {
    const query = new URLSearchParams({ status: state, ...(next === undefined ? {} : { page: next }) })
    return `${changeRequestsHref(space.id)}?${query}`
  }
  return renderAround(
    { shell, space, tree },
    {
      title: 'Change requests',
      main: html`<header class="page-head">
<h1>Change requests</h1>
<nav class="states" aria-label="States"><ul role="list">${STATES.map(
        state =>
          html`<li><a href="${hrefOf(state)}"${state === list.state && html` aria-current="page"`}>${WORDS[state]}</a></li>`,
      )}</ul></nav>
</header>
${
  list.rows.length === 0
    ? html`<div class="empty">${icon('code-branch')}<p class="empty-title">${list.state === 'all' ? 'There are no change requests yet.' : `There are no ${list.state} change requests.`}</p></div>`
    : html`<p class="search-count">${list.count} ${list.count === 1 ? 'change request' : 'change requests'}, newest change first</p>
<ul class="changes" role="list">${list.rows.map(row => item(space.id, row))}</ul>`
}
${list.next !== null && html`<p class="more"><a class="button" href="${hrefOf(list.state, list.next)}">More change requests</a></p>`}`,
    },
  )
}

const WORDS: Readonly<Record<State, string>> = {
  open: 'Open',
  draft: 'Drafts',
  merged: 'Merged',
  archived: 'Archived',
  all: 'All',
}

function item(spaceId: string, row: ChangeRequestRow): Html {
  const base = changeRequestHref(spaceId, row.number)
  const { subject, status, number } = toHead({ changeRequest: row, base })
  return html`<li class="change">
<span class="change-words">${renderStatus(status)}</span>
<span class="change-title" dir="auto"><a href="${base}">${subject}</a></span>
<span class="change-facts">#${number} by <bdi>${row.creator.display_name}</bdi>, changed ${renderDay(row.updated_at.toISOString())}${
    row.open_comments > 0 &&
    html`, ${row.open_comments} open ${row.open_comments === 1 ? 'comment' : 'comments'}`
  }${isOutdated(row) && ', not up to date with the space'}</span>
</li>
`
}
