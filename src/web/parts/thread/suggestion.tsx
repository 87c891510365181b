// Words that a comment suggests instead of others, for whoever may edit to apply; and how they are written.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Pencil from 'lucide-react/icons/pencil'
import { useId } from 'react'
import { applySuggestion, type Comment, type RemarkAt } from '../../data/comments.ts'
import { space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../button.tsx'
import { say, sayFailure } from '../toasts.tsx'

type Props = { readonly at: RemarkAt; readonly comment: Comment }

export function SuggestionView({ at, comment: { suggestion, status } }: Props) {
  const cache = useQueryClient()
  const canEdit = useQuery(space(at.spaceId)).data?.permissions.edit === true
  const { mutate, isPending } = useMutation({
    mutationFn: () => applySuggestion(at),
    onSuccess: () => say(t('thread.applied')),
    onError: sayFailure,
    onSettled: () => cache.invalidateQueries({ queryKey: ['space', at.spaceId] }),
  })
  if (suggestion === undefined) return null
  const { before, after, appliedAt } = suggestion
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields it is not
    <div className="suggestion" role="group" aria-label={t('thread.suggestion')}>
      <del dir="auto">{before}</del>
      {after !== '' && <ins dir="auto">{after}</ins>}
      {appliedAt !== undefined && (
        <p className="suggestion-state small">
          <Check size={14} className="success" aria-hidden />
          {t('thread.applied')}
        </p>
      )}
      {appliedAt === undefined && status === 'open' && canEdit && (
        <div>
          <Button isPending={isPending} onPress={() => mutate()}>
            {t('thread.apply')}
          </Button>
        </div>
      )}
    </div>
  )
}

type FieldProps = {
  /** The Markdown to change. */
  readonly before: string
  /** Undefined as long as nothing is suggested. */
  readonly after: string | undefined
  readonly onChange: (after: string | undefined) => void
}

export function SuggestionField({ before, after, onChange }: FieldProps) {
  const id = useId()
  if (after === undefined)
    return (
      <div>
        <Button look="quiet" onPress={() => onChange(before)}>
          <Pencil size={14} aria-hidden />
          {t('thread.suggest')}
        </Button>
      </div>
    )
  return (
    <div className="field">
      <label htmlFor={id}>{t('thread.suggestedText')}</label>
      <textarea
        id={id}
        className="input suggestion-field"
        dir="auto"
        rows={Math.min(12, 1 + after.split('\n').length)}
        value={after}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}
