// Computes a source that no page of the space names: the pages of a specification, or the document of one of them.
import { missing } from '../../base/errors.ts'
import { ownMember } from '../../base/objects.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Services } from '../../http/context.ts'
import type { ContentAt } from './place.ts'
import { readText, toRichDocument } from './reads.ts'
import type { ComputeDocument, ComputeRevision } from './schema.ts'
import { appOf, toPages, type WireContext } from './wire.ts'

/** The space's revision with these pages instead of its own. No source computes files. */
export async function computeRevision(
  services: Services,
  at: ContentAt,
  { source, seed }: ComputeRevision,
): Promise<CachedBody> {
  const content = await services.contents.computed(at.space.id, source, seed)
  const { urls, signingKey } = services
  const view: WireContext = {
    urls,
    signingKey,
    space: at.space,
    content,
    appOf: appOf(urls, at),
    hasMetadata: false,
  }
  const key = ['computed revision', at.space.id, content.expansion?.digest, source, seed]
  return services.bodies.get(JSON.stringify(key), async () => ({
    ...{ pages: toPages(view), files: [], reusableContents: [] },
  }))
}

/** As in the page. Throws `missing` if the specification has no such page. */
export async function computeDocument(
  services: Services,
  at: ContentAt,
  { source, seed }: ComputeDocument,
): Promise<CachedBody> {
  const { doc, page, ...presentation } = source.props
  const whole = { ...source, props: { ...presentation, models: doc === 'models' } }
  const content = await services.contents.computed(at.space.id, whole, seed)
  const record = [...content.pages.values()].find(isComputedAs(doc, page))
  if (record === undefined) throw missing('page of the specification')
  const { document, title } = record
  const key = ['computed document', at.space.id, content.expansion?.digest, source, seed]
  return services.bodies.get(JSON.stringify(key), async () => {
    const markdown = document === null ? '' : await readText(services, document, content)
    return toRichDocument(services, at.space.id, content, undefined, markdown, title, {})
  })
}

const isComputedAs =
  (doc: string, page: string | undefined) =>
  ({ computed }: PageRecord): boolean =>
    ownMember(computed?.props, 'doc') === doc && ownMember(computed?.props, 'page') === page
