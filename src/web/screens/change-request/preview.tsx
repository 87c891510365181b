// A page as readers will see it after the merge; the tree of the others is in the side bar.
import { useQuery } from '@tanstack/react-query'
import { type Change, changesOf, type Place, proposedPageHtml } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { emojiOf, findPage, hasText, type TreePage } from '../../data/pages.ts'
import { pagesIn } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Content } from '../../parts/content.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/state.tsx'

type Props = { readonly place: Place; readonly changeRequest: ChangeRequest; readonly pageId?: string }

export function Preview({ place, changeRequest, pageId }: Props) {
  const changes = useQuery({ ...changesOf(place, changeRequest.revision), enabled: pageId === undefined })
  const own = `/w/s/${place.spaceId}/c/${place.changeRequestId}/preview`
  const addressOf = (spaceId: string, page: string) =>
    spaceId === place.spaceId ? `${own}/${page}` : `/w/s/${spaceId}/p/${page}`
  return (
    <Loaded query={useQuery(pagesIn(place))}>
      {({ pages }) => {
        if (pageId === undefined && changes.isPending) return <Skeleton lines={12} />
        const page = findPage(pages, pageId ?? firstOf(changes.data?.changes ?? [], pages))?.page
        if (page === undefined)
          return (
            <Empty text={t(pageId === undefined ? 'changeRequest.noPages' : 'changeRequest.noSuchPage')} />
          )
        return <Page place={place} changeRequest={changeRequest} page={page} addressOf={addressOf} />
      }}
    </Loaded>
  )
}

/** The first page that is changed; the first of all if none is. */
const firstOf = (changes: readonly Change[], pages: readonly TreePage[]): string | undefined =>
  changes
    .flatMap(change => ('page' in change ? change.page.id : []))
    .find(id => {
      const found = findPage(pages, id)
      return found !== undefined && hasText(found.page)
    })

type PageProps = Omit<Props, 'pageId'> & {
  readonly page: TreePage
  readonly addressOf: (spaceId: string, page: string) => string
}

const Page = ({ place, changeRequest, page, addressOf }: PageProps) => (
  <article className="page preview-page">
    <header className="page-head">
      <h2 dir="auto">
        {emojiOf(page.emoji) !== undefined && <span aria-hidden="true">{emojiOf(page.emoji)} </span>}
        {page.title}
      </h2>
      {page.description !== undefined && page.description !== '' && (
        <p className="page-lead" dir="auto">
          {page.description}
        </p>
      )}
    </header>
    {hasText(page) && <Text place={place} changeRequest={changeRequest} page={page} addressOf={addressOf} />}
  </article>
)

const Text = ({ place, changeRequest, page, addressOf }: PageProps) => (
  <Loaded query={useQuery(proposedPageHtml(place, changeRequest.revision, page.id))} lines={12}>
    {({ html }) => <Content html={html} addressOf={addressOf} />}
  </Loaded>
)
