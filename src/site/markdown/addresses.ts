// Addresses of pages as Markdown.

import { addressBelow, type PageAddress, withAnchor } from '../../api/rendering/addresses.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Urls } from '../../http/urls.ts'
import { markdownHrefOf } from '../views.ts'

/**
 * Absolute addresses of pages as Markdown. A page whose path with `.md` belongs to another page keeps its own address,
 * which answers Markdown on request. `base` is the address of the space or the change request.
 */
export function markdownAddress(urls: Urls, base: string, content: Content): PageAddress {
  const own = addressBelow(base, content)
  return (id, anchor) => {
    const href = markdownHrefOf(base, content, id)
    return urls.root(href === null ? own(id, anchor) : withAnchor(href, anchor))
  }
}
