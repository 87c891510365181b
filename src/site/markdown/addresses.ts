// Where pages stand as Markdown.

import type { Asked, Found } from '../../compute/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { LinkTarget } from '../../engines/markdown/html/options.ts'
import type { Services } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import { addressBelow, addressesFrom, type PageAddress, withAnchor } from '../addresses.ts'
import { markdownHrefOf } from '../views.ts'

/**
 * Pages as Markdown, by whole addresses. One whose path with `.md` is another's has its own, which answers Markdown to
 * who asks for it. `base` is that of the space or of the change request.
 */
export function markdownAddress(urls: Urls, base: string, content: Content): PageAddress {
  const own = addressBelow(base, content)
  return (id, anchor) => {
    const href = markdownHrefOf(base, content, id)
    return urls.root(href === null ? own(id, anchor) : withAnchor(href, anchor))
  }
}

/** Where addresses lead that are written in the file `file`: nothing of the page around them tells where they stand. */
export function wholeAddressesFrom(
  services: Pick<Services, 'urls' | 'signingKey'>,
  base: string,
  content: Content,
  file: string,
): (asked: Asked) => Found {
  const find = addressesFrom(services, content, file, markdownAddress(services.urls, base, content))
  return asked => {
    const found = find(asked)
    if (asked[1] !== 'link' || found === null) return found
    const target = found as LinkTarget
    return target.href.startsWith('/') && !target.isExternal && !target.isBroken
      ? { ...target, href: services.urls.root(target.href) }
      : target
  }
}
