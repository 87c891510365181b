// Moves files to another folder: one that there is, or a new one.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ContentFile, filesOf, folderOf } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { useFileActions } from './file-actions.ts'

type Props = {
  readonly place: ContentPlace
  readonly files: readonly ContentFile[]
  readonly onDone: () => void
  readonly onCancel: () => void
}

const FOLDER_CHARACTERS_MAX = 512
const FOLDERS_SHOWN_MAX = 12

export function MoveFile({ place, files, onDone, onCancel }: Props) {
  const act = useFileActions(place)
  // Of files from different folders, the first says where most of them may be.
  const before = (files[0] && folderOf(files[0])) ?? ''
  const [text, setText] = useState(before)
  const folder = text
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('/')
  const moving = files.filter(file => folderOf(file) !== folder)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      act(
        moving.map(({ id }) => ({ operation: 'update_file', file: id, folder })),
        t('files.said.moved', {
          count: moving.length,
          name: isolated(moving[0]?.name ?? ''),
          folder: isolated(folder || '/'),
        }),
      ),
    onSuccess: onDone,
  })
  const { data } = useQuery(filesOf(place))
  const folders = [...new Set(data?.items.flatMap(one => folderOf(one) ?? []))]
    .filter(one => one !== folder)
    .sort()
    .slice(0, FOLDERS_SHOWN_MAX)
  const choose = (next: string) => {
    setText(next)
    reset()
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (moving.length === 0) onCancel()
    else mutate()
  }
  return (
    <form onSubmit={save} className="file-rename">
      <Field
        label={t('files.folder')}
        hint={t('files.moveHint')}
        value={text}
        onChange={choose}
        error={error === null ? undefined : sayWhy(error)}
        maxLength={FOLDER_CHARACTERS_MAX}
        autoFocus
      />
      {folders.length > 0 && (
        <ul role="list" className="row wrap" aria-label={t('files.folders')}>
          {folders.map(one => (
            <li key={one}>
              <Button onPress={() => choose(one)}>{one === '' ? '/' : one}</Button>
            </li>
          ))}
        </ul>
      )}
      <div className="dialog-actions">
        <Button onPress={onCancel}>{t('files.cancel')}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {t('files.save')}
        </Button>
      </div>
    </form>
  )
}
