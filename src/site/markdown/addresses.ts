// Addresses of pages as Markdown.

import type { Content } from '../../engines/content/content.ts'
import type { Urls } from '../../http/urls.ts'
import { addressBelow, type PageAddress, withAnchor } from '../addresses.ts'
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
