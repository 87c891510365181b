// What a change request is about, in Markdown; editable in place.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { changeChangeRequest, descriptionOf } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Content } from '../../parts/content.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Composer } from '../../parts/thread/composer.tsx'
import type { Props } from './props.ts'

export function Description({ place, changeRequest, of }: Props) {
  const { id, updatedAt, description } = changeRequest
  const [isEdited, setEdited] = useState(false)
  const query = useQuery({ ...descriptionOf(place, updatedAt), enabled: description !== undefined })
  const { mutateAsync } = useMutation({
    mutationFn: (markdown: string) => changeChangeRequest(place, { description: { markdown } }),
    onSuccess: () => setEdited(false),
  })
  const { markdown, html } = query.data ?? { markdown: '', html: '' }
  if (isEdited)
    return (
      <Composer
        spaceId={of.id}
        place={`description.${id}`}
        label={t('changeRequest.description')}
        action={t('changeRequest.save')}
        initial={markdown}
        isFocused
        mayBeEmpty
        onSend={markdown => mutateAsync(markdown)}
        onCancel={() => setEdited(false)}
      />
    )
  if (description === undefined || (query.data !== undefined && markdown.trim() === ''))
    return of.permissions.edit ? (
      <div>
        <Button look="quiet" onPress={() => setEdited(true)}>
          <Pencil size={14} aria-hidden />
          {t('changeRequest.addDescription')}
        </Button>
      </div>
    ) : null
  return (
    <section className="card description" aria-label={t('changeRequest.description')}>
      <Loaded query={query} lines={3}>
        {() => <Content html={html} />}
      </Loaded>
      {of.permissions.edit && query.data !== undefined && (
        <IconButton label={t('changeRequest.editDescription')} onPress={() => setEdited(true)}>
          <Pencil size={16} aria-hidden />
        </IconButton>
      )}
    </section>
  )
}
