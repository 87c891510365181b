// The text and the fields of a page as they are written, in its space or in a change request.
import { queryOptions } from '@tanstack/react-query'
import { refreshSpace } from './change-request.ts'
import { api, dataOf, type Model } from './client.ts'
import type { ContentPlace } from './pages.ts'

export type PageFields = {
  readonly title: string
  readonly description: string
  /** An emoji, or the name of an icon; empty for none. */
  readonly emoji: string
  readonly icon: string
  readonly hidden: boolean
  readonly noIndex: boolean
  /** The picture above the title. */
  readonly cover: Cover | null
  readonly layout: Readonly<Record<LayoutSwitch, boolean>> & {
    readonly width: 'default' | 'wide'
    readonly coverSize: CoverSize
  }
}

type CoverRef =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'url'; readonly url: string }

export type Cover = {
  readonly ref?: CoverRef
  readonly refDark?: CoverRef
  /** 0 shows the middle of the picture, more what is above it. */
  readonly yPos: number
  readonly height?: number
}
export type CoverSize = 'hero' | 'full'

const MIDDLE_PERCENT = 50
const POSITIONS_OF_PERCENT = 5

/** What is seen of the picture, from its top, as the reader reads `yPos` (site/pages/page.ts). */
export const percentOfCover = ({ yPos }: Cover): number =>
  Math.min(100, Math.max(0, MIDDLE_PERCENT - yPos / POSITIONS_OF_PERCENT))

export const positionOfCover = (percent: number): number => (MIDDLE_PERCENT - percent) * POSITIONS_OF_PERCENT

export const LAYOUT_SWITCHES = [
  'title',
  'description',
  'cover',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
] as const
type LayoutSwitch = (typeof LAYOUT_SWITCHES)[number]

export type PageText = {
  /** Of the content that it was read from. */
  readonly revision: string
  /** Of `performance.now`. */
  readonly askedAt: number
  /** What comes before the text: frontmatter, and the heading that is the title. */
  readonly head: string
  readonly text: string
  readonly fields: PageFields
}

const pageTextKey = ({ spaceId, changeRequestId }: ContentPlace, pageId: string) => [
  'space',
  spaceId,
  'page-text',
  changeRequestId ?? '',
  pageId,
]

export const pageText = (place: ContentPlace, pageId: string) =>
  queryOptions({
    queryKey: pageTextKey(place, pageId),
    // It is read again whenever it is opened: what is kept would be written over.
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) => readPageText(place, pageId, signal),
  })

export async function readPageText(
  { spaceId, changeRequestId }: ContentPlace,
  pageId: string,
  signal?: AbortSignal,
): Promise<PageText> {
  const answer =
    changeRequestId === undefined
      ? api.GET('/spaces/{spaceId}/content/page/{pageId}', {
          params: { path: { spaceId, pageId }, query: AS_WRITTEN },
          signal,
        })
      : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}', {
          params: { path: { spaceId, changeRequestId, pageId }, query: AS_WRITTEN },
          signal,
        })
  const askedAt = performance.now()
  const page = await dataOf(answer)
  const { response } = await answer
  return pageTextOf(page, { revision: response.headers.get('octavo-revision') ?? '', askedAt })
}

const AS_WRITTEN = { format: 'markdown', computed: false } as const

/** As it was in the space when a change request began or was updated last; undefined if it is merged, or none. */
export async function readPageBefore(
  { spaceId, changeRequestId }: ContentPlace,
  pageId: string,
): Promise<PageText | undefined> {
  if (changeRequestId === undefined) return undefined
  const path = { spaceId, changeRequestId }
  const { status, revisionInitial, revisionMergedAncestor } = await dataOf(
    api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}', { params: { path } }),
  )
  if (status === 'merged') return undefined
  const revision = revisionMergedAncestor ?? revisionInitial
  const askedAt = performance.now()
  const answer = api.GET('/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
    params: { path: { spaceId, revisionId: revision, pageId }, query: AS_WRITTEN },
  })
  return pageTextOf(await dataOf(answer), { revision, askedAt })
}

function pageTextOf(
  page: Model<'RevisionPageWithBody'>,
  read: Pick<PageText, 'revision' | 'askedAt'>,
): PageText {
  const { markdown = '', textStart = 0 } = page
  return {
    ...read,
    head: markdown.slice(0, textStart),
    text: markdown.slice(textStart),
    fields: fieldsOf(page),
  }
}

