// What this device keeps of a page that is not saved: each tab that writes it has a copy of its own, so that none writes
// over the words of another. Of a long page only what was changed is written again and again while somebody types.
import { dropDrafts, hasDraft, PART, readDraft, readDrafts, writeDraft } from './drafts.ts'
import { type KeptPlace, placeOf } from './kept-place.ts'
import type { PageFields, PageText } from './page-text.ts'
import { editAddress } from './pages.ts'
import { applied, changeOf, type TextChange } from './text-change.ts'

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

/** A page to keep: its text as what was changed of `there`. */
export type ChangedPage = Omit<KeptPage, 'text'> & { readonly change: TextChange }

/** As it is kept: `there` is a part of its own, which its revision names. 1.0.0-rc.1 kept a page as it is. */
type Kept = Pick<KeptPage, 'fields' | 'at'> & {
  readonly revision: string
  readonly text: TextChange
  readonly sent?: TextChange
}

const partOf = (place: string, revision: string) => place + PART + revision

type Copy = { readonly place: string; readonly page: KeptPage }

function* copiesOf(place: KeptPlace): Generator<Copy> {
  for (const draft of readDrafts(place.personId, placeOf(place))) {
    if (draft.place.includes(PART)) continue
    try {
      // What is kept here was written by `keepPage`.
      const kept = JSON.parse(draft.text) as Kept | KeptPage
      yield { place: draft.place, page: 'there' in kept ? kept : pageOf(place.personId, draft.place, kept) }
    } catch {
      // What cannot be read is no page.
    }
  }
}

function pageOf(personId: string, place: string, { revision, text, sent, ...kept }: Kept): KeptPage {
  const there = JSON.parse(readDraft(personId, partOf(place, revision))) as PageText
  return {
    ...kept,
    there,
    text: applied(text, there.text),
    ...(sent === undefined ? {} : { sent: applied(sent, there.text) }),
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
  const { text, ...page } = copy.page
  if (keepPage(place, writer, { ...page, change: changeOf(page.there.text, text) }))
    dropDrafts(place.personId, copy.place)
  return copy.page
}

/** Whether it is kept: the storage of the device may be full. */
export function keepPage(place: KeptPlace, writer: string, page: ChangedPage): boolean {
  const { there, change, sent, fields, at } = page
  // Another screen may be shown when it is left.
  const screen = { address: editAddress(place, place.pageId), title: fields.title }
  const own = placeOf(place) + writer
  const part = partOf(own, there.revision)
  const write = (to: string, what: object) => writeDraft(place.personId, to, JSON.stringify(what), '', screen)
  const isThere = hasDraft(place.personId, part)
  if (!isThere && !write(part, there)) return false
  const { revision } = there
  const kept: Kept = {
    ...{ revision, fields, at },
    text: change,
    ...(sent === undefined ? {} : { sent: changeOf(there.text, sent) }),
  }
  if (!write(own, kept)) return false
  // Until now the copy was a change of another text.
  if (!isThere) dropParts(place.personId, own, part)
  return true
}

function dropParts(personId: string, own: string, kept: string): void {
  for (const { place } of readDrafts(personId, own + PART)) if (place !== kept) dropDrafts(personId, place)
}

export const dropKeptPage = (place: KeptPlace, writer: string): void =>
  dropDrafts(place.personId, placeOf(place) + writer)
