// Moves the files that are selected to another folder, all of them at once.
import type { ContentFile } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { MoveFile } from './move-file.tsx'

type Props = {
  readonly place: ContentPlace
  readonly files: readonly ContentFile[]
  readonly onDone: () => void
  readonly onClose: () => void
}

export const MoveFiles = ({ place, files, onDone, onClose }: Props) => (
  <Dialog
    title={t('files.moveTitle', { count: files.length, name: isolated(files[0]?.name ?? '') })}
    isOpen
    onClose={onClose}
  >
    <MoveFile place={place} files={files} onDone={onDone} onCancel={onClose} />
  </Dialog>
)
