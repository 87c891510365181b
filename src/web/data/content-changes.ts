// Changes of a content that are no texts: its tree of pages and its files, written into a change request.
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'
import { beginDraft, lastDraft } from './page-text.ts'
import type { ContentPlace } from './pages.ts'
import { randomKey } from './random-key.ts'

export type ContentChange =
  | Model<'InsertPage'>
  | Model<'UpdatePage'>
  | Model<'DeletePage'>
  | Model<'RevertPage'>
  | Model<'InsertFiles'>
  | Model<'UpdateFile'>
  | Model<'RevertFile'>
  | Model<'DeleteFile'>

/** What one request takes, as the API says. */
export const CHANGES_MAX = 50

export type DraftPlace = { readonly spaceId: string; readonly changeRequestId: string }

/** All of them or none, as one revision; with the same `key` once. */
export const changeContent = (
  { spaceId, changeRequestId }: DraftPlace,
  changes: readonly ContentChange[],
  key?: string,
): Promise<Model<'ChangeRequestContentUpdate'>> =>
  // Without `compat` the answer lists what was changed.
  dataOf(
    api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content', {
      params: {
        path: { spaceId, changeRequestId },
        query: { compat: false },
        ...(key === undefined ? {} : { header: { 'Idempotency-Key': key } }),
      },
      body: { changes: [...changes] },
    }),
  ) as Promise<Model<'ChangeRequestContentUpdate'>>

/** Where this person writes: the change request itself; in a space the last draft there, or a new one. */
export async function findDraft(
  { spaceId, changeRequestId }: ContentPlace,
  personId: string,
  subject: string,
): Promise<DraftPlace> {
  if (changeRequestId !== undefined) return { spaceId, changeRequestId }
  const last = await cache.fetchQuery({ ...lastDraft(spaceId, personId), staleTime: 0 })
  const { number } = last ?? (await beginDraft(spaceId, { subject, key: randomKey() }))
  return { spaceId, changeRequestId: String(number) }
}

/** The page that a change inserted. */
export function insertedPage({ changes }: Model<'ChangeRequestContentUpdate'>): string {
  const id = changes.flatMap(one => (one.object === 'created_page' ? [one.page.id] : []))[0]
  if (id === undefined) throw new Error('the answer names no new page')
  return id
}
