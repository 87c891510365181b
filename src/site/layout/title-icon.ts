// The small picture before a title: the emoji or icon that the content chose.

import { type Html, html } from '../../base/html.ts'
import { iconName } from '../../engines/markdown/html/values.ts'
import { renderEmoji } from '../../engines/markdown/syntax/syntax.ts'

/** Null if the thing has neither. An unknown icon is drawn as a page. */
export function titleIcon(thing: {
  readonly emoji: string | null
  readonly icon?: string | null
}): Html | null {
  if (thing.emoji !== null && thing.emoji !== '')
    return html`<span class="mark" aria-hidden="true">${renderEmoji(thing.emoji) ?? thing.emoji}</span>`
  const name = iconName(thing.icon ?? undefined)
  return name === undefined ? null : html`<span class="mark icon fa-${name}" aria-hidden="true"></span>`
}
