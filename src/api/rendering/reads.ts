// Answers with HTML.
import { orMissing } from '../../base/errors.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import type { ContentAt } from '../content/place.ts'
import { previewHref, spaceHref } from './addresses.ts'
import { digestOf } from './render.ts'
import type { PageHtml } from './schema.ts'

/** The address in the reader that the paths of pages follow. Revisions of the past have none of their own. */
export const baseOf = ({ space, changeRequest }: ContentAt): string =>
  changeRequest === null ? spaceHref(space.id) : previewHref(space.id, changeRequest.number)

export async function readPageHtml(context: Context, at: ContentAt, id: string): Promise<CachedBody> {
  const { space, root, sight } = at
  const content = await context.contents.shown(space.id, root, sight)
  const record = orMissing(content.pages.get(id), 'page')
  const place = { spaceId: space.id, base: baseOf(at), root, sight, isKeyed: true }
  const rendered = await context.rendering.pages.render(place, content, id, record)
  const { html, outline, isWhole } = rendered
  return context.bodies.get(
    JSON.stringify(['html', id, digestOf(rendered), isWhole]),
    async (): Promise<PageHtml> => ({ id, html, outline: [...outline], complete: isWhole }),
  )
}
