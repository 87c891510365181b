// Where this device keeps a page that is not saved.
import { readDrafts } from './drafts.ts'
import type { ContentPlace } from './pages.ts'

/** The same page of another change request has other words. */
export type KeptPlace = ContentPlace & { readonly personId: string; readonly pageId: string }

/** With an end, so that none is the beginning of another. */
export const placeOf = ({ spaceId, pageId, changeRequestId = '' }: KeptPlace): string =>
  `edit/${spaceId}/${pageId}/${changeRequestId}.`

export const hasKeptPage = (place: KeptPlace): boolean =>
  readDrafts(place.personId, placeOf(place)).length > 0
