// Gives a file another name, in its dialog.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isStatus } from '../../data/client.ts'
import { type ContentFile, filesOf, nameProblem } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { useFileActions } from './file-actions.ts'

type Props = {
  readonly place: ContentPlace
  readonly file: ContentFile
  readonly onDone: () => void
  readonly onCancel: () => void
}

const NAME_CHARACTERS_MAX = 256

export function RenameFile({ place, file, onDone, onCancel }: Props) {
  const act = useFileActions(place)
  const [text, setText] = useState(file.name)
  const name = text.trim()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      act(
        [{ operation: 'update_file', file: file.id, name }],
        t('files.said.renamed', { name: isolated(name) }),
      ),
    onSuccess: onDone,
  })
  const { data } = useQuery(filesOf(place))
  const problem = nameProblem(name)
  // Files in different folders may have one name: only the server knows.
  const isTaken = isStatus(error, 400) && data?.items.some(one => one.name === name)
  const refused = error === null ? undefined : isTaken ? t('files.taken') : sayWhy(error)
  const wrong = refused ?? (problem && t(`files.${problem}`))
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name === file.name) onCancel()
    else if (problem === undefined) mutate()
  }
  return (
    <form onSubmit={save} className="file-rename">
      <Field
        label={t('files.name')}
        hint={t('files.renameHint')}
        value={text}
        onChange={next => {
          setText(next)
          reset()
        }}
        error={wrong}
        maxLength={NAME_CHARACTERS_MAX}
        autoFocus
      />
      <div className="dialog-actions">
        <Button onPress={onCancel}>{t('files.cancel')}</Button>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={problem !== undefined}>
          {t('files.save')}
        </Button>
      </div>
    </form>
  )
}
