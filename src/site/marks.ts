// The small picture before a title: an emoji or an icon, as the content chose.
import { renderEmoji } from '../engines/markdown/html/emoji.ts'
import { type Html, html } from './html.ts'

const ICON_NAME = /^[a-z0-9-]{1,50}$/

/** Nothing when the thing has neither. Icons that the reader does not know show a dot. */
export function titleMark(thing: {
  readonly emoji: string | null
  readonly icon: string | null
}): Html | null {
  if (thing.emoji !== null && thing.emoji !== '')
    return html`<span class="mark" aria-hidden="true">${renderEmoji(thing.emoji) ?? thing.emoji}</span>`
  if (thing.icon !== null && ICON_NAME.test(thing.icon))
    return html`<span class="mark icon icon-${thing.icon}" aria-hidden="true"></span>`
  return null
}
