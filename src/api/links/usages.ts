// The links of one page, read from its text.
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord, Reference } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { relationOf } from '../content/links.ts'
import { readText } from '../content/reads.ts'
import { targetFrom, toReference } from '../content/resolve.ts'
import { isInApp } from './applications.ts'
import type { LinkUsage } from './schema.ts'

/** A link as the wire shows it, with the destination as it was written. */
export type PageLink = { readonly destination: string; readonly usage: LinkUsage }

/** The links of one page of a revision, in document order; none of a page that is too much to be read. */
export async function readPageLinks(
  services: Pick<Services, 'compute' | 'objects' | 'urls'>,
  spaceId: string,
  content: Content,
  id: string,
  record: PageRecord,
): Promise<PageLink[]> {
  if (record.document === null) return []
  const markdown = await readText(services, record.document)
  const target = targetFrom(content, record.file ?? '')
  const appUrl = services.urls.root('/s/')
  const links = await services.compute.run('pageLinks', spaceId, { markdown })
  if (links.kind === 'beyond') return []
  return links.value.map(reference => {
    const found = target(reference.destination)
    return {
      destination: reference.destination,
      usage: {
        status:
          found.kind === 'broken'
            ? 'broken'
            : found.kind === 'url' && isInApp(found.url, appUrl)
              ? 'in-app'
              : 'ok',
        relation: relationOf(reference),
        targetReference: toReference(found) ?? writtenAs(reference.destination),
        locationReferences: [{ kind: 'page', page: id }],
      },
    }
  })
}

/** A broken link shows what was written, so that it can be found and mended. */
export const writtenAs = (destination: string): Reference => ({ kind: 'url', url: destination })
