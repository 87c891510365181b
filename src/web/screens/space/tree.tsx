// The pages of a space in the side bar.
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { findPage, pageAddress, type TreePage } from '../../data/pages.ts'
import { pagesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { PageTree } from '../../parts/page-tree.tsx'
import { Loaded } from '../../parts/state.tsx'

export default function TreeOfSpace({ spaceId }: { readonly spaceId: string }) {
  const query = useQuery(pagesOf(spaceId))
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) =>
        pages.length === 0 ? (
          <p className="faint small tree-empty">{t('space.noPages')}</p>
        ) : (
          <Pages key={spaceId} spaceId={spaceId} pages={pages} />
        )
      }
    </Loaded>
  )
}

type Props = { readonly spaceId: string; readonly pages: readonly TreePage[] }

function Pages({ spaceId, pages }: Props) {
  const [location] = useLocation()
  const asked = /^\/w\/s\/[^/]+\/p\/([^/]+)/.exec(location)?.[1]
  const isOfPages = asked !== undefined || location === `/w/s/${spaceId}`
  return (
    <PageTree
      name={spaceId}
      pages={pages}
      currentId={isOfPages ? findPage(pages, asked)?.page.id : undefined}
      addressOf={pageId => pageAddress(spaceId, pageId)}
    />
  )
}
