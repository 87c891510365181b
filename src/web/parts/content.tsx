// Written content as readers see it, with what scripts add there. Links to pages of spaces stay in the workspace.
import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { enhanceContent, namedPlace, revealPlace } from '../../site/assets/content.js'
import { pageAddress } from '../data/pages.ts'
import { t } from '../messages/messages.ts'
import { Markup } from './markup.tsx'

/** The API puts it before the ids of a page, and addresses name the places of pages without it. */
const PAGE_ID_PREFIX = 'page.'

/** To another place of the page: by a link of the browser, and by one of the workspace, which wouter tells of. */
const MOVES = ['hashchange', 'pushState']

type Props = {
  /** An answer of the API. */
  readonly html: string
  readonly language?: string
  /** Where a page is shown; in the workspace if it is left out. */
  readonly addressOf?: (spaceId: string, pageId: string) => string
  /** The element that holds it. */
  readonly box?: RefObject<HTMLDivElement | null>
}

/** Whether the address names a place of what is shown. */
export const isPlaceNamed = (): boolean => namedPlace(PAGE_ID_PREFIX) !== undefined

export function Content({ html, language, addressOf = pageAddress, box }: Props) {
  const [, navigate] = useLocation()
  const own = useRef<HTMLDivElement>(null)
  const holder = box ?? own
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is made anew with the HTML alone
  useLayoutEffect(() => {
    const { current } = holder
    if (current === null) return
    for (const link of current.querySelectorAll<HTMLAnchorElement>('a[data-page][data-space]')) {
      const { page = '', space = '' } = link.dataset
      link.setAttribute('href', addressOf(space, page) + new URL(link.href).hash)
    }
    for (const link of current.querySelectorAll(`a[href^="#${PAGE_ID_PREFIX}"]`))
      link.setAttribute('href', `#${link.getAttribute('href')?.slice(1 + PAGE_ID_PREFIX.length)}`)
    const stop = enhanceContent(current, {
      copy: t('content.copy'),
      copied: t('content.copied'),
      player: t('content.player'),
    })
    const reveal = () => revealPlace(PAGE_ID_PREFIX)
    reveal()
    // Of a link to the place that the address names already, nothing tells.
    const revealAgain = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null
      if (link?.hash === location.hash) reveal()
    }
    for (const event of MOVES) addEventListener(event, reveal)
    addEventListener('click', revealAgain)
    return () => {
      stop()
      removeEventListener('click', revealAgain)
      for (const event of MOVES) removeEventListener(event, reveal)
    }
  }, [html])
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a[data-page][data-space]') : null
    const href = link?.getAttribute('href') ?? null
    if (href === null || event.isDefaultPrevented()) return
    event.preventDefault()
    navigate(href)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it catches clicks of the links in it
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by a key sends a click
    <div ref={holder} onClick={follow} dir="auto" lang={language}>
      {chosenIconsIn(html).length > 0 && (
        <link rel="stylesheet" href={iconSheet(chosenIconsIn(html))} precedence="icons" />
      )}
      <Markup html={html} />
    </div>
  )
}

const ICONS_MAX = 200

/** Icons that content chose by name, which the server draws. */
const chosenIconsIn = (html: string): string[] =>
  [
    ...new Set(
      [...html.matchAll(/class="[^"]{0,60}\bicon fa-([a-z0-9-]{1,50})[" ]/g)].map(([, name = '']) => name),
    ),
  ]
    .sort()
    .slice(0, ICONS_MAX)

/** The shell says their address, which changes with the drawings. */
const iconSheet = (names: readonly string[]): string =>
  (document.querySelector<HTMLMetaElement>('meta[property="icon-sheet"]')?.content ?? '') + names.join(',')
