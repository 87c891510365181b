// A space: one of its pages, with what one does with it; the tree of the others is in the side bar.
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { findPage, spaceAddress } from '../../data/pages.ts'
import { pagesOf, space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Gone } from '../../parts/gone.tsx'
import { later } from '../../parts/later.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { SpaceActions } from './actions.tsx'
import { PageView } from './page.tsx'

const [NewPage] = later(() => import('../tree/new-page.tsx'))

type Props = { readonly spaceId: string; readonly pageId?: string }

export default function SpaceScreen(props: Props) {
  return (
    <>
      <Gone spaceId={props.spaceId} />
      <Shown {...props} />
    </>
  )
}

function Shown({ spaceId, pageId }: Props) {
  const pages = useQuery(pagesOf(spaceId))
  return (
    <Loaded query={useQuery(space(spaceId))} lines="screen">
      {of => (
        <Loaded query={pages} lines="screen">
          {tree => {
            const found = findPage(tree.pages, pageId)
            if (found !== undefined)
              return <PageView key={found.page.id} space={of} page={found.page} above={found.above} />
            return (
              <Screen
                title={of.title === '' ? t('space.untitled') : of.title}
                actions={<SpaceActions space={of} />}
              >
                {pageId === undefined ? (
                  <Empty text={t('space.empty')}>
                    {of.permissions.edit && (
                      <Suspense>
                        <NewPage place={{ spaceId }} look="primary" />
                      </Suspense>
                    )}
                  </Empty>
                ) : (
                  <Empty text={t('space.pageMissing')}>
                    <Link className="button" href={spaceAddress(of.id)}>
                      {t('space.backToSpace')}
                    </Link>
                  </Empty>
                )}
              </Screen>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
