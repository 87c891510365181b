// A change request with everything that it changes since its merge base, the revision of the space at which it was
// opened or to which it was last updated.
import type { ChangeRequestRow } from '../../api/change-requests/rows.ts'
import { isOutdated } from '../../api/change-requests/state.ts'
import { indexOf } from '../../api/content/index-of-content.ts'
import { toDownloadUrl } from '../../api/content/signed-references.ts'
import { toAddress } from '../../api/content/wire.ts'
import { findBaseRoot } from '../../api/links/sources.ts'
import { listPublishing } from '../../api/merges/publishing.ts'
import { pageHref } from '../../api/rendering/addresses.ts'
import { compareTexts } from '../../base/order.ts'
import type { Content } from '../../engines/content/content.ts'
import { type Diff, diff, type PageChange, type RecordChange } from '../../engines/content/diff.ts'
import type { Services } from '../../http/context.ts'
import { listed } from '../views.ts'
import type { ChangeRequestVisit } from '../visits.ts'
import { renderDescription } from './description.ts'
import { toText, toWords } from './metadata.ts'
import type { ChangeGroup, ChangeItem, ChangeRequestView } from './view.ts'

/** The content that a change request was compared with, and the difference. */
export type Comparison = { readonly base: Content; readonly difference: Diff }

/** The content of the space at the change request's merge base. */
export const findBase = async (services: Services, visit: ChangeRequestVisit): Promise<Content> =>
  services.contents.get(await findBaseRoot(services, visit.changeRequest))

/** The cost depends only on what differs. */
export async function compare(services: Services, visit: ChangeRequestVisit): Promise<Comparison> {
  const baseRoot = await findBaseRoot(services, visit.changeRequest)
  return {
    base: await services.contents.get(baseRoot),
    difference: await diff(services.objects, baseRoot, visit.root),
  }
}

/** What every page about a change request says about it. */
export const toHead = ({ changeRequest, base }: { changeRequest: ChangeRequestRow; base: string }) => ({
  number: changeRequest.number,
  subject: changeRequest.subject === '' ? 'No subject' : changeRequest.subject,
  status: changeRequest.status,
  href: base,
})

/** The address of a page's differences. Slugs contain no slash, so it is not the address of a page. */
export const differencesHref = (base: string, pageId: string): string =>
  `${base}/~/page/${encodeURIComponent(pageId)}`

// Items of each kind; larger changes are read page by page.
const ITEMS_SHOWN_MAX = 500

export async function toChangeRequestView(
  services: Services,
  visit: ChangeRequestVisit,
): Promise<ChangeRequestView> {
  const { changeRequest, content, base } = visit
  const { difference, base: contentBefore } = await compare(services, visit)
  const first = listed(content, indexOf(content))[0]
  const variables = difference.variables.map(({ id, before, after }) => ({
    name: id,
    before: toText(before),
    after: toText(after),
  }))
  return {
    ...toHead(visit),
    author: changeRequest.creator.display_name,
    createdAt: changeRequest.created_at.toISOString(),
    mergedBy: changeRequest.merger?.display_name ?? null,
    mergedAt: changeRequest.merged_at?.toISOString() ?? null,
    isOutdated: isOutdated(changeRequest),
    openComments: changeRequest.open_comments,
    publishes: await listPublished(services, visit),
    description: await renderDescription(services, visit),
    previewHref: first === undefined ? null : pageHref(base, indexOf(content).paths.get(first) ?? ''),
    pages: toGroup(difference.pages.map(change => toPageItem(change, visit, contentBefore)).filter(isSeen)),
    files: toGroup(
      difference.files.map(change => ({
        ...toItem(change, change.after?.name ?? change.before?.name ?? ''),
        path: change.after?.file ?? change.before?.file ?? '',
        href:
          change.after === null
            ? null
            : toDownloadUrl(services.urls, services.signingKey, toAddress(change.after)),
      })),
    ),
    reusables: toGroup(
      difference.reusables.map(change => toItem(change, change.after?.title ?? change.before?.title ?? '')),
    ),
    variables: variables.slice(0, ITEMS_SHOWN_MAX),
    moreVariables: Math.max(0, variables.length - ITEMS_SHOWN_MAX),
  }
}

async function listPublished(
  services: Services,
  { visitor, space, changeRequest, root }: ChangeRequestVisit,
): Promise<string[]> {
  if (changeRequest.status === 'merged' || changeRequest.status === 'archived') return []
  const roots = { base: await findBaseRoot(services, changeRequest), theirs: root }
  return (await listPublishing(services, visitor, space, roots)).map(({ slug }) => slug)
}

function toPageItem(change: PageChange, { content, base }: ChangeRequestVisit, before: Content): ChangeItem {
  const pathAfter = indexOf(content).paths.get(change.id)
  const isThere = change.after?.type === 'document' && pathAfter !== undefined
  return {
    title: change.after?.title ?? change.before?.title ?? '',
    path: pathAfter ?? indexOf(before).paths.get(change.id) ?? '',
    kinds: toWords(change),
    href: isThere ? pageHref(base, pathAfter) : null,
    differencesHref: differencesHref(base, change.id),
  }
}

/** In some pages only invisible fields differ: the time of the edit, or the path in a repository. */
const isSeen = ({ kinds }: ChangeItem): boolean => kinds.length > 0

const toItem = (change: RecordChange<unknown>, title: string): ChangeItem => ({
  title,
  path: '',
  kinds: [change.before === null ? 'Added' : change.after === null ? 'Removed' : 'Edited'],
  href: null,
  differencesHref: null,
})

/** Ordered by path and title, so that neighbours are read together. */
function toGroup(items: readonly ChangeItem[]): ChangeGroup {
  const ordered = [...items].sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.title, b.title))
  return {
    items: ordered.slice(0, ITEMS_SHOWN_MAX),
    more: Math.max(0, ordered.length - ITEMS_SHOWN_MAX),
  }
}
