// Links of every kind: in a line, as buttons, as cards that say where they lead.
import type { Element } from 'hast'
import { ALLOWED_SCHEMES_SAID, isHarmfulScheme } from '../../../base/link-schemes.ts'
import { isBrokenReference } from '../page/page.ts'
import { type Node, renderEmoji } from '../syntax/syntax.ts'
import {
  type Child,
  type Class,
  chosenIcon,
  el,
  flat,
  type Hast,
  icon,
  readable,
  textOf,
  unseen,
} from './build.ts'
import { refusedScheme, safeHref } from './destinations.ts'
import { describe } from './drawn.ts'
import { iconName } from './names.ts'
import type { LinkKind, LinkTarget } from './options.ts'
import type { Scope } from './scope.ts'

/** A resolved address; `href` is undefined if there is nothing safe to follow. */
export interface Resolved extends Omit<LinkTarget, 'href'> {
  readonly href: string | undefined
  /** An address that is not followed because of its scheme. */
  readonly refused?: string
}

export function resolve(scope: Scope, written: string, kind: LinkKind, at: Node): Resolved {
  const destination = written.trim()
  if (destination.startsWith('#') && destination.length > 1) {
    scope.addPlaceLink(destination.slice(1), at)
    return { href: destination, isExternal: false, isBroken: false }
  }
  const target: LinkTarget = isBrokenReference(destination)
    ? { href: '', isExternal: false, isBroken: true }
    : scope.options.resolveLink(destination, kind)
  if (target.user !== undefined) return { ...target, href: undefined, isBroken: false }
  const href = target.isBroken ? undefined : safeHref(target.href)
  const refused = target.isBroken ? undefined : refusedScheme(target.href)
  if (refused !== undefined) {
    scope.report(
      'refused_link',
      destination,
      `Links that begin with ${refused.slice(0, 50)}: are not followed. ${ALLOWED_SCHEMES_SAID}`,
      at,
    )
    return { ...target, href, isBroken: true, refused: destination }
  }
  if (href === undefined)
    scope.report('broken_link', destination, `This link leads nowhere: ${destination.slice(0, 200)}`, at)
  else if (target.lacksPlace === true)
    scope.report(
      'missing_place',
      destination,
      `The page of this link has no such place: ${destination.slice(0, 200)}`,
      at,
    )
  return { ...target, href, isBroken: href === undefined }
}

export const MISSING_TARGET = 'The target of this link is missing'

/** An `<a>`, the name of a person, or only the words if there is nowhere to go. */
export function renderLink(
  target: Resolved,
  classes: readonly Class[],
  ...children: readonly Child[]
): Element {
  if (target.user !== undefined)
    return el(
      'span.mention',
      { dataUser: target.user },
      ...(target.label === undefined ? children : [`@${target.label}`]),
    )
  if (target.refused !== undefined) return renderRefused(target.refused, classes, children)
  if (target.href === undefined)
    return el('span', { className: ['broken', ...classes], title: MISSING_TARGET }, ...children)
  return el(
    'a',
    {
      href: target.href,
      className: classes,
      title: target.title,
      rel: target.isExternal && 'noopener noreferrer',
      ...idsOf(target),
    },
    ...children,
  )
}

const ADDRESS_CHARACTERS_SHOWN = 200

/** A link in a line; one without words shows its address. */
export function renderPlainLink(
  href: string,
  title: string | null,
  at: Node,
  inside: readonly Hast[],
  scope: Scope,
): Element {
  const target = resolve(scope, href, 'link', at)
  return renderLink(title === null ? target : { ...target, title }, [], inside.length > 0 ? inside : href)
}

/** A mention shows the mark and the name of what it leads to, else its own words. */
export function renderMention(href: string, at: Node, inside: readonly Hast[], scope: Scope): Element {
  const target = resolve(scope, href, 'mention', at)
  const mark = targetMark(target)
  return renderLink(target, ['mention'], mark, mark && ' ', target.label ?? inside)
}

/** The words with the address, for readers who know what to do with it. */
function renderRefused(address: string, classes: readonly Class[], children: readonly Child[]): Element {
  const scheme = refusedScheme(address)
  const isShown = scheme !== undefined && !isHarmfulScheme(scheme)
  const shown = address.slice(0, ADDRESS_CHARACTERS_SHOWN)
  return el(
    'span',
    { className: ['broken', ...classes], title: 'Addresses of this kind are not followed here' },
    ...children,
    isShown && !textOf(flat(children)).includes(shown) && [' (', el('code', {}, shown), ')'],
  )
}

/** What a link says of the page that it leads to. */
export const idsOf = ({ page, space }: Resolved) => ({ dataPage: page, dataSpace: space })

/** The small picture of a target, if it has one. */
export function targetMark(target: Resolved): Hast | undefined {
  if (target.emoji !== undefined)
    return el('span.mark', { ariaHidden: 'true' }, renderEmoji(target.emoji) ?? target.emoji)
  const name = iconName(target.icon)
  return name === undefined ? undefined : chosenIcon(name)
}

export interface LinkCard {
  readonly target: Resolved
  readonly kind: 'content-ref' | 'file' | 'embed' | 'openapi'
  readonly icon: string
  readonly title: string
  readonly text?: string | undefined
  /** Tells screen readers what the card is, before its title. */
  readonly says?: string
  /** A player that a click loads in place of the card. */
  readonly player?: string | undefined
}

const END_ICONS = {
  'content-ref': 'chevron-right',
  file: 'download',
  embed: 'arrow-up-right',
  openapi: 'chevron-right',
} as const

/** A link as a box: picture, title, a line of text, and a hint at where it leads. */
export function renderLinkCard(card: LinkCard): Hast {
  const { target } = card
  const draws = {
    name: 'card',
    title: readable(card.title),
    text: card.text === undefined ? undefined : readable(card.text),
  } as const
  const inside = [
    targetMark(target) ?? icon(target.isBroken ? 'link-slash' : card.icon),
    el(
      'span',
      {},
      card.says !== undefined && unseen(`${card.says}: `),
      el('span.link-card-title', {}, card.title),
      card.text !== undefined && el('span.link-card-text', {}, card.text),
    ),
  ]
  if (target.href === undefined)
    return el('div.link-card.is-broken', { draws }, ...inside, unseen('(target missing)'))
  const link = renderLink(
    target,
    ['link-card', `link-card-${card.kind}`],
    ...inside,
    icon(END_ICONS[card.kind]),
  )
  describe(link, draws)
  if (card.player !== undefined) link.properties.dataPlayer = card.player
  return link
}

/** The host of an absolute address, for showing; undefined for a relative one. */
export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') || undefined : undefined
}
