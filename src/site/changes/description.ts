// What somebody wrote about their change request: a rich document, shown by the same renderer as pages, so that nothing
// in it can act.
import { indexOf } from '../../api/content/index-of-content.ts'
import type { JSONDocument } from '../../engines/markdown/document.ts'
import { toHtml } from '../../engines/markdown/html.ts'
import { parseMarkdown } from '../../engines/markdown/parse.ts'
import { renderDocument } from '../../engines/markdown/render.ts'
import type { Services } from '../../http/context.ts'
import { pageHref, spaceHref } from '../views.ts'
import type { ProposalVisit } from '../visits.ts'

/** Ids of what people write stand beside those of the page around it. */
const ID_PREFIX = 'description.'

/** Sanitised markup; null where nothing was written. Files of the space are not shown. */
export async function renderDescription(
  { urls }: Pick<Services, 'urls'>,
  { changeRequest, content, base }: ProposalVisit,
): Promise<string | null> {
  if (changeRequest.description === null) return null
  const { paths } = indexOf(content)
  const markdown = renderDocument(changeRequest.description as unknown as JSONDocument, {
    write(reference) {
      if (reference.kind === 'url') return reference.url
      if (reference.kind === 'space') return spaceHref(reference.space)
      const page =
        reference.kind === 'page' || reference.kind === 'anchor' ? (reference.page ?? undefined) : undefined
      const path = page === undefined ? undefined : paths.get(page)
      if (path === undefined) return undefined
      const anchor = reference.kind === 'anchor' ? `#${reference.anchor}` : ''
      return `${pageHref(base, path)}${anchor}`
    },
  })
  const { html } = await toHtml(parseMarkdown(markdown), {
    resolveLink: href => {
      const isHere = href.startsWith('/s/') || href.startsWith(urls.root('/'))
      const isBroken = !isHere && !/^(?:https?:|mailto:)/i.test(href)
      return { href, isExternal: !isHere, isBroken }
    },
    resolveImage: src => (/^https?:/i.test(src) ? { src } : undefined),
    idPrefix: ID_PREFIX,
  })
  return html.trim() === '' ? null : html
}
