// The small picture before a title: an emoji or an icon, as the content chose.
import { iconName } from '../../engines/markdown/html/values.ts'
import { renderEmoji } from '../../engines/markdown/syntax/syntax.ts'
import { type Html, html } from './html.ts'

/** Nothing when the thing has neither. Icons that nothing is drawn for show a page. */
export function titleIcon(thing: {
  readonly emoji: string | null
  readonly icon: string | null
}): Html | null {
  if (thing.emoji !== null && thing.emoji !== '')
    return html`<span class="mark" aria-hidden="true">${renderEmoji(thing.emoji) ?? thing.emoji}</span>`
  const name = iconName(thing.icon ?? undefined)
  return name === undefined ? null : html`<span class="mark icon fa-${name}" aria-hidden="true"></span>`
}
