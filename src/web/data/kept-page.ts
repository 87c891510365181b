// What this device keeps of a page that is not saved: each tab that writes it has a copy of its own, so that none writes
// over the words of another.
import { dropDrafts, readDrafts, writeDraft } from './drafts.ts'
import type { PageFields, PageText } from './page-text.ts'
import { type ContentPlace, editAddress } from './pages.ts'

export type KeptPage = {
  /** What it was written from. */
  readonly there: PageText
  readonly text: string
  /** What was sent, while nothing says whether it is there. */
  readonly sent?: string
  readonly fields: PageFields
  /** When, in milliseconds since 1970. */
  readonly at: number
}

/** The same page of another change request has other words. */
export type KeptPlace = ContentPlace & { readonly personId: string; readonly pageId: string }

/** With an end, so that none is the beginning of another. */
const placeOf = ({ spaceId, pageId, changeRequestId = '' }: KeptPlace) =>
  `edit/${spaceId}/${pageId}/${changeRequestId}.`

type Copy = { readonly place: string; readonly text: string; readonly page: KeptPage }

function* copiesOf(place: KeptPlace): Generator<Copy> {
  for (const draft of readDrafts(place.personId, placeOf(place))) {
    try {
      // What is kept here was written by `keepPage`.
      yield { ...draft, page: JSON.parse(draft.text) as KeptPage }
    } catch {
      // What cannot be read is no page.
    }
  }
}

const newest = (place: KeptPlace): Copy | undefined =>
  [...copiesOf(place)].sort((one, other) => other.page.at - one.page.at)[0]

/** The copy that was written last. */
export const readKeptPage = (place: KeptPlace): KeptPage | undefined => newest(place)?.page

/** The copy that was written last, from now on that of this writer: another tab that still has it keeps it again. */
export function takeKeptPage(place: KeptPlace, writer: string): KeptPage | undefined {
  const copy = newest(place)
  if (copy === undefined) return undefined
  // First the new copy: a full device keeps the old one.
  if (keepPage(place, writer, copy.page)) dropDrafts(place.personId, copy.place)
  return copy.page
}

/** Whether it is kept: the storage of the device may be full. */
export function keepPage(place: KeptPlace, writer: string, page: KeptPage): boolean {
  // Another screen may be shown when it is left.
  const screen = { address: editAddress(place, place.pageId), title: page.fields.title }
  return writeDraft(place.personId, placeOf(place) + writer, JSON.stringify(page), '', screen)
}

export const dropKeptPage = (place: KeptPlace, writer: string): void =>
  dropDrafts(place.personId, placeOf(place) + writer)
