// Blocks that lead elsewhere: to a page, a file, an address outside, a block of an integration.
import { percentDecode } from '../../../base/percent-decode.ts'
import { readAttributes, TAG_ATTRIBUTES, TARGET_ATTRIBUTES } from '../attributes/attributes.ts'
import type { Node, Tag } from '../syntax/syntax.ts'
import { type Child, el, type Hast, icon } from './build.ts'
import { hostOf, renderLinkCard, resolve } from './links.ts'
import { playerOf } from './players.ts'
import type { Scope } from './scope.ts'

/** Hosts of players, in words. Each is a link, which a click may turn into the player: see players.ts. */
const PLAYERS: ReadonlyMap<string | undefined, string> = new Map([
  ...['youtube.com', 'youtu.be', 'youtube-nocookie.com'].map(host => [host, 'Watch on YouTube'] as const),
  ...['vimeo.com', 'player.vimeo.com'].map(host => [host, 'Watch on Vimeo'] as const),
  ['loom.com', 'Watch on Loom'],
])

export function renderEmbed(tag: Tag, scope: Scope): Child {
  const { url } = readAttributes(tag.attributes, TAG_ATTRIBUTES.embed)
  const caption = scope.blocks(tag.children)
  return url === undefined ? caption : captioned(embedCard(url, tag, scope), caption)
}

const captioned = (card: Hast, caption: readonly Hast[]): Hast =>
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

export function renderFile(tag: Tag, scope: Scope): Child {
  const { src } = readAttributes(tag.attributes, TARGET_ATTRIBUTES.file)
  const caption = scope.blocks(tag.children)
  if (src === undefined) return caption
  const target = resolve(scope, src, 'file', tag)
  const card = renderLinkCard({
    target,
    kind: 'file',
    icon: 'file',
    title: target.label ?? lastSegment(src),
    text: target.description ?? 'File',
    says: 'Download',
  })
  return captioned(card, caption)
}

function lastSegment(path: string): string {
  return percentDecode(path.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? path)
}

/** `{% content-ref url="…" %}`, and its older form `{% page-ref page="…" %}`. */
export function renderContentRef(tag: Tag, scope: Scope): Child {
  const { url = firstLink(tag.children) } = readAttributes(tag.attributes, TARGET_ATTRIBUTES['content-ref'])
  if (url === undefined) return scope.blocks(tag.children)
  const target = resolve(scope, url, 'content-ref', tag)
  return renderLinkCard({
    target,
    kind: 'content-ref',
    icon: 'file-lines',
    title: target.label ?? lastSegment(url).replace(/\.md$/i, ''),
    text: target.description,
  })
}

function firstLink(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    if (node.type === 'link') return node.url
    const below = 'children' in node ? firstLink(node.children) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** `{% @arcade/embed url="…" %}`: a block that an outside program draws. The reader can only show its address. */
export function renderIntegration(tag: Tag, scope: Scope): Child {
  const { url } = readAttributes(tag.attributes, TAG_ATTRIBUTES.integration)
  const inside = scope.blocks(tag.children)
  if (url !== undefined) return [embedCard(url, tag, scope), inside]
  if (inside.length > 0) return inside
  const name = tag.name.slice(1, 80).split('/')[0] ?? ''
  return el(
    'p.absent',
    {},
    icon('puzzle-piece'),
    ' A block of the integration ',
    el('code', {}, name),
    ' belongs here; this version does not run integrations.',
  )
}
