// One file: what it is, where it is used, and what can be done with it.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { addressOfFile, type ContentFile, isPicture, usesOf } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { me, personCalled } from '../../data/people.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayBytes } from '../../parts/say-bytes.ts'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { useFileActions } from './file-actions.ts'
import { MoveFile } from './move-file.tsx'
import { RenameFile } from './rename-file.tsx'
import { queueFiles } from './sendings.ts'
import { UsesList } from './uses.tsx'

type Props = {
  readonly place: ContentPlace
  readonly file: ContentFile
  readonly mayEdit: boolean
  /** What is changed from the start. */
  readonly begin: 'name' | 'folder' | undefined
  readonly onClose: () => void
}

export function FileDialog({ place, file, mayEdit, begin, onClose }: Props) {
  const [changed, setChanged] = useState(begin)
  return (
    <Dialog title={file.name} isOpen onClose={onClose} isDismissable={changed === undefined}>
      {isPicture(file) && <img className="file-whole" src={addressOfFile(file)} alt="" />}
      <Facts file={file} />
      <section aria-labelledby="workspace:file-uses">
        <h3 id="workspace:file-uses">{t('files.usedIn')}</h3>
        <Loaded query={useQuery(usesOf(place, file.id))} lines={2}>
          {found =>
            found.count === 0 ? (
              <p className="soft">{t('files.unused')}</p>
            ) : (
              <>
                <p className="soft">{t('files.uses', { count: found.count })}</p>
                <UsesList place={place} found={found} />
              </>
            )
          }
        </Loaded>
      </section>
      {changed === 'name' && (
        <RenameFile place={place} file={file} onDone={onClose} onCancel={() => setChanged(undefined)} />
      )}
      {changed === 'folder' && (
        <MoveFile place={place} files={[file]} onDone={onClose} onCancel={() => setChanged(undefined)} />
      )}
      {changed === undefined && (
        <div className="dialog-actions file-actions">
          <Button onPress={onClose}>{t('files.close')}</Button>
          <a className="button" href={addressOfFile(file)} target="_blank" rel="noopener">
            {t('files.open')}
          </a>
          {mayEdit && <Actions place={place} file={file} onChange={setChanged} onClose={onClose} />}
        </div>
      )}
    </Dialog>
  )
}

function Facts({ file }: Pick<Props, 'file'>) {
  const { contentType, size, dimensions, path, updatedAt, uploadedBy } = file
  return (
    <dl className="file-facts">
      <dt>{t('files.size')}</dt>
      <dd>{sayBytes(size)}</dd>
      <dt>{t('files.type')}</dt>
      <dd>{contentType}</dd>
      {dimensions !== undefined && (
        <>
          <dt>{t('files.dimensions')}</dt>
          <dd>{t('files.pixels', dimensions)}</dd>
        </>
      )}
      {uploadedBy !== undefined && <Uploader userId={uploadedBy} />}
      {updatedAt !== undefined && (
        <>
          <dt>{t('files.changed')}</dt>
          <dd>
            <Time value={updatedAt} />
          </dd>
        </>
      )}
      {path !== undefined && (
        <>
          <dt>{t('files.path')}</dt>
          <dd>
            <bdi>{path}</bdi>
          </dd>
        </>
      )}
    </dl>
  )
}

/** Nothing where the person is not known any more. */
function Uploader({ userId }: { readonly userId: string }) {
  const { data } = useQuery(personCalled(userId))
  if (data === undefined) return null
  return (
    <>
      <dt>{t('files.uploadedBy')}</dt>
      <dd>
        <bdi>{data.displayName}</bdi>
      </dd>
    </>
  )
}

type ActionsProps = Omit<Props, 'mayEdit' | 'begin'> & {
  readonly onChange: (what: 'name' | 'folder') => void
}

function Actions({ place, file, onChange, onClose }: ActionsProps) {
  const { id: personId } = useSuspenseQuery(me).data
  const act = useFileActions(place)
  return (
    <>
      <FileTrigger
        onSelect={list => {
          const [chosen] = [...(list ?? [])]
          if (chosen === undefined) return
          onClose()
          queueFiles({ place, personId, replaced: file }, [{ file: chosen, isFolder: false }])
        }}
      >
        <Button>{t('files.replace')}</Button>
      </FileTrigger>
      <Button onPress={() => onChange('name')}>{t('files.rename')}</Button>
      <Button onPress={() => onChange('folder')}>{t('files.move')}</Button>
      <Button
        look="danger"
        onPress={() => {
          onClose()
          const said = t('files.said.deleted', { count: 1, name: isolated(file.name) })
          act([{ operation: 'delete_file', file: file.id }], said).catch(sayFailure)
        }}
      >
        {t('files.delete')}
      </Button>
    </>
  )
}
