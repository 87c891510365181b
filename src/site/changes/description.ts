// The description of a change request: a rich document, rendered like pages, so that nothing in it can act.
import { indexOf } from '../../api/content/index-of-content.ts'
import { pageHref, spaceHref } from '../../api/rendering/addresses.ts'
import { type RenderServices, renderMarkdown } from '../../api/rendering/render.ts'
import type { AddressKey, AddressTarget } from '../../compute/addresses.ts'
import type { Reference } from '../../engines/markdown/document/document.ts'
import { toMarkdown } from '../../http/rich-document.ts'
import type { ChangeRequestVisit } from '../visits.ts'

/** Keeps ids in the description apart from those of the page around it. */
const ID_PREFIX = 'description.'

/** Sanitised markup; null if nothing was written. Files of the space are not shown. */
export async function renderDescription(
  services: RenderServices,
  { changeRequest, content, base, space }: ChangeRequestVisit,
): Promise<string | null> {
  if (changeRequest.description === null) return null
  const { paths } = indexOf(content)
  const write = (reference: Reference): string | undefined => {
    if (reference.kind === 'url') return reference.url
    if (reference.kind === 'space') return spaceHref(reference.space)
    const page =
      reference.kind === 'page' || reference.kind === 'anchor' ? (reference.page ?? undefined) : undefined
    const path = page === undefined ? undefined : paths.get(page)
    if (path === undefined) return undefined
    const anchor = reference.kind === 'anchor' ? `#${reference.anchor}` : ''
    return `${pageHref(base, path)}${anchor}`
  }
  const json = JSON.stringify(changeRequest.description)
  const markdown = await toMarkdown(services, space.id, 'description', json, write)
  const find = ([, kind, destination]: AddressKey): AddressTarget => {
    if (kind === 'include' || kind === 'search') return null
    if (kind === 'image') return /^https?:/i.test(destination) ? { src: destination } : null
    const isHere = destination.startsWith('/s/') || destination.startsWith(services.urls.root('/'))
    const isBroken = !isHere && !/^(?:https?:|mailto:)/i.test(destination)
    return { href: destination, isExternal: !isHere, isBroken }
  }
  const surroundings = { find, highlight: undefined }
  const { html } = await renderMarkdown(services, space.id, { markdown, idPrefix: ID_PREFIX }, surroundings)
  return html.trim() === '' ? null : html
}
