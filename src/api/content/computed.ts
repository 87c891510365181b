// Computes a source that no page of the space names: the pages of a specification, or the document of one of them. A
// specification that the caller may not see, and that the head does not publish, counts as missing.
import { specSightOf } from '../../access/spec-sight.ts'
import { missing } from '../../base/errors.ts'
import { ownMember } from '../../base/objects.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import type { ContentAt } from './place.ts'
import { readText, toRichDocument } from './reads.ts'
import type { ComputeDocument, ComputeRevision } from './schema.ts'
import { appOf, toPages, type WireContext } from './wire.ts'

/** The space's revision with these pages instead of its own. No source computes files. */
export async function computeRevision(
  context: Context,
  at: ContentAt,
  { source, seed }: ComputeRevision,
): Promise<CachedBody> {
  const content = await context.contents.computed(at.space.id, source, seed, sightOf(context, at))
  const { urls, signingKey } = context
  const view: WireContext = {
    urls,
    signingKey,
    space: at.space,
    content,
    appOf: appOf(urls, at),
    hasMetadata: false,
  }
  const key = ['computed revision', at.space.id, content.expansion?.digest, source, seed]
  return context.bodies.get(JSON.stringify(key), async () => ({
    ...{ pages: toPages(view), files: [], reusableContents: [] },
  }))
}

/** As in the page. Throws `missing` if the specification has no such page. */
export async function computeDocument(
  context: Context,
  at: ContentAt,
  { source, seed }: ComputeDocument,
): Promise<CachedBody> {
  const { doc, page, ...presentation } = source.props
  const whole = { ...source, props: { ...presentation, models: doc === 'models' } }
  const content = await context.contents.computed(at.space.id, whole, seed, sightOf(context, at))
  const record = [...content.pages.values()].find(isComputedAs(doc, page))
  if (record === undefined) throw missing('page of the specification')
  const { document, title } = record
  const key = ['computed document', at.space.id, content.expansion?.digest, source, seed]
  return context.bodies.get(JSON.stringify(key), async () => {
    const markdown = document === null ? '' : await readText(context, document, content)
    return toRichDocument(context, at.space.id, content, undefined, markdown, title, {})
  })
}

/** What the caller names is shown as far as they may see it, whatever the head shows to others. */
const sightOf = ({ principal }: Context, { space }: ContentAt) =>
  specSightOf(principal, space.organization_id)

const isComputedAs =
  (doc: string, page: string | undefined) =>
  ({ computed }: PageRecord): boolean =>
    ownMember(computed?.props, 'doc') === doc && ownMember(computed?.props, 'page') === page
