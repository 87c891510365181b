// Being told of what happens in a change request, without taking part in it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { setWatched, watchedIn } from '../../data/watches.ts'
import { t } from '../../messages/messages.ts'
import { sayFailure } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'

export function Watch({ changeRequest, of }: Pick<Props, 'changeRequest' | 'of'>) {
  const cache = useQueryClient()
  const { data } = useQuery(watchedIn(of.id))
  const thing = { spaceId: of.id, changeRequestId: changeRequest.id }
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) => setWatched(cache, thing, isOn),
    onError: sayFailure,
  })
  const isOn = isPending ? variables : data?.changeRequests.includes(changeRequest.id) === true
  return (
    <section className="side-section" aria-label={t('space.watch')}>
      <ToggleButton
        className="button"
        isSelected={isOn}
        isDisabled={data === undefined || isPending}
        onChange={mutate}
      >
        <Eye size={15} aria-hidden />
        {t(isOn ? 'space.watching' : 'space.watch')}
      </ToggleButton>
    </section>
  )
}
