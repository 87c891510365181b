// A group or a link to elsewhere, which have no screen of their own: its title, emoji and address.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { TreePage } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { TITLE_CHARACTERS_MAX } from './rename.tsx'

export type Entry = {
  readonly title: string
  readonly emoji: string
  /** Of a link; absent where it leads to a page or a file of this server. */
  readonly url?: string
}

const EMOJI_CHARACTERS_MAX = 50
const URL_CHARACTERS_MAX = 2048

type Props = {
  readonly heading: string
  readonly confirm: string
  readonly entry: Entry
  readonly onSave: (entry: Entry) => Promise<void>
  readonly onClose: () => void
}

export const entryOf = ({ title, emoji = '', target }: TreePage): Entry => ({
  ...{ title, emoji },
  ...(target?.kind === 'url' ? { url: target.url } : {}),
})

/** Stays open with what was typed where it cannot be saved. */
export function EntryDialog({ heading, confirm, entry, onSave, onClose }: Props) {
  const [{ title, emoji, url }, setEntry] = useState(entry)
  const { mutate, isPending, error } = useMutation({ mutationFn: onSave, onSuccess: onClose })
  const change = (next: Partial<Entry>) => setEntry(before => ({ ...before, ...next }))
  return (
    <Dialog title={heading} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          mutate({
            title: title.trim(),
            emoji: emoji.trim(),
            ...(url === undefined ? {} : { url: url.trim() }),
          })
        }}
      >
        <Field
          label={t('tree.title')}
          value={title}
          onChange={next => change({ title: next })}
          maxLength={TITLE_CHARACTERS_MAX}
          isRequired
          autoFocus
        />
        {url !== undefined && (
          <Field
            label={t('tree.url')}
            hint={t('tree.urlHint')}
            value={url}
            onChange={next => change({ url: next })}
            maxLength={URL_CHARACTERS_MAX}
            isRequired
          />
        )}
        <Field
          label={t('tree.emoji')}
          value={emoji}
          onChange={next => change({ emoji: next })}
          maxLength={EMOJI_CHARACTERS_MAX}
        />
        {error !== null && (
          <p className="field-error" role="alert">
            {sayWhy(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('tree.cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            isPending={isPending}
            isDisabled={title.trim() === '' || url?.trim() === ''}
          >
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
