// What one does with a page or its space, beside the heading.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import FolderGit2 from 'lucide-react/icons/folder-git-2'
import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import Pencil from 'lucide-react/icons/pencil'
import History from 'lucide-react/icons/rotate-ccw-clock'
import Settings from 'lucide-react/icons/settings'
import Share2 from 'lucide-react/icons/share-2'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { hasKeptPage } from '../../data/kept-place.ts'
import { lastDraft } from '../../data/page-text.ts'
import { editAddress, spaceAddress, type TreePage } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { ShareDialog } from './share-dialog.tsx'
import { Watch } from './watch.tsx'

const EditDialog = lazy(() => import('./edit-dialog.tsx'))

type Props = { readonly space: Space; readonly page?: TreePage | undefined }

export const PageActions = ({ space, page, onComment }: Props & { readonly onComment: () => void }) => (
  <div className="page-actions">
    <EditAction space={space} page={page} />
    {space.permissions.comment && (
      <Button look="quiet" onPress={onComment}>
        <MessageSquarePlus size={15} aria-hidden />
        <span className="wide-only">{t('space.comment')}</span>
      </Button>
    )}
    <Elsewhere space={space} page={page} />
  </div>
)

/** Of a space of which no page is shown. */
export const SpaceActions = ({ space }: Pick<Props, 'space'>) => (
  <div className="page-actions">
    <Elsewhere space={space} />
  </div>
)

/** For who may edit; `e` does it too. Without a page it says where else one can write. */
const EditAction = ({ space, page }: Props) => {
  if (!space.permissions.edit) return null
  return page?.type === 'document' ? <EditPage space={space} page={page} /> : <EditElsewhere space={space} />
}

/** In the draft that this person wrote into last, or in a new one; before both, what this device keeps of a draft that is not begun. */
function EditPage({ space, page }: Required<Props> & { readonly page: TreePage }) {
  const { id: personId } = useSuspenseQuery(me).data
  const draft = useQuery(lastDraft(space.id, personId)).data
  const hasUnsaved = hasKeptPage({ personId, spaceId: space.id, pageId: page.id })
  const changeRequestId = hasUnsaved ? undefined : draft?.number.toString()
  const href = editAddress({ spaceId: space.id, changeRequestId }, page.id)
  const [, navigate] = useLocation()
  useShortcuts({ e: () => navigate(href) })
  return (
    <Link href={href} className="button primary">
      <Pencil size={15} aria-hidden />
      {t('space.edit')}
    </Link>
  )
}

function EditElsewhere({ space }: Pick<Props, 'space'>) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ e: () => setOpen(true) })
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        <Pencil size={15} aria-hidden />
        {t('space.edit')}
      </Button>
      {isOpen && (
        <Suspense>
          <EditDialog space={space} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Who else reads it, and the screens about its past and its future. */
function Elsewhere({ space, page }: Props) {
  const [isShared, setShared] = useState(false)
  const { permissions, changeRequestsOpen } = space
  return (
    <>
      <Button look="quiet" onPress={() => setShared(true)}>
        <Share2 size={15} aria-hidden />
        <span className="wide-only">{t('space.share')}</span>
      </Button>
      {permissions.access && (
        <>
          <Watch spaceId={space.id} page={page} />
          <ActionLink href={`${spaceAddress(space.id)}/history`}>
            <History size={15} aria-hidden />
            <span className="wide-only">{t('space.history')}</span>
          </ActionLink>
          <ActionLink href={`${spaceAddress(space.id)}/c`}>
            <GitPullRequestArrow size={15} aria-hidden />
            <span className="wide-only">{t('changeRequests.title')}</span>
            {changeRequestsOpen > 0 && (
              <span className="count numbers" aria-hidden="true">
                {changeRequestsOpen}
              </span>
            )}
          </ActionLink>
        </>
      )}
      {permissions.admin && (
        <ActionLink href={`${spaceAddress(space.id)}/settings`}>
          <Settings size={15} aria-hidden />
          <span className="wide-only">{t('space.settings')}</span>
        </ActionLink>
      )}
      {permissions.triggerGitSync && (
        <ActionLink href={`${spaceAddress(space.id)}/git`}>
          <FolderGit2 size={15} aria-hidden />
          <span className="wide-only">{t('space.repository')}</span>
        </ActionLink>
      )}
      <ShareDialog space={space} page={page} isOpen={isShared} onClose={() => setShared(false)} />
    </>
  )
}

const ActionLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <Link href={href} className="button quiet">
    {children}
  </Link>
)
