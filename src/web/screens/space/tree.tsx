// The pages of a space in the side bar, or those that the change request on the screen makes of them.
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { isStatus } from '../../data/client.ts'
import { type ContentPlace, editAddress, findPage, readAddress } from '../../data/pages.ts'
import { pagesIn, space } from '../../data/spaces.ts'
import { later } from '../../parts/later.tsx'
import { PageTree } from '../../parts/later-tree.tsx'
import { Loaded } from '../../parts/state.tsx'

const [Editable] = later(() => import('../tree/editable.tsx'))

const ADDRESS =
  /^\/w\/s\/[^/]+(?:\/c\/(?<number>[^/]+))?(?:\/(?<screen>p|edit|preview)(?:\/(?<page>[^/]+))?)?(?<rest>\/.*)?$/

export function TreeOfSpace({ spaceId }: { readonly spaceId: string }) {
  const [location] = useLocation()
  const { number, screen, page, rest } = ADDRESS.exec(location)?.groups ?? {}
  const place: ContentPlace = { spaceId, changeRequestId: number }
  const of = useQuery(space(spaceId)).data
  const query = useQuery(pagesIn(place))
  // The screen says that there is nothing.
  if (isStatus(query.error, 404)) return null
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const isOfPage = page !== undefined || (number ?? rest) === undefined
        const tree = {
          pages,
          name: spaceId,
          currentId: isOfPage ? findPage(pages, page)?.page.id : undefined,
          addressOf: (pageId: string) => (screen === 'edit' ? editAddress : readAddress)(place, pageId),
        }
        return of?.permissions.edit ? (
          <Suspense fallback={<PageTree {...tree} />}>
            <Editable key={spaceId} {...tree} place={place} />
          </Suspense>
        ) : (
          <PageTree {...tree} />
        )
      }}
    </Loaded>
  )
}
