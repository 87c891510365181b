// Where the addresses on a page lead in the reader.

import type { AddressKey, AddressTarget, Include } from '../../compute/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { FileRecord, PageRecord } from '../../engines/content/records.ts'
import type { ImageSource, LinkTarget } from '../../engines/markdown/html/html.ts'
import { personNamedBy } from '../../engines/markdown/page/page.ts'
import type { Services } from '../../http/context.ts'
import { encodePath } from '../../http/urls.ts'
import { indexOf } from '../content/index-of-content.ts'
import { targetFrom } from '../content/resolve.ts'
import { toDownloadUrl } from '../content/signed-references.ts'
import { toAddress } from '../content/wire.ts'

/** Addresses of the reader are paths of this server, so that a page works behind any name. */
export const spaceHref = (spaceId: string): string => `/s/${spaceId}`
/** The search of the reader in a space. */
export const searchHref = (spaceId: string): string => `${spaceHref(spaceId)}/~/search`
/** The address above the pages of a change request, which members preview there. */
export const previewHref = (spaceId: string, number: number): string =>
  `${spaceHref(spaceId)}/~/changes/${number}`
/** `base` is the address of the space, or of the change request whose pages are shown. */
export const pageHref = (base: string, path: string): string =>
  path === '' ? base : `${base}/${encodePath(path)}`

/** Where a link to a page leads; `anchor` is '' for the page as a whole. */
export type PageAddress = (id: string, anchor: string) => string

/** Page addresses below that of their space or change request. */
export function addressBelow(base: string, content: Content): PageAddress {
  const { paths } = indexOf(content)
  return (id, anchor) => withAnchor(pageHref(base, paths.get(id) ?? ''), anchor)
}

export const withAnchor = (href: string, anchor: string): string =>
  anchor === '' ? href : `${href}#${anchor}`

type AddressOptions = {
  /** Called with the address and the file of each picture. */
  readonly seePicture?: (src: string, record: FileRecord) => void
  /** Where the reader searches; without it, nothing is searched for. */
  readonly search?: string
  /** The space of this content, if links say the ids of the pages and spaces that they lead to. */
  readonly spaceId?: string
}

/** Where the addresses lead that are written in `file` of this content, or in what it includes. */
export function addressesFrom(
  { urls, signingKey }: Pick<Services, 'urls' | 'signingKey'>,
  content: Content,
  file: string,
  address: PageAddress,
  { seePicture, search, spaceId }: AddressOptions = {},
): (asked: AddressKey) => AddressTarget {
  const targets = new Map<string, ReturnType<typeof targetFrom>>()
  const targetOf = (from: string) => {
    const fromFile = from === '' ? file : (content.reusables.get(from)?.file ?? '')
    const target = targets.get(from) ?? targetFrom(content, fromFile)
    targets.set(from, target)
    return target
  }

  const findLink = (from: string, destination: string): LinkTarget => {
    const found = targetOf(from)(destination)
    switch (found.kind) {
      case 'page': {
        const record = content.pages.get(found.id)
        const ids = spaceId === undefined ? {} : { page: found.id, space: spaceId }
        return { ...INTERNAL, href: address(found.id, found.anchor ?? ''), ...ids, ...describe(record) }
      }
      case 'file': {
        const record = content.files.get(found.id)
        if (record === undefined) return { ...BROKEN, href: destination }
        const href = toDownloadUrl(urls, signingKey, toAddress(record))
        return { ...INTERNAL, href, label: record.name }
      }
      case 'anchor':
        return { ...INTERNAL, href: found.anchor === '' ? '' : `#${found.anchor}` }
      case 'space':
        return {
          ...INTERNAL,
          href: spaceHref(found.id),
          ...(spaceId === undefined ? {} : { space: found.id }),
        }
      case 'url':
        return { href: found.url, isExternal: true, isBroken: false }
      default: {
        // A page says the name that the person had: asking for the one of today would make every page depend on people.
        const user = personNamedBy(destination)
        return user === undefined ? { ...BROKEN, href: destination } : { ...INTERNAL, href: '', user }
      }
    }
  }

  const findImage = (from: string, destination: string): ImageSource | null => {
    const found = targetOf(from)(destination)
    if (found.kind === 'url') return { src: found.url }
    const record = found.kind === 'file' ? content.files.get(found.id) : undefined
    if (record === undefined) return null
    const src = toDownloadUrl(urls, signingKey, toAddress(record))
    seePicture?.(src, record)
    return { src, ...record.dimensions }
  }

  const findInclude = (destination: string): Include | null => {
    const found = targetOf('')(destination)
    const record = found.kind === 'reusable-content' ? content.reusables.get(found.id) : undefined
    return found.kind === 'reusable-content' && record !== undefined
      ? { id: found.id, document: record.document }
      : null
  }

  return ([from, kind, destination]) => {
    if (kind === 'include') return findInclude(destination)
    if (kind === 'search')
      return search === undefined
        ? null
        : { ...INTERNAL, href: `${search}?${new URLSearchParams({ q: destination })}` }
    return kind === 'image' ? findImage(from, destination) : findLink(from, destination)
  }
}

const INTERNAL = { isExternal: false, isBroken: false } as const
const BROKEN = { isExternal: false, isBroken: true } as const

/** What a reference to a page shows of it. */
export const describe = (record: PageRecord | undefined): Partial<LinkTarget> =>
  record === undefined
    ? {}
    : {
        label: record.title,
        ...(record.description === undefined ? {} : { description: record.description }),
        ...(record.emoji === undefined ? {} : { emoji: record.emoji }),
        ...(record.icon === undefined ? {} : { icon: record.icon }),
      }
