// Writes what replaces both: Markdown with its preview, or one line. It stays on this device until it is used.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Place } from '../../data/change-request.ts'
import { type Conflict, isOfFrontmatter, previewOf } from '../../data/conflicts.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Changed } from '../../parts/changed/changed.tsx'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/state.tsx'

type Props = {
  readonly place: Place
  readonly conflict: Conflict
  readonly isMarkdown: boolean
  readonly text: string | undefined
  readonly onWrite: (text: string) => void
  readonly onUse: (text: string) => void
  readonly onCancel: () => void
}

export function Write({ place, conflict, isMarkdown, text, onWrite, onUse, onCancel }: Props) {
  const { changeRequest, space } = conflict.versions
  const written = text ?? String(changeRequest ?? space ?? '')
  const hasPreview = isMarkdown && !isOfFrontmatter(conflict)
  const isEmpty = !isMarkdown && written.trim() === ''
  const use = () => {
    if (!isEmpty) onUse(written)
  }
  return (
    <form
      className={hasPreview ? 'write with-preview' : 'write'}
      onSubmit={event => {
        event.preventDefault()
        use()
      }}
    >
      <Field
        label={t(isMarkdown ? 'conflicts.yourText' : 'conflicts.yourValue')}
        isLong={isMarkdown}
        value={written}
        onChange={onWrite}
        autoFocus
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) use()
          else event.continuePropagation()
        }}
      />
      {hasPreview && <Preview place={place} conflict={conflict} markdown={written} />}
      <div className="row">
        <Button look="primary" type="submit" isDisabled={isEmpty}>
          {t('conflicts.use')}
        </Button>
        <Button onPress={onCancel}>{t('conflicts.cancel')}</Button>
      </div>
    </form>
  )
}

const PAUSE_MS = 250

function Preview({
  place,
  conflict,
  markdown,
}: Pick<Props, 'place' | 'conflict'> & { readonly markdown: string }) {
  const [paused, setPaused] = useState(markdown)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(markdown), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [markdown])
  const query = useQuery({
    ...previewOf(place, 'changeRequest', conflict.page, paused),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="write-preview" aria-labelledby="conflicts:preview">
      <h3 id="conflicts:preview">{t('conflicts.preview')}</h3>
      {paused.trim() === '' ? (
        <p className="faint">{t('conflicts.emptyPreview')}</p>
      ) : (
        <Loaded query={query} lines={2}>
          {html => <Changed before={undefined} after={html} />}
        </Loaded>
      )}
    </section>
  )
}
