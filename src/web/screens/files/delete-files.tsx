// Says what breaks before several files are deleted.
import { useQuery } from '@tanstack/react-query'
import { type ContentFile, FILES_ASKED_MAX, usesOfAll } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { useFileActions } from './file-actions.ts'
import { UsesList } from './uses.tsx'

type Props = {
  readonly place: ContentPlace
  readonly files: readonly ContentFile[]
  readonly onDone: () => void
  readonly onClose: () => void
}

export function DeleteFiles({ place, files, onDone, onClose }: Props) {
  const act = useFileActions(place)
  const [count, name] = [files.length, isolated(files[0]?.name ?? '')]
  const uses = useQuery(
    usesOfAll(
      place,
      files.map(({ id }) => id),
    ),
  )
  return (
    <Dialog title={t('files.deleteTitle', { count, name })} isOpen onClose={onClose} isDismissable>
      <Loaded query={uses} lines={2}>
        {found =>
          found.count === 0 ? (
            <p className="soft">{t('files.nothingBreaks')}</p>
          ) : (
            <div>
              <p>{t('files.breaks', { count: found.count })}</p>
              <UsesList place={place} found={found} />
            </div>
          )
        }
      </Loaded>
      {count > FILES_ASKED_MAX && <p className="soft">{t('files.askedSome', { count: FILES_ASKED_MAX })}</p>}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('files.cancel')}</Button>
        <Button
          look="danger"
          onPress={() => {
            onDone()
            act(
              files.map(({ id }) => ({ operation: 'delete_file', file: id })),
              t('files.said.deleted', { count, name }),
            ).catch(sayFailure)
          }}
        >
          {t('files.delete')}
        </Button>
      </div>
    </Dialog>
  )
}
