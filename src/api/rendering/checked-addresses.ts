// Where addresses lead, with what a writer is told of them: a place that its page does not have, and pages of other
// spaces that are not there for the caller. Both cost a look into the database, which readers do without.
import type { AddressKey, AddressTarget, AsksAddresses } from '../../compute/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { ImageSource, LinkTarget } from '../../engines/markdown/html/html.ts'
import { foldedPlace } from '../../engines/markdown/page/page.ts'
import type { Context } from '../../http/context.ts'
import { findMissing, OWN_ADDRESSES_MAX } from '../links/own-addresses.ts'
import { findPlaces } from './places.ts'

type Checking = {
  readonly spaceId: string
  readonly content: Content
  /** The page that is written: its places are those of the text that is not saved. */
  readonly own: string | undefined
  readonly addresses: AsksAddresses['addresses']
}

export async function findChecked(
  context: Context,
  checking: Checking,
  asked: readonly AddressKey[],
): Promise<AddressTarget[]> {
  const found = await checking.addresses(asked)
  const isMissing = await missingElsewhere(context, found)
  const lacksPlace = await missingPlaces(context, checking, found)
  return found.map(target => {
    if (!isLink(target)) return target
    if (isMissing(target)) return { ...target, isBroken: true }
    return lacksPlace(target) ? { ...target, lacksPlace: true } : target
  })
}

const isLink = (target: AddressTarget): target is LinkTarget =>
  target !== null && 'href' in (target as LinkTarget | ImageSource)

/** Of links that are written as addresses of this server. */
async function missingElsewhere(
  context: Context,
  found: readonly AddressTarget[],
): Promise<(target: LinkTarget) => boolean> {
  const appUrl = context.urls.root('/s/')
  const own = found.flatMap(target =>
    isLink(target) && target.isExternal && target.href.startsWith(appUrl) ? [target.href] : [],
  )
  const missing = new Set(
    own.length === 0 ? [] : await findMissing(context, appUrl, [...new Set(own)].slice(0, OWN_ADDRESSES_MAX)),
  )
  return ({ href }) => missing.has(href)
}

/** Of links to a place of a page. */
async function missingPlaces(
  context: Context,
  { spaceId, content, own }: Checking,
  found: readonly AddressTarget[],
): Promise<(target: LinkTarget) => boolean> {
  const documentOf = ({ page }: LinkTarget) =>
    page === undefined || page === own ? undefined : (content.pages.get(page)?.document ?? undefined)
  const named = found.flatMap(target =>
    isLink(target) && placeOf(target) !== null ? (documentOf(target) ?? []) : [],
  )
  const places = await findPlaces(context, spaceId, new Set(named))
  return target => {
    const place = placeOf(target)
    const there = places.get(documentOf(target) ?? '')
    return place !== null && there !== undefined && !there.has(place)
  }
}

/** Null where a link leads to no place, or to one that every page has. */
function placeOf({ href, page }: LinkTarget): string | null {
  const at = href.indexOf('#')
  return page === undefined || at === -1 ? null : foldedPlace(href.slice(at + 1))
}
