// What a change request is about, in Markdown; editable in place.
import { useMutation, useQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { changeDescription, descriptionOf, type Written } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Content } from '../../parts/content.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Composer } from '../../parts/thread/composer.tsx'
import type { Props } from './props.ts'

export function Description({ place, changeRequest, of }: Props) {
  const { id, updatedAt, description } = changeRequest
  // What was there when editing it began, while it is edited.
  const [begun, setBegun] = useState<Written>()
  const query = useQuery({ ...descriptionOf(place, updatedAt), enabled: description !== undefined })
  const { html, ...written } = query.data ?? { markdown: '', html: '', updatedAt }
  const { markdown } = written
  const there = query.isError && begun !== undefined ? begun : written
  const { mutateAsync } = useMutation({
    mutationFn: (next: string) => changeDescription(place, there, next),
    onSuccess: () => setBegun(undefined),
  })
  if (begun !== undefined)
    return (
      <Composer
        spaceId={of.id}
        place={`description.${id}`}
        label={t('changeRequest.description')}
        action={t('changeRequest.save')}
        initial={there.markdown}
        isFocused
        mayBeEmpty
        onSend={next => mutateAsync(next)}
        onCancel={() => setBegun(undefined)}
      />
    )
  if (description === undefined || (query.data !== undefined && markdown.trim() === ''))
    return of.permissions.edit ? (
      <div>
        <Button look="quiet" onPress={() => setBegun(written)}>
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
        <IconButton label={t('changeRequest.editDescription')} onPress={() => setBegun(written)}>
          <Pencil size={16} aria-hidden />
        </IconButton>
      )}
    </section>
  )
}
