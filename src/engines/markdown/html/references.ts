// Cards that lead out of the page.
import { percentDecode } from '../../../base/percent-decode.ts'
import type { Node } from '../syntax/syntax.ts'
import { el, type Hast } from './build.ts'
import { hostOf, renderLinkCard, resolve } from './links.ts'
import { playerOf } from './players.ts'
import type { Scope } from './scope.ts'

/** Hosts of players, in words. Each is a link, which a click may turn into the player: see players.ts. */
const PLAYERS: ReadonlyMap<string | undefined, string> = new Map([
  ...['youtube.com', 'youtu.be', 'youtube-nocookie.com'].map(host => [host, 'Watch on YouTube'] as const),
  ...['vimeo.com', 'player.vimeo.com'].map(host => [host, 'Watch on Vimeo'] as const),
  ['loom.com', 'Watch on Loom'],
])

/** A card with words below it. */
export const captioned = (card: Hast, caption: readonly Hast[]): Hast =>
  caption.length === 0 ? card : el('figure', {}, card, el('figcaption.card-caption', {}, caption))

export function embedCard(url: string, at: Node, scope: Scope): Hast {
  const target = resolve(scope, url, 'embed', at)
  const host = hostOf(target.href ?? url)
  const player = PLAYERS.get(host)
  const shown = (target.href ?? url).replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return renderLinkCard({
    target,
    kind: 'embed',
    icon: player === undefined ? 'globe' : 'circle-play',
    title: target.label ?? player ?? host ?? shown,
    text: target.description ?? shown.slice(0, 120),
    player: playerOf(target.href ?? url),
  })
}

/** The name of a file, or of a folder. */
export function lastSegment(path: string): string {
  return percentDecode(path.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? path)
}
