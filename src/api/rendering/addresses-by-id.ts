// Where addresses lead that name what they lead to by its id (`/pages/<id>`), as in texts that are in no file.
import type { AddressKey, AddressTarget, AsksAddresses } from '../../compute/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Reference } from '../../engines/markdown/document/document.ts'
import type { LinkTarget } from '../../engines/markdown/html/html.ts'
import type { Services } from '../../http/context.ts'
import { readAddress } from '../comments/addresses.ts'
import { toDownloadUrl } from '../content/signed-references.ts'
import { toAddress } from '../content/wire.ts'
import { findNames } from '../members/rows.ts'
import { addressBelow, describe, spaceHref, withAnchor } from './addresses.ts'

export type NamedContent = {
  readonly space: { readonly id: string; readonly organization_id: string }
  /** What the pages and files are of. */
  readonly content: Content
  /** The address above its pages. */
  readonly base: string
}

const BROKEN = { href: '', isExternal: false, isBroken: true } as const
const INTERNAL = { isExternal: false, isBroken: false } as const

/** `others` answers for all other addresses. A person is known if they belong to the organization of the space. */
export function addressesById(
  services: Pick<Services, 'db' | 'urls' | 'signingKey'>,
  { space, content, base }: NamedContent,
  others: (asked: AddressKey) => AddressTarget,
): AsksAddresses['addresses'] {
  const { urls, signingKey } = services
  const address = addressBelow(base, content)
  const isHere = (id: string | undefined) => id === undefined || id === space.id

  const findFile = (id: string) => {
    const record = content.files.get(id)
    return record && { record, href: toDownloadUrl(urls, signingKey, toAddress(record)) }
  }

  const findPage = (id: string, anchor: string, of: string | undefined): LinkTarget => {
    // The path of a page of another space is known there.
    if (!isHere(of)) return { ...INTERNAL, href: spaceHref(of ?? ''), page: id, space: of ?? '' }
    const record = content.pages.get(id)
    if (record === undefined) return BROKEN
    return { ...INTERNAL, href: address(id, anchor), page: id, space: space.id, ...describe(record) }
  }

  const findLink = (reference: Reference, names: ReadonlyMap<string, string>): LinkTarget => {
    switch (reference.kind) {
      case 'page':
        return findPage(reference.page, '', reference.space)
      case 'anchor':
        return reference.page === undefined
          ? { ...INTERNAL, href: withAnchor('', reference.anchor) }
          : findPage(reference.page, reference.anchor, reference.space)
      case 'file': {
        const found = isHere(reference.space) ? findFile(reference.file) : undefined
        return found === undefined ? BROKEN : { ...INTERNAL, href: found.href, label: found.record.name }
      }
      case 'space':
        return { ...INTERNAL, href: spaceHref(reference.space), space: reference.space }
      case 'user': {
        const label = names.get(reference.user)
        return label === undefined ? BROKEN : { ...INTERNAL, href: '', user: reference.user, label }
      }
      default:
        return BROKEN
    }
  }

  const find = (asked: AddressKey, names: ReadonlyMap<string, string>): AddressTarget => {
    const [, kind, destination] = asked
    const reference = kind === 'search' ? undefined : readAddress(destination)
    if (reference === undefined) return others(asked)
    if (kind === 'link') return findLink(reference, names)
    if (kind === 'image') {
      const found =
        reference.kind === 'file' && isHere(reference.space) ? findFile(reference.file) : undefined
      return found === undefined ? null : { src: found.href, ...found.record.dimensions }
    }
    const id =
      reference.kind === 'reusable-content' && isHere(reference.space) ? reference.reusableContent : ''
    const record = content.reusables.get(id)
    return record === undefined ? null : { id, document: record.document }
  }

  return async asked => {
    const users = asked.flatMap(([, kind, destination]) => {
      const reference = kind === 'link' ? readAddress(destination) : undefined
      return reference?.kind === 'user' ? [reference.user] : []
    })
    const names = await findNames(services.db, space.organization_id, users)
    return asked.map(each => find(each, names))
  }
}
