// Addresses to give to others: that of the reader, who may open it, and for admins links that open it to whoever has them.
import { Suspense } from 'react'
import type { TreePage } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { later } from '../../parts/later.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'

const [ShareLinks] = later(() => import('./share-links.tsx'))

type Props = {
  readonly space: Space
  readonly page?: TreePage | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShareDialog({ space, page, isOpen, onClose }: Props) {
  return (
    <Dialog title={t('share.title')} isOpen={isOpen} onClose={onClose} isDismissable>
      <section className="stack-small" aria-labelledby="workspace:share-reader">
        <h3 id="workspace:share-reader">{t('share.reader')}</h3>
        <CopyField label={t('share.address')} value={readerAddress(space, page)} />
        <div className="row">
          <p className="small faint grow">{t(`share.visibility.${space.visibility}`)}</p>
          {space.permissions.admin && <VisibilityMenu space={space} />}
        </div>
      </section>
      {space.permissions.admin && (
        <Suspense>
          <ShareLinks space={space} />
        </Suspense>
      )}
      <div className="dialog-actions">
        <a className="button" href={readerAddress(space, page)}>
          {t('share.open')}
        </a>
        <Button onPress={onClose}>{t('share.close')}</Button>
      </div>
    </Dialog>
  )
}

const readerAddress = ({ id, urls }: Space, page: TreePage | undefined): string =>
  page?.urls?.app ?? urls.published ?? `${location.origin}/s/${id}`