function fieldsOf({
  title,
  description = '',
  emoji = '',
  icon = '',
  hidden = false,
  noIndex = false,
  cover,
  layout,
}: Model<'RevisionPageWithBody'>): PageFields {
  const { width = 'default', coverSize = 'hero' } = layout ?? {}
  const switches = Object.fromEntries(LAYOUT_SWITCHES.map(name => [name, layout?.[name] ?? true]))
  return {
    ...{
      title,
      description,
      emoji,
      icon,
      hidden,
      noIndex,
      cover: cover === undefined ? null : coverOf(cover),
    },
    layout: { ...(switches as Record<LayoutSwitch, boolean>), width, coverSize },
  }
}

function coverOf({ ref, refDark, ...look }: NonNullable<Model<'RevisionPageWithBody'>['cover']>): Cover {
  const [light, dark] = [coverRefOf(ref), coverRefOf(refDark)]
  return {
    ...look,
    ...(light === undefined ? {} : { ref: light }),
    ...(dark === undefined ? {} : { refDark: dark }),
  }
}

function coverRefOf(ref: Model<'ContentRef'> | undefined): CoverRef | undefined {
  if (ref?.kind === 'file' && ref.file !== undefined) return { kind: 'file', file: ref.file }
  return ref?.kind === 'url' && ref.url !== undefined ? { kind: 'url', url: ref.url } : undefined
}

export type Written = {
  /** Of the page that was read. */
  readonly base: string
  /** The whole text with what comes before it; absent if it is as it was. */
  readonly markdown?: string
  /** Those that are others than before. */
  readonly fields: Partial<PageFields> & { readonly followTitle?: true }
}

/** Writes a page, merged with what others wrote since `base`. Throws `edit_conflicts` (409) where both wrote the same. */
export async function writePage(place: ContentPlace, pageId: string, written: Written): Promise<void> {
  const { base, markdown, fields } = written
  const change = { operation: 'update_page', page: pageId, base } as const
  const changes = [
    ...(markdown === undefined ? [] : [{ ...change, document: { markdown } }]),
    ...(Object.keys(fields).length === 0 ? [] : [{ ...change, ...fields }]),
  ]
  if (changes.length === 0) return
  const { spaceId, changeRequestId } = place
  await dataOf<unknown>(
    changeRequestId === undefined
      ? api.POST('/spaces/{spaceId}/content', { params: { path: { spaceId } }, body: { changes } })
      : api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content', {
          params: { path: { spaceId, changeRequestId }, query: { compat: false } },
          body: { changes },
        }),
  )
}

export type TextProblem = Model<'PreviewProblem'>

/** As readers will see a text, and what is wrong in it. */
export type Previewed = {
  readonly html: string
  readonly problems: readonly TextProblem[]
  readonly moreProblems: number
  /** The line in which each block of the text begins. */
  readonly blocks: readonly { readonly key: string; readonly line: number }[]
}

/** As readers will see a text. */
export async function previewText(
  { spaceId, changeRequestId }: ContentPlace,
  pageId: string,
  markdown: string,
  signal?: AbortSignal,
): Promise<Previewed> {
  const body = { markdown, page: pageId }
  const { html, ...found } = await dataOf(
    changeRequestId === undefined
      ? api.POST('/spaces/{spaceId}/content/preview', { params: { path: { spaceId } }, body, signal })
      : api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content/preview', {
          params: { path: { spaceId, changeRequestId } },
          body,
          signal,
        }),
  )
  return { ...found, html: [html].flat().join('') }
}

/** A draft that texts are written into, without anybody being asked. With the same `key` it is begun once. */
export async function beginDraft(
  spaceId: string,
  { subject, key }: { readonly subject: string; readonly key: string },
): Promise<Model<'ChangeRequest'>> {
  const draft = await dataOf(
    api.POST('/spaces/{spaceId}/change-requests', {
      params: { path: { spaceId }, header: { 'Idempotency-Key': key } },
      body: { subject },
    }),
  )
  void refreshSpace(spaceId)
  return draft
}

/** The draft of this person in the space that was written last; null if there is none. */
export const lastDraft = (spaceId: string, personId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'change-requests', 'last-draft', personId],
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        api.GET('/spaces/{spaceId}/change-requests', {
          params: { path: { spaceId }, query: { status: 'draft', creator: personId, limit: 1000 } },
          signal,
        }),
      )
      return [...items].sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))[0] ?? null
    },
  })
