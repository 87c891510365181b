// What one does with a page or its space, beside the heading.
import { GitPullRequestArrow, History, MessageSquarePlus, Pencil, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { spaceAddress, type TreePage } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { EditDialog } from './edit-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'

type Props = {
  readonly space: Space
  readonly page?: TreePage
  readonly onComment?: () => void
}

export function PageActions({ space, page, onComment }: Props) {
  const [open, setOpen] = useState<'edit' | 'share' | null>(null)
  const { permissions, changeRequestsOpen } = space
  const close = () => setOpen(null)
  useShortcuts(permissions.edit ? { e: () => setOpen('edit') } : {})
  return (
    <div className="page-actions">
      {permissions.edit && (
        <Button look="primary" onPress={() => setOpen('edit')}>
          <Pencil size={15} aria-hidden />
          {t('space.edit')}
        </Button>
      )}
      {permissions.comment && onComment !== undefined && (
        <Button look="quiet" onPress={onComment}>
          <MessageSquarePlus size={15} aria-hidden />
          <span className="wide-only">{t('space.comment')}</span>
        </Button>
      )}
      <Button look="quiet" onPress={() => setOpen('share')}>
        <Share2 size={15} aria-hidden />
        <span className="wide-only">{t('space.share')}</span>
      </Button>
      {permissions.access && (
        <>
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
      <EditDialog space={space} page={page} isOpen={open === 'edit'} onClose={close} />
      <ShareDialog space={space} page={page} isOpen={open === 'share'} onClose={close} />
    </div>
  )
}

const ActionLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }) => (
  <Link href={href} className="button quiet">
    {children}
  </Link>
)
