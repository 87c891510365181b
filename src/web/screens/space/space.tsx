// A space: one of its pages, with what one does with it; the tree of the others is in the side bar.
import { useQuery } from '@tanstack/react-query'
import { isStatus } from '../../data/client.ts'
import { findPage } from '../../data/pages.ts'
import { pagesOf, space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Screen } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { PageActions } from './actions.tsx'
import { PageView } from './page.tsx'

type Props = { readonly spaceId: string; readonly pageId?: string }

export default function SpaceScreen(props: Props) {
  return (
    <>
      <Gone spaceId={props.spaceId} />
      <Shown {...props} />
    </>
  )
}

/** What is read or written stays on the screen, also when its reader may no longer see the space. */
function Gone({ spaceId }: Pick<Props, 'spaceId'>) {
  const { data, error } = useQuery(space(spaceId))
  if (data === undefined || !isStatus(error, 403, 404)) return null
  return (
    <p className="notice warning" role="alert">
      {t('space.gone')}
    </p>
  )
}

function Shown({ spaceId, pageId }: Props) {
  const pages = useQuery(pagesOf(spaceId))
  return (
    <Loaded query={useQuery(space(spaceId))}>
      {of => (
        <Loaded query={pages} lines={10}>
          {tree => {
            const found = findPage(tree.pages, pageId)
            if (found !== undefined)
              return <PageView key={found.page.id} space={of} page={found.page} above={found.above} />
            return (
              <Screen
                title={of.title === '' ? t('space.untitled') : of.title}
                actions={<PageActions space={of} />}
              >
                <Empty text={pageId === undefined ? t('space.empty') : t('space.pageMissing')} />
              </Screen>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
