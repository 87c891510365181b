// Goes on writing: at the first page that is changed, or at the first of all.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import { useLocation } from 'wouter'
import { changesOf } from '../../data/change-request.ts'
import { editAddress, firstWritten } from '../../data/pages.ts'
import { pagesIn } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'

export function Edit({ place, changeRequest }: Omit<Props, 'of'>) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { revision } = changeRequest
      const [{ pages }, { changes }] = await Promise.all([
        cache.fetchQuery(pagesIn(place)),
        cache.fetchQuery(changesOf(place, revision)),
      ])
      const changed = changes.flatMap(change => ('page' in change ? change.page.id : []))
      return firstWritten(pages, changed)
    },
    onSuccess: page => {
      if (page === undefined) say(t('changeRequest.noPages'))
      else navigate(editAddress(place, page.id))
    },
    onError: sayFailure,
  })
  useShortcuts({ e: () => mutate() })
  return (
    <Button isPending={isPending} onPress={() => mutate()}>
      <Pencil size={15} aria-hidden />
      {t('space.edit')}
    </Button>
  )
}
