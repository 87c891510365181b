// The files of a content, and where they are used.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model, readAll } from './client.ts'
import { type ContentPlace, spaceAddress } from './pages.ts'

export type ContentFile = Model<'RevisionFile'>

const EVERYTHING = 1000
const USES_ITEMS = 100

export const filesOf = ({ spaceId, changeRequestId }: ContentPlace) =>
  queryOptions({
    queryKey: ['space', spaceId, 'files', changeRequestId ?? ''],
    queryFn: ({ signal }) =>
      readAll<ContentFile>(page => {
        const query = { limit: EVERYTHING, page }
        return changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/content/files', { params: { path: { spaceId }, query }, signal })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/files', {
              params: { path: { spaceId, changeRequestId }, query },
              signal,
            })
      }),
  })

/** In the repository; '' is its top. */
export const folderOf = ({ path }: ContentFile): string | undefined =>
  path?.slice(0, Math.max(0, path.lastIndexOf('/')))

/** A text that shows a file or leads to it. A block is in the pages that include it. */
export type Use = { readonly kind: 'page' | 'block'; readonly id: string; readonly title: string }
export type Uses = { readonly uses: readonly Use[]; readonly count: number }

/** What uses a file: the first of it, and how much it is. */
export const usesOf = (place: ContentPlace, fileId: string) =>
  queryOptions({
    queryKey: ['space', place.spaceId, 'file-uses', place.changeRequestId ?? '', fileId],
    staleTime: 0,
    queryFn: ({ signal }) => readUses(place, fileId, signal),
  })

/** For so many files it is asked what uses them: each is a request. */
export const FILES_ASKED_MAX = 30

/** What uses any of these files, each once. */
export const usesOfAll = (place: ContentPlace, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['space', place.spaceId, 'files-uses', place.changeRequestId ?? '', ids],
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Uses> => {
      const asked = ids.slice(0, FILES_ASKED_MAX)
      const found = await Promise.all(asked.map(id => readUses(place, id, signal)))
      const uses = [...new Map(found.flatMap(one => one.uses.map(use => [use.id, use] as const))).values()]
      return { uses, count: uses.length }
    },
  })

async function readUses(
  { spaceId, changeRequestId }: ContentPlace,
  fileId: string,
  signal: AbortSignal,
): Promise<Uses> {
  const query = { limit: USES_ITEMS }
  const { items, count } = await dataOf(
    changeRequestId === undefined
      ? api.GET('/spaces/{spaceId}/content/files/{fileId}/backlinks', {
          params: { path: { spaceId, fileId }, query },
          signal,
        })
      : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks', {
          params: { path: { spaceId, changeRequestId, fileId }, query },
          signal,
        }),
  )
  const uses = items.flatMap((item): Use[] => {
    if (item.kind === 'page') return [{ kind: 'page', id: item.page.id, title: item.page.title }]
    if (item.kind !== 'reusable-content') return []
    return [{ kind: 'block', id: item.reusableContent.id, title: item.reusableContent.title }]
  })
  return { uses, count }
}

/** Files are read from the server that the workspace comes from, by whatever address it has. */
export function addressOfFile({ downloadURL }: ContentFile): string {
  const { pathname, search } = new URL(downloadURL)
  return pathname + search
}

export const isPicture = ({ contentType }: ContentFile): boolean => contentType.startsWith('image/')

/** The files of the space, or of what a change request makes of it. */
export const filesAddress = ({ spaceId, changeRequestId }: ContentPlace): string =>
  `${spaceAddress(spaceId)}${changeRequestId === undefined ? '' : `/c/${changeRequestId}`}/files`

export const FILE_KINDS = ['all', 'picture', 'media', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const kindOf = ({ contentType }: ContentFile): FileKind => {
  if (contentType.startsWith('image/')) return 'picture'
  return /^(?:video|audio)\//.test(contentType) ? 'media' : 'other'
}

/** Those that were changed last, or the largest, come first. */
export const FILE_ORDERS = ['name', 'changed', 'size'] as const
export type FileOrder = (typeof FILE_ORDERS)[number]

/** Those of a kind whose name has these words, in any order of the words; those alike by name, as people sort. */
export function findFiles(
  files: readonly ContentFile[],
  words: string,
  kind: FileKind,
  order: FileOrder,
): ContentFile[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/)
  const found = files.filter(file => {
    const name = file.name.toLocaleLowerCase()
    return (kind === 'all' || kindOf(file) === kind) && wanted.every(word => name.includes(word))
  })
  return found.sort((one, other) => BY[order](one, other) || byName.compare(one.name, other.name))
}

const BY: { readonly [Order in FileOrder]: (one: ContentFile, other: ContentFile) => number } = {
  name: () => 0,
  // ISO 8601: what has not changed since it came from a repository is the oldest.
  changed: ({ updatedAt: one = '' }, { updatedAt: other = '' }) => Number(one < other) - Number(one > other),
  size: (one, other) => other.size - one.size,
}

const byName = new Intl.Collator(undefined, { numeric: true })

/** What is wrong with a name; the server refuses it as well. */
export function nameProblem(name: string): 'ending' | 'nameInvalid' | undefined {
  if (/[/\\]|^\./.test(name)) return 'nameInvalid'
  return /.\.[^.\s]{1,20}$/u.test(name) ? undefined : 'ending'
}

/** The most bytes that a file can have here, as the server says. */
export const fileBytesMax = (): number =>
  Number(document.querySelector<HTMLMetaElement>('meta[property="file-bytes-max"]')?.content ?? Infinity)
